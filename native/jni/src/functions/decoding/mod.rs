//! Decodes messages to rows, in one call for each message.

mod native;

use arrow_schema::{DataType, Field};
use messagegen_core::logs::{ERROR, Given, Mode, RAW, listed, mode};
use messagegen_core::outcome::{Kind, fail};
use messagegen_core::{Error, Outcome};

use super::ADVICE;
use crate::content::{Content, REDACTED, fields_of_messages, numbers};
use crate::door::defect;
use crate::rows::{FIELDS_OF_ERRORS, Refusal, RowDecoder, bytes_of_row};
use crate::spark_types::fields_json;

const WITHOUT_VERSION: &str = "without a version, each value begins with its version; ";

/// Decodes messages to rows.
pub struct Function {
    content: Content,
    rows: RowDecoder,
    mode: Mode,
}

impl Function {
    /// Create a function from the name of a message, its plan and the options. Fails for unknown options.
    pub fn new(message: String, plan: &str, mut given: Given) -> Outcome<Self> {
        let content = Content::of_function(message, plan, &mut given)?;
        let mode = given.take("mode", mode)?.unwrap_or(Mode::FailFast);
        let fields = given.take("fields", listed)?;
        let versions = given.take("versions", numbers)?;
        given.finish("functions have")?;
        let versions = match (versions, content.version()) {
            (Some(versions), Some(version)) if !versions.contains(&version) => {
                return fail(Kind::Option, not_among(version, &versions));
            }
            (Some(versions), _) => Some(versions),
            (None, _) => content.versions(),
        };
        let decoder = content.decoder(versions.as_deref(), fields.as_deref())?;
        let wanted = fields_of_messages(&decoder)?;
        let more = if mode == Mode::Permissive { FIELDS_OF_ERRORS } else { 0 };
        Ok(Function {
            content,
            rows: RowDecoder::new(decoder, &wanted, more)?,
            mode,
        })
    }

    /// Return the type of the results, as Spark's JSON.
    pub fn result_type(&self) -> Outcome<String> {
        let DataType::Struct(all) = self.rows.decoder.schema() else {
            return Err(defect("the message is not a struct"));
        };
        // The error field is the last one.
        let mut fields: Vec<Field> = all.iter().map(|field| field.as_ref().clone()).collect();
        if self.mode == Mode::Permissive {
            fields.push(Field::new(RAW, DataType::Binary, true));
        } else {
            fields.retain(|field| field.name() != ERROR);
        }
        let json = fields_json(&fields.into());
        Ok(json
            .ok_or_else(|| Error::value("a column has a type that Spark does not have"))?
            .to_string())
    }

    /// Decode the message after the first `skip` bytes of `value`. Replace the content of `words` by the size of its
    /// row in bytes and the row, or by nothing if the result is null.
    pub fn row(&self, words: &mut Vec<u64>, version: Option<i64>, value: &[u8], skip: usize) -> Outcome<()> {
        words.clear();
        words.push(0);
        let message = value.get(skip..).unwrap_or_default();
        if let Err(refusal) = self.rows.put(words, version, message)? {
            match self.mode {
                Mode::Permissive => {
                    let shown = if self.content.hides_secrets() { REDACTED } else { value };
                    self.rows.put_refusal(words, &refusal, shown);
                }
                Mode::FailFast => return fail(Kind::Malformed, self.text(&refusal, version, skip > 0)),
                Mode::DropMalformed => {
                    words.clear();
                    return Ok(());
                }
            }
        }
        words[0] = bytes_of_row(&words[1..])? as u64;
        Ok(())
    }

    #[cold]
    fn text(&self, refusal: &Refusal, version: Option<i64>, reads_version: bool) -> String {
        let message = &self.content.message;
        let subject = if refusal.path.is_empty() {
            message
        } else {
            &refusal.path
        };
        let place = version.map_or_else(String::new, |version| format!(" version {version}"));
        let Refusal { reason, offset, .. } = refusal;
        let about_version = if reads_version { WITHOUT_VERSION } else { "" };
        format!("{subject}: {reason} ({message}{place}, byte {offset}); {about_version}{ADVICE}")
    }
}

fn not_among(version: i64, versions: &[i64]) -> String {
    let versions: Vec<String> = versions.iter().map(i64::to_string).collect();
    format!("option version: {version} is not among versions {}", versions.join(","))
}
