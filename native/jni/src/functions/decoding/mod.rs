//! Messages as rows, one call for each.

mod native;
mod shape;
mod sink;

use arrow_schema::{DataType, Field};
use messagegen_core::columns::Decoder;
use messagegen_core::error::{Cause, path};
use messagegen_core::logs::{ERROR, Given, Mode, RAW, listed, mode};
use messagegen_core::outcome::{Kind, fail};
use messagegen_core::plan::Plan;
use messagegen_core::walk::Walk;
use messagegen_core::wire::Cursor;
use messagegen_core::{Error, Outcome};

use self::shape::{StructShape, nulls};
use self::sink::RowSink;
use super::ADVICE;
use crate::content::{Content, VERSION_BYTES, numbers, without_error};
use crate::door::defect;
use crate::reader::REDACTED;
use crate::rows::{WORD, put_bytes, unmark};
use crate::spark_types::fields_json;

/// The fields of `_error`: message, path and offset.
const ERROR_FIELDS: usize = 3;
/// `_error` and `_raw`, behind the fields of the message.
const FIELDS_OF_ERRORS: usize = 2;
/// The word at which a row begins, behind its number of bytes.
const ROW: usize = 1;

/// Decodes messages to rows.
pub struct Function {
    content: Content,
    decoder: Decoder,
    mode: Mode,
    shape: StructShape,
    /// Whether the plan has fields in another order on the wire than in rows.
    is_reordered: bool,
}

/// Why a value is no message.
struct Refusal {
    reason: String,
    path: String,
    offset: usize,
}

