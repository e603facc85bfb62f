//! Fields by their path, and their form on the wire.

use crate::plan::Layout;

/// The attribute of unknown tagged fields, and the last part of their path.
pub const UNKNOWN_TAGS: &str = "unknown_tagged_fields";

/// The number of the codec of a field, tagged or not; `None` if it is not on the wire.
pub fn codec_of(layout: &Layout, field: usize) -> Option<u32> {
    let tagged = layout.tagged.iter().map(|tagged| (tagged.field, tagged.codec));
    layout.steps.iter().copied().chain(tagged).find_map(|(placed, codec)| (placed == field).then_some(codec))
}

/// The path of a field in a struct at a path.
pub fn within(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
