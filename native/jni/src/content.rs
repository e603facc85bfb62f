//! Values as messages: the column `value` becomes the column `message`.

use arrow_array::{Array, Int16Array};
use arrow_buffer::NullBuffer;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};
use messagegen_core::columns::{Decoder, Options, VersionArgument};
use messagegen_core::limits::Limits;
use messagegen_core::logs::{flag, one_of, without_table_properties};
use messagegen_core::plan::Plan;
use messagegen_core::{Error, Outcome};

/// The name of the column.
pub const MESSAGE: &str = "message";
/// The bytes of a version before a message.
const VERSION_BYTES: usize = 2;
/// The names of the options that are taken here.
pub const OPTIONS: [&str; 7] = ["message", "plan", "version", "names", "uuid", "unknownTaggedFields", "includeSecrets"];
const UNKNOWN_TAGS: &str = "unknown_tagged_fields";

/// Options that were removed, and what to do instead.
const INSTEAD: [(&str, &str); 5] = [
    ("fields", "select them, or name them in a schema: .schema(\"message STRUCT<offset: BIGINT>\")"),
    ("types", "read the log without it, and use decode_internal_topics"),
    ("versions", "use where(\"hex(substring(value, 1, 2)) = '0003'\") and decode_messages"),
    ("keyTypes", "use where(\"hex(substring(key, 1, 2)) = '0001'\")"),
    ("specs", "pass the plan of the message: option(\"plan\", Message.CODEC.plan)"),
];

/// How values are decoded.
#[derive(Clone)]
pub struct Content {
    plan: String,
    /// `None`: each value begins with its version.
    version: Option<i64>,
    kafka_names: bool,
    uuid: String,
    unknown_tagged_fields: bool,
    include_secrets: bool,
}

impl Content {
    /// Takes the options for values out of all options; `None` if values stay bytes. `Kind::Value` for one that is malformed.
    pub fn take(options: &mut Vec<(String, String)>) -> Outcome<Option<Self>> {
        *options = without_table_properties(options);
        if let Some((name, instead)) =
            INSTEAD.iter().find(|(name, _)| options.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)))
        {
            return Err(Error::value(format!("kafka-log has no option {name}: {instead}")));
        }
        let is_given = |name: &&str| options.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        if !is_given(&MESSAGE)
            && let Some(name) = OPTIONS.iter().find(|name| is_given(name))
        {
            return Err(Error::value(format!("option {name} needs message, such as message=OffsetCommitValue")));
        }
        let mut taken = |name: &str| {
            let at = options.iter().position(|(known, _)| known.eq_ignore_ascii_case(name))?;
            Some(options.remove(at).1)
        };
        let (message, plan) = (taken("message"), taken("plan"));
        let version = taken("version").map(|text| {
            let parsed = text.parse::<i16>().ok().filter(|version| *version >= 0);
            parsed
                .map(i64::from)
                .ok_or_else(|| Error::value(format!("option version: expected a number from 0 to 32767, not '{text}'")))
        });
        let kafka_names = !parsed("names", taken("names"), |text| one_of(text, ["kafka", "snake"]))?;
        let uuid_bytes = parsed("uuid", taken("uuid"), |text| one_of(text, ["string", "binary"]))?;
        let unknown_tagged_fields = parsed("unknownTaggedFields", taken("unknownTaggedFields"), flag)?;
        let include_secrets = parsed("includeSecrets", taken("includeSecrets"), flag)?;
        let (Some(message), Some(plan)) = (message, plan) else { return Ok(None) };
        let version = version.transpose()?;
        let uuid = if uuid_bytes { "binary" } else { "string" }.to_owned();
        let content = Content { plan, version, kafka_names, uuid, unknown_tagged_fields, include_secrets };
        content.decoder(None).map_err(|error| Error::value(format!("option message={message}: {}", error.text)))?;
        Ok(Some(content))
    }

    /// The type of the column.
    pub fn data_type(&self) -> Outcome<DataType> {
        let DataType::Struct(fields) = self.decoder(None)?.schema()? else { return Err(Error::value("no struct")) };
        Ok(DataType::Struct(without_error(&fields)))
    }

    /// Whether bytes of the message may be secret, and are not to be shown.
    pub fn hides_bytes(&self) -> Outcome<bool> {
        let plan = Plan::parse(&self.plan).map_err(|error| Error::value(error.to_string()))?;
        Ok(self.hides(&plan))
    }

    fn hides(&self, plan: &Plan) -> bool {
        !self.include_secrets && plan.structs.iter().any(|owner| !owner.sensitive.is_empty())
    }

    /// A decoder of these fields, paths of the names of columns; `None` for all.
    pub fn decoder(&self, fields: Option<&[String]>) -> Outcome<MessageDecoder> {
        let plan = Plan::parse(&self.plan).map_err(|error| Error::value(error.to_string()))?;
        let mut paths = match fields {
            Some(paths) => {
                Some(paths.iter().map(|path| self.attributes(&plan, path)).collect::<Outcome<Vec<String>>>()?)
            }
            None => None,
        };
        if self.hides(&plan) {
            let mut shown = Vec::new();
            self.push_shown(&plan, 0, "", &mut shown);
            paths = Some(match paths {
                Some(paths) => shown.into_iter().filter(|one| paths.iter().any(|path| holds(path, one))).collect(),
                None => shown,
            });
        }
        let versions = self.version.map(|version| vec![version]);
        let options = Options {
            versions: versions.as_deref(),
            fields: paths.as_deref(),
            names: if self.kafka_names { "kafka" } else { "attribute" },
            unknown_tagged_fields: self.unknown_tagged_fields,
            uuid_as: &self.uuid,
            limits: Limits::DEFAULT,
        };
        Ok(MessageDecoder { decoder: Decoder::new(&self.plan, &options)?, version: self.version })
    }

    /// A path of attributes, for one of the names of columns.
    fn attributes(&self, plan: &Plan, path: &str) -> Outcome<String> {
        let mut owner = plan.structs.first();
        let mut found: Vec<&str> = Vec::new();
        for part in path.split('.') {
            let is_unknown = part == UNKNOWN_TAGS || (self.kafka_names && part == "_unknownTaggedFields");
            let named = |name: &str, attribute: &str| part == if self.kafka_names { name } else { attribute };
            let field = owner.and_then(|owner| owner.fields.iter().find(|one| named(&one.name, &one.attribute)));
            match field {
                Some(field) => {
                    found.push(&field.attribute);
                    owner = plan.struct_of(&field.type_name).map(|number| &plan.structs[number]);
                }
                None if is_unknown => found.push(UNKNOWN_TAGS),
                None => return Err(Error::value(format!("unknown field {path:?} of {}", plan.name))),
            }
        }
        Ok(found.join("."))
    }

    /// The paths of the fields below a struct that are not secret.
    fn push_shown(&self, plan: &Plan, number: usize, outer: &str, shown: &mut Vec<String>) {
        let owner = &plan.structs[number];
        for field in &owner.fields {
            let path = format!("{outer}{}", field.attribute);
            match plan.struct_of(&field.type_name) {
                _ if owner.sensitive.contains(&field.attribute) => (),
                Some(inner) => self.push_shown(plan, inner, &format!("{path}."), shown),
                None => shown.push(path),
            }
        }
        if self.unknown_tagged_fields && owner.sensitive.is_empty() {
            shown.push(format!("{outer}{UNKNOWN_TAGS}"));
        }
    }
}

