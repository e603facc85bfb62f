//! The bytes of fields without a column: their defaults, written once and not for each row.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::defaults::{Defaults, FieldDefault};
use super::fault::{Cause, Outcome, Part, refuse};
use super::leaf::{NULL, write_bytes, write_int, write_length, write_null, write_string};
use super::source::{Source, is_nan};
use crate::plan::{Codec, NullMark, Plan};
use crate::wire::{insert_size, write_uvarint};

/// A default of more bytes would be none of anybody's.
const LARGEST: usize = 1 << 20;

/// The bytes of a default, or why it can't be written. `ValueError` for one that is beyond all measure.
pub fn constant<'a>(plan: &Plan, defaults: &Defaults, codec: Codec, default: &FieldDefault) -> PyResult<Source<'a>> {
    if plan.smallest(codec) > LARGEST {
        return Err(PyValueError::new_err("the plan has a default of more than 1 MiB"));
    }
    let mut out = Vec::new();
    match (Constant { plan, defaults, out: &mut out }).value(codec, default) {
        Ok(()) => Ok(Source::Constant(out)),
        Err(stop) => match stop.cause() {
            Cause::Row(reason, parts) => Ok(Source::Refused(reason.text, parts)),
            Cause::Batch(text) => Err(PyValueError::new_err(text)),
        },
    }
}

struct Constant<'a> {
    plan: &'a Plan,
    defaults: &'a Defaults,
    out: &'a mut Vec<u8>,
}

impl Constant<'_> {
    fn value(&mut self, codec: Codec, default: &FieldDefault) -> Outcome<()> {
        match (codec, default) {
            (Codec::Struct { null, .. }, FieldDefault::Null) => self.null_struct(null),
            (Codec::Struct { layout, null }, _) => {
                if null != NullMark::Never {
                    self.out.push(1);
                }
                self.structure(layout)
            }
            (_, FieldDefault::Null) => write_null(self.out, codec),
            (Codec::Array { length, .. }, _) => write_length(self.out, length, 0),
            (Codec::String(length), FieldDefault::Bytes(text)) => write_string(self.out, length, text),
            (Codec::Bytes { length, .. }, FieldDefault::Bytes(bytes)) => write_bytes(self.out, length, bytes),
            (Codec::Fixed(_), FieldDefault::Bytes(uuid)) => {
                self.out.extend_from_slice(uuid);
                Ok(())
            }
            (Codec::Fixed(_), FieldDefault::Float(value)) => {
                self.out.extend(value.to_be_bytes());
                Ok(())
            }
            (_, FieldDefault::Int(value)) => write_int(self.out, codec, *value),
            _ => refuse("the plan has a default of another type"),
        }
    }

    fn null_struct(&mut self, null: NullMark) -> Outcome<()> {
        match null {
            NullMark::Never => return refuse(NULL),
            NullMark::Int8 => self.out.push(0xFF),
            NullMark::Varint => self.out.push(0),
        }
        Ok(())
    }

    fn structure(&mut self, number: u32) -> Outcome<()> {
        let layout = &self.plan.layouts[number as usize];
        for (field, codec) in &layout.steps {
            let default = self.defaults.get(layout.struct_number, *field);
            let written = self.value(self.plan.codecs[*codec as usize], default);
            written.map_err(|stop| stop.within(Part::Field(number, *field)))?;
        }
        if !layout.flexible {
            return Ok(());
        }
        let is_written = |field: usize| is_nan(self.defaults.get(layout.struct_number, field));
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
