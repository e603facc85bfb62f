//! Values as messages: the options for them, and what decodes the column `value`.

use arrow_array::{Array, BinaryArray, Int16Array};
use arrow_buffer::NullBuffer;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Fields};
use messagegen_core::columns::{Decoder, Options, VersionArgument};
use messagegen_core::limits::Limits;
use messagegen_core::logs::{ERROR, Given, flag, one_of};
use messagegen_core::outcome::{Kind, fail};
use messagegen_core::plan::Plan;
use messagegen_core::{Error, Outcome};

use crate::door::defect;

/// The name of the column.
pub const MESSAGE: &str = "message";
/// The bytes of a version before a message.
pub const VERSION_BYTES: usize = 2;
/// Options that say how values are decoded.
const OPTIONS: [&str; 7] = [
    "plan",
    "version",
    "names",
    "uuid",
    "unknownTaggedFields",
    "includeSecrets",
    "limits",
];

/// How values are decoded.
pub struct Content {
    pub message: String,
    plan: String,
    /// `None`: each value begins with its version.
    pub version: Option<i64>,
    kafka_names: bool,
    uuid: &'static str,
    unknown_tagged_fields: bool,
    /// Whether there are secrets which are not to be shown.
    pub hides_secrets: bool,
    /// What one message may take.
    limits: Limits,
}

impl Content {
    /// Takes the options for values; `None` if values stay bytes.
    pub fn take(given: &mut Given) -> Outcome<Option<Self>> {
        if let Some(name) = OPTIONS.iter().find(|name| !given.has(MESSAGE) && given.has(name)) {
            return fail(
                Kind::Option,
                format!("option {name} needs message, such as message=OffsetCommitValue"),
            );
        }
        let message = given.take(MESSAGE, |text| Ok(text.to_owned()))?;
        let plan = given.take("plan", |text| {
            let plan = Plan::parse(text).map_err(|error| error.to_string())?;
            Ok((
                text.to_owned(),
                plan.structs.iter().any(|owner| !owner.sensitive.is_empty()),
            ))
        })?;
        let version = given.take("version", version_number)?;
        let snake_names = given.take("names", |text| one_of(text, ["kafka", "snake"]))?;
        let uuid_bytes = given.take("uuid", |text| one_of(text, ["string", "binary"]))?;
        let unknown_tagged_fields = given.take("unknownTaggedFields", flag)?;
        let include_secrets = given.take("includeSecrets", flag)?;
        let limits = given.take("limits", limits)?.unwrap_or(Limits::DEFAULT);
        let Some((message, (plan, has_secrets))) = message.zip(plan) else {
            return Ok(None);
        };
        Ok(Some(Content {
            message,
            plan,
            version,
            kafka_names: snake_names != Some(true),
            uuid: if uuid_bytes == Some(true) { "binary" } else { "string" },
            unknown_tagged_fields: unknown_tagged_fields == Some(true),
            hides_secrets: has_secrets && include_secrets != Some(true),
            limits,
        }))
    }

    /// The type of the column.
    pub fn data_type(&self) -> Outcome<DataType> {
        match self.decoder(None)?.decoder.schema() {
            DataType::Struct(fields) => Ok(DataType::Struct(without_error(&fields))),
            other => Ok(other),
        }
    }

    /// A decoder of these fields, paths of the names of columns; `None` for all.
    pub fn decoder(&self, fields: Option<&[String]>) -> Outcome<MessageDecoder> {
        let versions = self.version.map(|version| vec![version]);
        Ok(MessageDecoder {
            decoder: self.core_decoder(versions.as_deref(), fields)?,
            version: self.version,
        })
    }

    /// The decoder of the core, for some versions and fields; `None` for all.
    pub fn core_decoder(&self, versions: Option<&[i64]>, fields: Option<&[String]>) -> Outcome<Decoder> {
        let options = Options {
            versions,
            fields,
            include_secrets: !self.hides_secrets,
            names: if self.kafka_names { "kafka" } else { "attribute" },
            unknown_tagged_fields: self.unknown_tagged_fields,
            uuid_as: self.uuid,
            limits: self.limits,
        };
        let in_option = |error: Error| Error::value(format!("option message={}: {error}", self.message));
        Decoder::new(&self.plan, &options).map_err(in_option)
    }
}

/// The number in an option that is a version.
pub fn version_number(text: &str) -> Result<i64, String> {
    let parsed = text.parse::<i16>().ok().filter(|version| *version >= 0);
    parsed
        .map(i64::from)
        .ok_or_else(|| format!("expected a number from 0 to 32767, not '{text}'"))
}

/// The fields without that of errors.
pub fn without_error(fields: &Fields) -> Fields {
    fields.iter().filter(|field| field.name() != ERROR).cloned().collect()
}

/// Whole numbers with commas between them.
pub fn numbers(text: &str) -> Result<Vec<i64>, String> {
    let parsed: Result<Vec<i64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    parsed.map_err(|_| format!("expected numbers such as 0,1,2, not '{text}'"))
}

/// The limits in the order of [`Limits`].
fn limits(text: &str) -> Result<Limits, String> {
    let four: Option<[u64; 4]> = numbers(text).ok().and_then(|numbers| {
        let numbers: Result<Vec<u64>, _> = numbers.into_iter().map(u64::try_from).collect();
        numbers.ok()?.try_into().ok()
    });
    let [array_length, tagged_field_count, memory_factor, memory_constant] =
        four.ok_or_else(|| format!("expected four numbers, not '{text}'"))?;
    Ok(Limits {
        array_length,
        tagged_field_count,
        memory_factor,
        memory_constant,
    })
}

/// Decodes values.
pub struct MessageDecoder {
    decoder: Decoder,
    version: Option<i64>,
}

impl MessageDecoder {
    /// The messages of values, null where there is no value or an error, and the errors.
    pub fn decode(&self, values: &ArrayData) -> Outcome<(ArrayData, ArrayData)> {
        let decoded = match self.version {
            Some(version) => self.decoder.decode(values, &VersionArgument::One(version), 0)?,
            None => self
                .decoder
                .decode(values, &VersionArgument::Each(versions(values)), VERSION_BYTES)?,
        };
        let DataType::Struct(fields) = decoded.data_type() else {
            return Err(defect("no struct"));
        };
        let at = fields
            .iter()
            .position(|field| field.name() == ERROR)
            .ok_or_else(|| defect("no errors"))?;
        let mut children = decoded.child_data().to_vec();
        let errors = children.remove(at);
        let mut nulls = values.nulls().cloned();
        if errors.null_count() < errors.len() {
            let is_right: NullBuffer = (0..errors.len()).map(|row| errors.is_null(row)).collect();
            nulls = NullBuffer::union(nulls.as_ref(), Some(&is_right));
        }
        let message = ArrayData::builder(DataType::Struct(without_error(fields)))
            .len(decoded.len())
            .nulls(nulls);
        Ok((message.child_data(children).build().map_err(defect)?, errors))
    }
}

/// The int16 that each value begins with; null for a value that has none.
fn versions(values: &ArrayData) -> ArrayData {
    let version = |value: Option<&[u8]>| Some(i16::from_be_bytes(*value?.first_chunk()?));
    BinaryArray::from(values.clone())
        .iter()
        .map(version)
        .collect::<Int16Array>()
        .into_data()
}
