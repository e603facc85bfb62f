//! The paths of fields.

/// The attribute of a struct's unknown tagged fields, which is also the last part of their path.
pub const UNKNOWN_TAGS: &str = "unknown_tagged_fields";
/// The name of unknown tagged fields where Kafka's names are used. No field name in a spec can begin with an
/// underscore.
pub const KAFKA_UNKNOWN_TAGS: &str = "_unknownTaggedFields";

/// Return the path of a field, given the path of its struct.
pub fn within(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}
