//! The bytes of fields without a column: their defaults, written once and not for each row.

use crate::columns::defaults::{Defaults, FieldDefault};
use crate::error::{Cause, MessageResult, Part, fail};
use crate::outcome::{Error, Outcome};
use crate::plan::{Codec, Plan};
use crate::wire::{
    insert_size, write_bytes, write_int, write_length, write_null_length, write_null_mark, write_string, write_uvarint,
};

/// The bytes of a default, or why it can't be written: the reason and the path.
pub type Constant = Result<Vec<u8>, (String, Vec<Part>)>;

/// A larger default is not one of a real message.
const MAX_SIZE: usize = 1 << 20;

/// Writes a default. `Kind::Value` for one of more than 1 MiB.
pub fn constant(plan: &Plan, defaults: &Defaults, codec: Codec, default: &FieldDefault) -> Outcome<Constant> {
    if plan.smallest(codec) > MAX_SIZE {
        return Err(Error::value("the plan has a default of more than 1 MiB"));
    }
    let mut out = Vec::new();
    match (Writer { plan, defaults, out: &mut out }).value(codec, default) {
        Ok(()) => Ok(Ok(out)),
        Err(error) => match error.cause() {
            Cause::Message(reason, parts) => Ok(Err((reason.text, parts))),
            Cause::Batch(text) => Err(Error::value(text)),
        },
    }
}

struct Writer<'a> {
    plan: &'a Plan,
    defaults: &'a Defaults,
    out: &'a mut Vec<u8>,
}

impl Writer<'_> {
    fn value(&mut self, codec: Codec, default: &FieldDefault) -> MessageResult<()> {
        match (codec, default) {
            (Codec::Struct { null, .. }, FieldDefault::Null) => write_null_mark(self.out, null, true)?,
            (Codec::Struct { layout, null }, _) => {
                write_null_mark(self.out, null, false)?;
                self.structure(layout)?;
            }
            (Codec::String(length), FieldDefault::Null) => write_null_length(self.out, length, 2)?,
            (Codec::Bytes { length, .. } | Codec::Array { length, .. }, FieldDefault::Null) => {
                write_null_length(self.out, length, 4)?;
            }
            (Codec::Array { length, .. }, _) => write_length(self.out, length, 0)?,
            (Codec::String(length), FieldDefault::Bytes(text)) => write_string(self.out, length, text)?,
            (Codec::Bytes { length, .. }, FieldDefault::Bytes(bytes)) => write_bytes(self.out, length, bytes)?,
            (Codec::Fixed(_), FieldDefault::Bytes(uuid)) => self.out.extend_from_slice(uuid),
            (Codec::Fixed(_), FieldDefault::Float(value)) => self.out.extend(value.to_be_bytes()),
            (_, FieldDefault::Int(value)) if write_int(self.out, codec, *value) => (),
            _ => return fail("the plan has a default that its codec can't carry"),
        }
        Ok(())
    }

    fn structure(&mut self, number: u32) -> MessageResult<()> {
        let layout = &self.plan.layouts[number as usize];
        for (field, codec) in &layout.steps {
            let default = self.defaults.get(layout.struct_number, *field);
            let written = self.value(self.plan.codecs[*codec as usize], default);
            written.map_err(|error| error.within(Part::Field(number, *field)))?;
        }
        if !layout.flexible {
            return Ok(());
        }
        let is_written = |field: usize| self.defaults.get(layout.struct_number, field).is_nan();
        let mut tagged: Vec<_> = layout.tagged.iter().filter(|tagged| is_written(tagged.field)).collect();
        tagged.sort_by_key(|tagged| tagged.tag);
        write_uvarint(self.out, tagged.len() as u64);
        for tagged in tagged {
            write_uvarint(self.out, u64::from(tagged.tag));
            let start = self.out.len();
            let default = self.defaults.get(layout.struct_number, tagged.field);
            self.value(self.plan.codecs[tagged.codec as usize], default)?;
            insert_size(self.out, start);
        }
        Ok(())
    }
}
