//! The shape of rows: the word and the type of each field.
//!
//! The decoder's columns define which fields exist. The struct that Spark requires defines their order.

use arrow_schema::{DataType, Field, Fields};
use messagegen_core::Outcome;
use messagegen_core::arrow::builder::{Columns, Values};
use messagegen_core::columns::{Decoder, Shape as ColumnShape, StructShape as ColumnStruct};
use messagegen_core::plan::Plan;

use crate::door::defect;
use crate::rows::words::{NULLS_OF_WORD, WORD, unmark, words_of_marks};

/// The type of a value in a row.
pub enum Shape {
    Leaf(LeafType),
    /// An array, with the type of its elements.
    List(Box<Shape>),
    Struct(Box<StructShape>),
}

/// The type of a single value.
#[derive(Clone, Copy)]
pub enum LeafType {
    Bool,
    /// An integer with this number of bytes.
    Int(usize),
    Float,
    Text,
    Bytes,
}

impl Shape {
    /// Return the size of an element of this type in an array, in bytes.
    pub fn width(&self) -> usize {
        match self {
            Shape::Leaf(LeafType::Bool) => 1,
            Shape::Leaf(LeafType::Int(bytes)) => *bytes,
            _ => WORD,
        }
    }

    /// Whether a value of this shape is outside its word, which then refers to the value.
    fn is_elsewhere(&self) -> bool {
        !matches!(self, Shape::Leaf(LeafType::Bool | LeafType::Int(_) | LeafType::Float))
    }
}

/// The fields of a struct.
pub struct StructShape {
    /// The fields by their numbers in the plan; `None` for a field without a slot.
    pub fields: Vec<Option<FieldShape>>,
    /// The slot of the map of unknown tagged fields.
    pub unknown: Option<usize>,
    /// The words of a struct whose fields are all zero: null marks, and a word for each field. The extra slots after
    /// the fields are null.
    pub start: Vec<u64>,
    /// The number of words that mark nulls.
    pub marks: usize,
    /// The slots whose words refer to a value, in ascending order.
    pub elsewhere: Vec<usize>,
    /// Whether the wire order of the fields may differ from the order of their slots, even for untagged fields.
    pub is_reordered: bool,
}

/// A field of a struct.
pub struct FieldShape {
    /// The slot's number in the row of the struct.
    pub slot: usize,
    pub shape: Shape,
}

impl StructShape {
    /// Return the shape of messages as structs of the `wanted` fields, followed by `more` extra slots.
    ///
    /// The decoder must have all fields of `wanted`, at any depth. Its other fields get no slots.
    pub fn of_message(decoder: &Decoder, wanted: &Fields, more: usize) -> Outcome<Self> {
        let (ColumnShape::Struct(message), DataType::Struct(has)) = (&decoder.schema.message, decoder.schema()) else {
            return Err(defect("the message is not a struct"));
        };
        let maker = Maker {
            columns: &decoder.schema.columns,
            is_reordered: is_reordered(&decoder.plan),
        };
        maker.structure(message, &has, wanted, more)
    }
}

/// Whether the wire order of any struct in the plan differs from its field order.
fn is_reordered(plan: &Plan) -> bool {
    let mut layouts = plan.layouts.iter();
    layouts.any(|layout| !layout.fields().map(|(field, _)| field).is_sorted())
}

/// Return the words of a struct with `slots` nulls: the null marks, and a word for each slot.
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

/// Return the words of a struct with `slots` zeros, followed by `more` nulls.
fn zeros(slots: usize, more: usize) -> Vec<u64> {
    let mut words = nulls(slots + more);
    for slot in 0..slots {
        unmark(&mut words, 0, slot);
    }
    words
}

struct Maker<'a> {
    columns: &'a Columns,
    /// Whether the wire order of any struct in the plan differs from its field order.
    is_reordered: bool,
}

impl Maker<'_> {
    /// Return the shape of a struct whose columns have the fields `has`.
    fn structure(&self, shape: &ColumnStruct, has: &Fields, wanted: &Fields, more: usize) -> Outcome<StructShape> {
        let mut has = has.iter();
        let mut next = || {
            has.next()
                .ok_or_else(|| defect("a struct has fewer fields than columns"))
        };
        let mut fields = Vec::with_capacity(shape.fields.len());
        for column in &shape.fields {
            fields.push(match column {
                Some(column) => self.field(column, next()?, wanted)?,
                None => None,
            });
        }
        let unknown = match shape.unknown {
            Some(_) => slot_of(wanted, next()?),
            None => None,
        };
        let made = || fields.iter().flatten();
        let is_in_order = made().map(|field| field.slot).chain(unknown).is_sorted();
        let referring = made().filter(|field| field.shape.is_elsewhere());
        let mut elsewhere: Vec<usize> = referring.map(|field| field.slot).chain(unknown).collect();
        elsewhere.sort_unstable();
        Ok(StructShape {
            fields,
            unknown,
            start: zeros(wanted.len(), more),
            marks: words_of_marks(wanted.len() + more),
            elsewhere,
            is_reordered: self.is_reordered || !is_in_order,
        })
    }

    /// Return the shape of a field; `None` if it is not wanted.
    fn field(&self, column: &ColumnShape, has: &Field, wanted: &Fields) -> Outcome<Option<FieldShape>> {
        let Some(slot) = slot_of(wanted, has) else {
            return Ok(None);
        };
        let shape = self.value(column, has.data_type(), wanted[slot].data_type())?;
        Ok(Some(FieldShape { slot, shape }))
    }

    fn value(&self, column: &ColumnShape, has: &DataType, wanted: &DataType) -> Outcome<Shape> {
        Ok(match (column, has, wanted) {
            (ColumnShape::Struct(shape), DataType::Struct(has), DataType::Struct(wanted)) => {
                Shape::Struct(Box::new(self.structure(shape, has, wanted, 0)?))
            }
            (ColumnShape::List(list), DataType::List(has), DataType::List(wanted)) => {
                let element = self.value(&list.element, has.data_type(), wanted.data_type())?;
                Shape::List(Box::new(element))
            }
            (ColumnShape::Leaf(column), ..) => Shape::Leaf(leaf(self.columns.values(*column))?),
            _ => return Err(defect(format!("a field has the type {has}, not {wanted}"))),
        })
    }
}

/// Return the position of a field in `wanted`, which is also its slot.
fn slot_of(wanted: &Fields, field: &Field) -> Option<usize> {
    wanted.iter().position(|each| each.name() == field.name())
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
            return Err(defect("a column of structs or arrays is not a single value"));
        }
    })
}
