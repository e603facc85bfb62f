//! The options for decoding values as messages.

use std::fmt::Display;

use arrow_schema::{DataType, Fields};
use messagegen_core::columns::{Decoder, Options};
use messagegen_core::limits::Limits;
use messagegen_core::logs::{ERROR, Given, flag, one_of};
use messagegen_core::outcome::{Kind, fail};
use messagegen_core::plan::Plan;
use messagegen_core::{Error, Outcome};

/// The name of the column that contains the values of the records.
pub const VALUE: &str = "value";
/// The name of the column that contains the messages.
pub const MESSAGE: &str = "message";
/// The size of the version in front of a message, in bytes.
pub const VERSION_BYTES: usize = 2;
/// The replacement for bytes that may be secret.
pub const REDACTED: &[u8] = b"<redacted>";
/// The options for decoding values; all of them need [`MESSAGE`].
const OPTIONS: [&str; 7] = [
    "plan",
    "version",
    "names",
    "uuid",
    "unknownTaggedFields",
    "includeSecrets",
    "limits",
];

/// The message that values contain, and the options for decoding them.
pub struct Content {
    pub message: String,
    /// The start of error texts about these options.
    subject: String,
    plan: MessagePlan,
    values: ValueOptions,
}

/// The text of a plan, and whether it has sensitive fields.
struct MessagePlan {
    text: String,
    has_secrets: bool,
}

/// The options that apply to every message.
struct ValueOptions {
    /// `None`: each value begins with its version.
    version: Option<i64>,
    has_kafka_names: bool,
    uuid: &'static str,
    has_unknown_tagged_fields: bool,
    includes_secrets: bool,
    /// The limits for each message.
    limits: Limits,
}

impl MessagePlan {
    /// Parse the plan of `message`. Fails if the plan belongs to a different message.
    fn parse(message: &str, text: &str) -> Result<Self, String> {
        let plan = Plan::parse(text).map_err(|error| error.to_string())?;
        if plan.name != message {
            return Err(format!("this is the plan of {}, not of {message}", plan.name));
        }
        Ok(MessagePlan {
            text: text.to_owned(),
            has_secrets: plan.structs.iter().any(|owner| !owner.sensitive.is_empty()),
        })
    }
}

impl ValueOptions {
    fn take(given: &mut Given) -> Outcome<Self> {
        let version = given.take("version", version_number)?;
        let has_snake_names = given.take("names", |text| one_of(text, ["kafka", "snake"]))?;
        let has_uuid_bytes = given.take("uuid", |text| one_of(text, ["string", "binary"]))?;
        let has_unknown_tagged_fields = given.take("unknownTaggedFields", flag)?;
        let includes_secrets = given.take("includeSecrets", flag)?;
        let limits = given.take("limits", limits)?;
        Ok(ValueOptions {
            version,
            has_kafka_names: has_snake_names != Some(true),
            uuid: if has_uuid_bytes == Some(true) {
                "binary"
            } else {
                "string"
            },
            has_unknown_tagged_fields: has_unknown_tagged_fields == Some(true),
            includes_secrets: includes_secrets == Some(true),
            limits: limits.unwrap_or(Limits::DEFAULT),
        })
    }
}

impl Content {
    /// Take the options for decoding values from the options of `kafka-log`; `None` if values stay bytes.
    pub fn take(given: &mut Given) -> Outcome<Option<Self>> {
        if let Some(name) = OPTIONS.iter().find(|name| !given.has(MESSAGE) && given.has(name)) {
            return fail(
                Kind::Option,
                format!("option {name} needs message, such as message=OffsetCommitValue"),
            );
        }
        let Some(message) = given.take(MESSAGE, |text| Ok(text.to_owned()))? else {
            return Ok(None);
        };
        let plan = given.take("plan", |text| MessagePlan::parse(&message, text))?;
        let values = ValueOptions::take(given)?;
        Ok(plan.map(|plan| Content {
            subject: format!("option {MESSAGE}={message}"),
            message,
            plan,
            values,
        }))
    }

    /// Take the options of a function that decodes `message`; errors start with the name of the message.
    pub fn of_function(message: String, plan: &str, given: &mut Given) -> Outcome<Self> {
        let plan = MessagePlan::parse(&message, plan).map_err(|problem| plan_error(&message, &problem))?;
        let values = ValueOptions::take(given)?;
        Ok(Content {
            subject: message.clone(),
            message,
            plan,
            values,
        })
    }

