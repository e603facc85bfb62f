//! Which word of a row each field goes to, and what is in it. It follows from the columns that the same options make.

use messagegen_core::arrow::builder::{Columns, Values};
use messagegen_core::columns::{Decoder, Shape as ColumnShape, StructShape as ColumnStruct};
use messagegen_core::{Error, Outcome};

use crate::rows::words::{NULLS_OF_WORD, WORD, unmark, words_of_marks};

/// The type of a value in a row.
pub enum Shape {
    Leaf(LeafType),
    /// An array, with the type of its elements.
    List(Box<Shape>),
    Struct(Box<StructShape>),
}

/// The type of a value without parts.
#[derive(Clone, Copy)]
pub enum LeafType {
    Bool,
    /// An integer of some bytes.
    Int(usize),
    Float,
    Text,
    Bytes,
}

impl Shape {
    /// The bytes that an element of this type takes in an array.
    pub fn width(&self) -> usize {
        match self {
            Shape::Leaf(LeafType::Bool) => 1,
            Shape::Leaf(LeafType::Int(bytes)) => *bytes,
            _ => WORD,
        }
    }

    /// Whether its word says where the value is.
    fn is_elsewhere(&self) -> bool {
        !matches!(self, Shape::Leaf(LeafType::Bool | LeafType::Int(_) | LeafType::Float))
    }
}

/// The fields of a struct.
pub struct StructShape {
    /// By the number of the field; `None` for one that is not selected, or in none of the versions.
    pub fields: Vec<Option<FieldShape>>,
    /// The slot of the map of unknown tagged fields.
    pub unknown: Option<usize>,
    /// The words of a struct whose fields are all zero: marks, and a word for each field. The slots behind the fields
    /// are null.
    pub start: Vec<u64>,
    /// The number of words that mark nulls.
    pub marks: usize,
    /// The slots whose words say where the value is.
    pub elsewhere: Vec<usize>,
}

/// A field of a struct.
pub struct FieldShape {
    /// Its number among the fields of the row.
    pub slot: usize,
    pub shape: Shape,
}

impl StructShape {
    /// The struct of a message, with some slots more behind its fields.
    pub fn of_message(decoder: &Decoder, more: usize) -> Outcome<Self> {
        let ColumnShape::Struct(message) = &decoder.schema.message else {
            return Err(Error::value("the message is not a struct"));
        };
        Maker(&decoder.schema.columns).structure(message, more)
    }
}

/// The words of a struct of so many nulls: their marks, and a word for each.
pub fn nulls(slots: usize) -> Vec<u64> {
    let marks = words_of_marks(slots);
    let mut words = vec![u64::MAX; marks];
    if let Some(last) = words.last_mut()
        && !slots.is_multiple_of(NULLS_OF_WORD)
    {
        *last = (1 << (slots % NULLS_OF_WORD)) - 1;
    }
    words.resize(marks + slots, 0);
    words
}

/// The words of a struct of so many zeros, and some nulls behind them.
fn zeros(slots: usize, more: usize) -> Vec<u64> {
    let mut words = nulls(slots + more);
    for slot in 0..slots {
        unmark(&mut words, 0, slot);
    }
    words
}

struct Maker<'a>(&'a Columns);

impl Maker<'_> {
    fn structure(&self, shape: &ColumnStruct, more: usize) -> Outcome<StructShape> {
        let mut fields = Vec::new();
        let mut elsewhere = Vec::new();
        let mut slots = 0;
        for field in &shape.fields {
            let Some(column) = field else {
                fields.push(None);
                continue;
            };
            let field = FieldShape {
                slot: slots,
                shape: self.value(column)?,
            };
            if field.shape.is_elsewhere() {
                elsewhere.push(slots);
            }
            fields.push(Some(field));
            slots += 1;
        }
        let unknown = shape.unknown.map(|_| slots);
        elsewhere.extend(unknown);
        slots += usize::from(unknown.is_some());
        Ok(StructShape {
            fields,
            unknown,
            start: zeros(slots, more),
            marks: words_of_marks(slots + more),
            elsewhere,
        })
    }

    fn value(&self, shape: &ColumnShape) -> Outcome<Shape> {
        Ok(match shape {
            ColumnShape::Struct(shape) => Shape::Struct(Box::new(self.structure(shape, 0)?)),
            ColumnShape::List(list) => Shape::List(Box::new(self.value(&list.element)?)),
            ColumnShape::Leaf(column) => Shape::Leaf(leaf(self.0.values(*column))?),
        })
    }
}

fn leaf(values: &Values) -> Outcome<LeafType> {
    Ok(match values {
        Values::Bool(_) => LeafType::Bool,
        Values::Int8(_) => LeafType::Int(1),
        Values::Int16(_) => LeafType::Int(2),
        Values::Int32(_) => LeafType::Int(4),
        Values::Int64(_) | Values::Time(_) => LeafType::Int(8),
        Values::Float64(_) => LeafType::Float,
        Values::Text(_) => LeafType::Text,
        Values::Bytes(_) => LeafType::Bytes,
        Values::List(_) | Values::Map(_) | Values::Struct(..) => {
            return Err(Error::value("a column of structs or arrays is not a single value"));
        }
    })
}
