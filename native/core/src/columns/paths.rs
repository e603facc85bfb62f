//! The paths of fields.

/// The attribute of unknown tagged fields, and the last part of their path.
pub const UNKNOWN_TAGS: &str = "unknown_tagged_fields";
/// The name of unknown tagged fields among Kafka's names. No field of a spec can begin with an underscore.
pub const KAFKA_UNKNOWN_TAGS: &str = "_unknownTaggedFields";

/// Return the path of a field in a struct at a path.
pub fn within(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}