    /// Return the version of all values, or `None` if each value begins with its version.
    pub fn version(&self) -> Option<i64> {
        self.values.version
    }

    /// Return the version of all values as a list, or `None` if each value begins with its version.
    pub fn versions(&self) -> Option<Vec<i64>> {
        self.version().map(|version| vec![version])
    }

    /// Whether sensitive fields must be hidden.
    pub fn hides_secrets(&self) -> bool {
        self.plan.has_secrets && !self.values.includes_secrets
    }

    /// Return the type of the column that contains the messages.
    pub fn data_type(&self) -> Outcome<DataType> {
        let decoder = self.decoder(self.versions().as_deref(), None)?;
        Ok(DataType::Struct(fields_of_messages(&decoder)?))
    }

    /// Create a decoder for some versions and fields; `None` selects all of them.
    pub fn decoder(&self, versions: Option<&[i64]>, fields: Option<&[String]>) -> Outcome<Decoder> {
        let values = &self.values;
        let options = Options {
            versions,
            fields,
            include_secrets: !self.hides_secrets(),
            names: if values.has_kafka_names { "kafka" } else { "attribute" },
            unknown_tagged_fields: values.has_unknown_tagged_fields,
            uuid_as: values.uuid,
            limits: values.limits,
        };
        let in_option = |error: Error| Error::value(format!("{}: {error}", self.subject));
        Decoder::new(&self.plan.text, &options).map_err(in_option)
    }
}

/// Return the error for an invalid plan that was passed to a function.
pub fn plan_error(message: &str, problem: &impl Display) -> Error {
    Error::new(Kind::Option, format!("plan of {message}: {problem}"))
}

/// Return the version at the start of a value, or `None` if the value is too short.
pub fn version_of(value: &[u8]) -> Option<i64> {
    let version = value.first_chunk::<VERSION_BYTES>()?;
    Some(i16::from_be_bytes(*version).into())
}

/// Parse an option that is a version.
pub fn version_number(text: &str) -> Result<i64, String> {
    let parsed = text.parse::<i16>().ok().filter(|version| *version >= 0);
    parsed
        .map(i64::from)
        .ok_or_else(|| format!("expected a number from 0 to 32767, not '{text}'"))
}

/// Return the fields of a decoder's messages, without the error field.
pub fn fields_of_messages(decoder: &Decoder) -> Outcome<Fields> {
    let DataType::Struct(fields) = decoder.schema() else {
        return Err(Error::value("the message is not a struct"));
    };
    Ok(fields.iter().filter(|field| field.name() != ERROR).cloned().collect())
}

/// Parse integers separated by commas.
pub fn numbers(text: &str) -> Result<Vec<i64>, String> {
    let parsed: Result<Vec<i64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    parsed.map_err(|_| format!("expected numbers such as 0,1,2, not '{text}'"))
}

/// Parse either all limits in the order of [`Limits`], or some limits with their names.
fn limits(text: &str) -> Result<Limits, String> {
    let found = if text.contains('=') {
        named_limits(text)
    } else {
        all_limits(text)
    };
    found.ok_or_else(|| format!("expected four numbers, or names such as array_length=2000000, not '{text}'"))
}

fn all_limits(text: &str) -> Option<Limits> {
    let numbers: Option<Vec<u64>> = text.split(',').map(limit).collect();
    let [array_length, tagged_field_count, memory_factor, memory_constant] = numbers?.try_into().ok()?;
    Some(Limits {
        array_length,
        tagged_field_count,
        memory_factor,
        memory_constant,
    })
}

/// Parse limits with their names; missing limits keep their defaults.
fn named_limits(text: &str) -> Option<Limits> {
    let mut limits = Limits::DEFAULT;
    for each in text.split(',') {
        let (name, number) = each.split_once('=')?;
        let named = match name.trim() {
            "array_length" => &mut limits.array_length,
            "tagged_field_count" => &mut limits.tagged_field_count,
            "memory_factor" => &mut limits.memory_factor,
            "memory_constant" => &mut limits.memory_constant,
            _ => return None,
        };
        *named = limit(number)?;
    }
    Some(limits)
}

/// Parse a limit from 0 to `i64::MAX`, Java's largest integer.
fn limit(text: &str) -> Option<u64> {
    let number: i64 = text.trim().parse().ok()?;
    number.try_into().ok()
}