/// Whether a path is another one, or leads into or out of it.
fn holds(outer: &str, inner: &str) -> bool {
    let within = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    within(outer, inner) || within(inner, outer)
}

/// What an option says; false without it.
fn parsed(name: &str, given: Option<String>, parse: impl Fn(&str) -> Result<bool, String>) -> Outcome<bool> {
    given.map_or(Ok(false), |text| parse(&text)).map_err(|problem| Error::value(format!("option {name}: {problem}")))
}

fn without_error(fields: &Fields) -> Fields {
    fields.iter().filter(|field| field.name() != "_error").cloned().collect()
}

/// Decodes values.
pub struct MessageDecoder {
    decoder: Decoder,
    version: Option<i64>,
}

impl MessageDecoder {
    fn schema(&self) -> Outcome<DataType> {
        self.decoder.schema()
    }

    /// The messages of values, null where there is no value or an error, and the errors.
    pub fn decode(&self, values: &ArrayData) -> Outcome<(ArrayData, ArrayData)> {
        let decoded = match self.version {
            Some(version) => self.decoder.decode(values, &VersionArgument::One(version), 0)?,
            None => {
                let versions = VersionArgument::Each(versions(values)?);
                self.decoder.decode(values, &versions, VERSION_BYTES)?
            }
        };
        split(values, &decoded)
    }
}

/// The columns of messages and the errors.
fn split(values: &ArrayData, decoded: &ArrayData) -> Outcome<(ArrayData, ArrayData)> {
    let DataType::Struct(fields) = decoded.data_type() else { return Err(Error::value("no struct")) };
    let at = fields.iter().position(|field| field.name() == "_error").ok_or_else(|| Error::value("no errors"))?;
    let errors = &decoded.child_data()[at];
    let mut nulls = values.nulls().cloned();
    if errors.null_count() < errors.len() {
        let is_right: NullBuffer = (0..errors.len()).map(|row| errors.is_null(row)).collect();
        nulls = NullBuffer::union(nulls.as_ref(), Some(&is_right));
    }
    let children = decoded.child_data().iter().enumerate().filter(|(number, _)| *number != at);
    let mut message = ArrayData::builder(DataType::Struct(without_error(fields))).len(decoded.len()).nulls(nulls);
    for (_, child) in children {
        message = message.add_child_data(child.clone());
    }
    Ok((message.build().map_err(|error| Error::value(error.to_string()))?, errors.clone()))
}

/// The int16 that each value begins with; null for a value that has none.
fn versions(values: &ArrayData) -> Outcome<ArrayData> {
    let [offsets, bytes] = values.buffers() else { return Err(Error::wrong_type("values must be binary")) };
    let offsets: &[i32] = offsets.typed_data();
    let read = |row: usize| {
        let value = bytes.get(offsets[row] as usize..offsets[row + 1] as usize)?;
        value.first_chunk().map(|version| i16::from_be_bytes(*version))
    };
    Ok((0..values.len()).map(read).collect::<Int16Array>().into_data())
}

/// A column of the message, for a schema.
pub fn field(content: &Content) -> Outcome<Field> {
    Ok(Field::new(MESSAGE, content.data_type()?, true))
}
