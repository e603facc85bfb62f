//! The names of columns, and the paths that consist of them.
//!
//! Paths in errors about columns consist of the names that the columns have for the host, so that a query can use them:
//! Kafka's names by default (`legs[0].distanceM`), or attributes (`legs[0].distance_m`).

use crate::error::{Part, path};
use crate::plan::{Field, Plan};

/// The attribute of a struct's unknown tagged fields, which is also the last part of their path.
pub const UNKNOWN_TAGS: &str = "unknown_tagged_fields";
/// The name of unknown tagged fields where Kafka's names are used. No field name in a spec can begin with an
/// underscore.
pub const KAFKA_UNKNOWN_TAGS: &str = "_unknownTaggedFields";

/// The names of the columns of fields.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Names {
    /// The names of attributes (`throttle_time_ms`).
    Attributes,
    /// The names of Kafka's JSON (`throttleTimeMs`).
    Kafka,
}

impl Names {
    /// Return the name of the column of a field.
    pub fn field(self, field: &Field) -> &str {
        match self {
            Names::Attributes => &field.attribute,
            Names::Kafka => &field.name,
        }
    }

    /// Return the name of the column of unknown tagged fields.
    pub fn unknown_tags(self) -> &'static str {
        match self {
            Names::Attributes => UNKNOWN_TAGS,
            Names::Kafka => KAFKA_UNKNOWN_TAGS,
        }
    }

    /// Return the name of a part of a path; the part must not be an index.
    pub fn part(self, plan: &Plan, part: Part) -> &str {
        match part {
            Part::Field(layout, field) => {
                let owner = &plan.structs[plan.layouts[layout as usize].struct_number];
                self.field(&owner.fields[field])
            }
            Part::UnknownTags | Part::Index(_) => self.unknown_tags(),
        }
    }

    /// Return the path that consists of these parts.
    pub fn path(self, plan: &Plan, parts: &[Part]) -> String {
        path(parts, |part| self.part(plan, part))
    }
}

/// Return the path of a field, given the path of its struct.
pub fn within(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}