impl Function {
    /// A function for a message and its plan, as options say it. Fails for unknown ones.
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
            (None, version) => version.map(|version| vec![version]),
        };
        let decoder = content.core_decoder(versions.as_deref(), fields.as_deref())?;
        let more = if mode == Mode::Permissive { FIELDS_OF_ERRORS } else { 0 };
        Ok(Function {
            shape: StructShape::of_message(&decoder, more)?,
            is_reordered: is_reordered(&decoder.plan),
            content,
            decoder,
            mode,
        })
    }

    /// The type of its results, as Spark's JSON.
    pub fn result_type(&self) -> Outcome<String> {
        let DataType::Struct(all) = self.decoder.schema() else {
            return Err(defect("no struct"));
        };
        let mut fields: Vec<Field> = without_error(&all).iter().map(|field| (**field).clone()).collect();
        if self.mode == Mode::Permissive {
            fields.extend(
                all.iter()
                    .filter(|field| field.name() == ERROR)
                    .map(|field| (**field).clone()),
            );
            fields.push(Field::new(RAW, DataType::Binary, true));
        }
        let json = fields_json(&fields.into());
        Ok(json
            .ok_or_else(|| Error::value("a column has a type that Spark does not have"))?
            .to_string())
    }

    /// Puts the number of bytes of a row, and the row of the message that a value has behind its first `skip` bytes;
    /// nothing for null.
    pub fn row(&self, words: &mut Vec<u64>, version: Option<i64>, value: &[u8], skip: usize) -> Outcome<()> {
        words.clear();
        words.push(0);
        let message = value.get(skip..).unwrap_or_default();
        if let Err(refusal) = self.message(words, version, message)? {
            words.truncate(ROW);
            match self.mode {
                Mode::Permissive => self.refused(words, &refusal, value),
                Mode::FailFast => return fail(Kind::Malformed, self.text(&refusal, version)),
                Mode::DropMalformed => {
                    words.clear();
                    return Ok(());
                }
            }
        }
        let bytes = WORD * (words.len() - ROW);
        i32::try_from(bytes).map_err(|_| Error::value("a row of Spark holds at most 2 GiB"))?;
        words[0] = bytes as u64;
        Ok(())
    }

    fn message(&self, words: &mut Vec<u64>, version: Option<i64>, value: &[u8]) -> Outcome<Result<(), Refusal>> {
        let decoder = &self.decoder;
        let Some(layout) = version.and_then(|version| decoder.layouts.get(version.into())) else {
            let reason = decoder.layouts.unexpected(version.map(i128::from));
            return Ok(Err(Refusal::new(reason, 0)));
        };
        let Ok(cursor) = Cursor::new(value, 0) else {
            return Err(defect("no bytes"));
        };
        let mut walk = Walk::new(&decoder.plan, decoder.limits, cursor);
        let mut sink = RowSink::new(&decoder.plan, &decoder.defaults, self.is_reordered, words);
        if let Err(error) = sink.message(&mut walk, &self.shape, layout) {
            return match error.cause() {
                Cause::Message(reason, parts) => Ok(Err(Refusal {
                    reason: reason.text,
                    path: path(&decoder.plan, &parts),
                    offset: walk.start,
                })),
                Cause::Other(error) => Err(Error::value(error.to_string())),
            };
        }
        match walk.cursor.left() {
            0 => Ok(Ok(())),
            left => {
                let reason = format!("extra bytes after the message: {left}");
                Ok(Err(Refusal::new(reason, walk.cursor.at())))
            }
        }
    }

    /// Puts a row of nulls, with the error and the bytes.
    #[cold]
    fn refused(&self, words: &mut Vec<u64>, refusal: &Refusal, value: &[u8]) {
        let slots = self.shape.start.len() - self.shape.marks;
        words.extend(nulls(slots));
        let raw = self.shape.start.len() - 1;
        let error = words.len();
        words.extend(nulls(ERROR_FIELDS));
        // None of its fields is null.
        words[error] = 0;
        for (number, text) in [&refusal.reason, &refusal.path].into_iter().enumerate() {
            words[error + 1 + number] = put(text.as_bytes(), error, words);
        }
        words[error + ERROR_FIELDS] = refusal.offset as u64;
        let bytes = WORD * (words.len() - error);
        self.set(words, raw - 1, sink::word_of_place(error - ROW, bytes));
        let shown = if self.content.hides_secrets() { REDACTED } else { value };
        let word = put(shown, ROW, words);
        self.set(words, raw, word);
    }

    /// Sets the word of the row at a place; it is null so far.
    fn set(&self, words: &mut [u64], place: usize, word: u64) {
        let slot = place - self.shape.marks;
        words[ROW + place] = word;
        unmark(words, ROW, slot);
    }

    #[cold]
    fn text(&self, refusal: &Refusal, version: Option<i64>) -> String {
        let message = &self.content.message;
        let subject = if refusal.path.is_empty() {
            message
        } else {
            &refusal.path
        };
        let place = version.map_or_else(String::new, |version| format!(" version {version}"));
        let Refusal { reason, offset, .. } = refusal;
        format!("{subject}: {reason} ({message}{place}, byte {offset}); {ADVICE}")
    }
}

impl Refusal {
    /// Of a message as a whole.
    fn new(reason: String, offset: usize) -> Self {
        Refusal {
            reason,
            path: String::new(),
            offset,
        }
    }
}

fn not_among(version: i64, versions: &[i64]) -> String {
    let versions: Vec<String> = versions.iter().map(i64::to_string).collect();
    format!("option version: {version} is not among versions {}", versions.join(","))
}

/// Puts bytes, and gives the word for them in what begins at `holder`.
fn put(bytes: &[u8], holder: usize, words: &mut Vec<u64>) -> u64 {
    let word = sink::word_of_place(words.len() - holder, bytes.len());
    put_bytes(bytes, words);
    word
}

/// The version that a value begins with; none for a value that is too short.
pub fn version_of(value: &[u8]) -> Option<i64> {
    let version = value.first_chunk::<VERSION_BYTES>()?;
    Some(i16::from_be_bytes(*version).into())
}

fn is_reordered(plan: &Plan) -> bool {
    let numbers = |number: usize| plan.layouts[number].fields().map(|(field, _)| field);
    (0..plan.layouts.len()).any(|number| !numbers(number).is_sorted())
}
