//! One message into a row of Spark. Each value is written once, where it stays, which takes a fraction of the time that
//! columns take for a single message.
//!
//! The row is the one that [`crate::rows`] makes of columns, byte for byte: Spark compares rows by their bytes.

use messagegen_core::arrow::uuid_text;
use messagegen_core::columns::{Defaults, FieldDefault};
use messagegen_core::error::MessageResult;
use messagegen_core::plan::{Codec, Kind, Layout, Member, Plan};
use messagegen_core::walk::{Leaf, Sink, Skip, Walk};
use messagegen_core::wire::{chunk, fixed_int, text_bytes};

use super::shape::{LeafType, Shape, StructShape};
use crate::rows::{NULLS_OF_WORD, WORD, put_bytes};

/// The word of a tagged field that was not sent so far; its mark says null too, so no value has both.
const NOT_SENT: u64 = u64::MAX;

/// Appends values to the words of a row.
pub struct RowSink<'a, 'w> {
    plan: &'a Plan,
    defaults: &'a Defaults,
    words: &'w mut Vec<u64>,
    /// Whether fields may come in another order than that of the row, even without tags.
    is_reordered: bool,
}

/// Where a value goes.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    shape: &'a Shape,
    /// The word at which the struct or array begins that holds the value.
    holder: usize,
}

/// A struct some of whose fields were read.
pub struct OpenStruct<'a, 'data> {
    shape: &'a StructShape,
    /// The word at which it begins.
    start: usize,
    holder: usize,
    unknown: Vec<(u32, &'data [u8])>,
}

/// An array some of whose elements were read.
pub struct OpenArray {
    /// The word at which it begins.
    start: usize,
    /// The word at which its elements begin.
    values: usize,
    /// The bytes of an element.
    width: usize,
    /// The number of elements so far.
    count: usize,
}

impl<'a, 'w> RowSink<'a, 'w> {
    /// Appends to words; values follow the defaults and the layouts of a plan.
    pub fn new(plan: &'a Plan, defaults: &'a Defaults, is_reordered: bool, words: &'w mut Vec<u64>) -> Self {
        RowSink {
            plan,
            defaults,
            words,
            is_reordered,
        }
    }

    /// Reads a message to a row that begins with the next word.
    pub fn message<'data>(
        &mut self,
        walk: &mut Walk<'a, 'data>,
        shape: &'a StructShape,
        layout: u32,
    ) -> MessageResult<()> {
        let begin = walk.cursor.at();
        let described = &self.plan.layouts[layout as usize];
        let mut row = self.open_struct(shape, self.words.len(), described);
        walk.fields(self, &mut row, layout, described)?;
        self.end_struct(row, described)?;
        walk.end_message(begin)
    }
}

impl<'a, 'data> Sink<'a, 'data> for RowSink<'a, '_> {
    /// `None` for a value that is not selected.
    type Place = Option<Place<'a>>;
    /// The word of the value; `None` for null.
    type Value = Option<u64>;
    type Fields = OpenStruct<'a, 'data>;
    type Items = OpenArray;

    #[inline(always)]
    fn value(&mut self, walk: &mut Walk<'a, 'data>, place: Self::Place, codec: Codec) -> MessageResult<Option<u64>> {
        if place.is_some() {
            return walk.value(self, place, codec);
        }
        walk.value(&mut Skip::checked(), (), codec)?;
        Ok(None)
    }

    #[inline(always)]
    fn leaf(&mut self, place: Self::Place, leaf: Leaf<'data>) -> MessageResult<Option<u64>> {
        let Some(Place { shape, holder }) = place else {
            return Ok(None);
        };
        Ok(match (leaf, shape) {
            (Leaf::Null, _) => None,
            (Leaf::Fixed(kind, bytes), Shape::Leaf(leaf)) => Some(self.fixed(*leaf, kind, bytes, holder)),
            (Leaf::Int(value), Shape::Leaf(leaf)) => Some(int_word(*leaf, value)),
            (Leaf::String(text), _) => Some(self.bytes(text_bytes(text)?, holder)),
            (Leaf::Bytes(bytes), _) => Some(self.bytes(bytes, holder)),
            (Leaf::FixedArray { kind, count, bytes }, Shape::List(element)) => {
                Some(self.fixed_array(element, kind, count, bytes, holder))
            }
            _ => unreachable!("the shape is that of another value"),
        })
    }

    #[inline(always)]
    fn begin_array(&mut self, place: Self::Place, count: usize) -> MessageResult<OpenArray> {
        let Some(Place {
            shape: Shape::List(element),
            ..
        }) = place
        else {
            unreachable!("not the shape of an array")
        };
        Ok(self.open_array(element.width(), count))
    }

    #[inline(always)]
    fn place_of_elements(&self, place: Self::Place, items: &OpenArray) -> Self::Place {
        match place {
            Some(Place {
                shape: Shape::List(element),
                ..
            }) => Some(Place {
                shape: element,
                holder: items.start,
            }),
            _ => None,
        }
    }

    #[inline(always)]
    fn push(&mut self, items: &mut OpenArray, value: Option<u64>) {
        match value {
            Some(word) => {
                let at = items.width * items.count;
                self.words[items.values + at / WORD] |= word << (8 * (at % WORD));
            }
            None => {
                let mark = items.start + 1 + items.count / NULLS_OF_WORD;
                self.words[mark] |= 1 << (items.count % NULLS_OF_WORD);
            }
        }
        items.count += 1;
    }

    #[inline(always)]
    fn end_array(&mut self, place: Self::Place, items: OpenArray, _: usize) -> MessageResult<Option<u64>> {
        Ok(place.map(|place| self.reference(items.start, place.holder)))
    }

    #[inline(always)]
    fn begin_struct(&mut self, place: Self::Place, layout: &'a Layout) -> MessageResult<OpenStruct<'a, 'data>> {
        let Some(Place {
            shape: Shape::Struct(shape),
            holder,
        }) = place
        else {
            unreachable!("not the shape of a struct")
        };
        Ok(self.open_struct(shape, holder, layout))
    }

    #[inline(always)]
    fn place_of_field(&self, fields: &OpenStruct<'a, 'data>, field: usize) -> Self::Place {
        fields.shape.fields[field].as_ref().map(|described| Place {
            shape: &described.shape,
            holder: fields.start,
        })
    }

    #[inline(always)]
    fn run(
        &mut self,
        fields: &mut OpenStruct<'a, 'data>,
        members: &'a [Member],
        bytes: &'data [u8],
        _: usize,
    ) -> MessageResult<()> {
        for member in members {
            if let Some(field) = &fields.shape.fields[member.field]
                && let Shape::Leaf(leaf) = &field.shape
            {
                let word = self.fixed(*leaf, member.kind, &bytes[member.at..], fields.start);
                self.set_slot(fields, field.slot, Some(word));
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn set(&mut self, fields: &mut OpenStruct<'a, 'data>, field: usize, value: Option<u64>) {
        if let Some(field) = &fields.shape.fields[field] {
            self.set_slot(fields, field.slot, value);
        }
    }

    fn unknown_tag(&mut self, fields: &mut OpenStruct<'a, 'data>, tag: u32, data: &'data [u8]) -> MessageResult<()> {
        if fields.shape.unknown.is_some() {
            fields.unknown.push((tag, data));
        }
        Ok(())
    }

    #[inline(always)]
    fn end_struct(&mut self, fields: OpenStruct<'a, 'data>, layout: &'a Layout) -> MessageResult<Option<u64>> {
        if layout.flexible {
            self.missing_tagged_fields(&fields, layout);
            self.unknown_tagged_fields(&fields);
        }
        if self.is_reordered || !layout.tagged.is_empty() {
            self.restore_order(&fields);
        }
        Ok(Some(self.reference(fields.start, fields.holder)))
    }
}

impl<'a> RowSink<'a, '_> {
    /// Begins a struct of nulls.
    #[inline(always)]
    fn open_struct<'data>(&mut self, shape: &'a StructShape, holder: usize, layout: &Layout) -> OpenStruct<'a, 'data> {
        let start = self.words.len();
        self.words.extend_from_slice(&shape.nulls);
        for tagged in &layout.tagged {
            if let Some(field) = &shape.fields[tagged.field] {
                self.words[start + shape.marks + field.slot] = NOT_SENT;
            }
        }
        OpenStruct {
            shape,
            start,
            holder,
            unknown: Vec::new(),
        }
    }

    /// Sets the value of a slot that is null so far.
    #[inline(always)]
    fn set_slot(&mut self, fields: &OpenStruct<'_, '_>, slot: usize, value: Option<u64>) {
        let place = fields.start + fields.shape.marks + slot;
        match value {
            Some(word) => {
                self.words[place] = word;
                self.words[fields.start + slot / NULLS_OF_WORD] &= !(1 << (slot % NULLS_OF_WORD));
            }
            None => self.words[place] = 0,
        }
    }

    /// Begins an array of zeros.
    #[inline(always)]
    fn open_array(&mut self, width: usize, count: usize) -> OpenArray {
        let start = self.words.len();
        let values = start + 1 + count.div_ceil(NULLS_OF_WORD);
        self.words.resize(values + (width * count).div_ceil(WORD), 0);
        self.words[start] = count as u64;
        OpenArray {
            start,
            values,
            width,
            count: 0,
        }
    }

    /// The word that refers to what begins at one word and ends here, from what begins at another one.
    #[inline(always)]
    fn reference(&self, start: usize, holder: usize) -> u64 {
        word_of_place(start - holder, WORD * (self.words.len() - start))
    }

    /// Puts a text or bytes.
    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8], holder: usize) -> u64 {
        let start = self.words.len();
        put_bytes(bytes, self.words);
        word_of_place(start - holder, bytes.len())
    }

    fn uuid(&mut self, leaf: LeafType, uuid: [u8; uuid_text::SIZE], holder: usize) -> u64 {
        match leaf {
            LeafType::Text => self.bytes(&uuid_text::write(uuid), holder),
            _ => self.bytes(&uuid, holder),
        }
    }

    /// The word of the value of constant size at the start of the bytes.
    #[inline(always)]
    fn fixed(&mut self, leaf: LeafType, kind: Kind, bytes: &[u8], holder: usize) -> u64 {
        match kind {
            Kind::Int32 => int_word(leaf, i64::from(i32::from_be_bytes(chunk(bytes, 0)))),
            Kind::Int64 => int_word(leaf, i64::from_be_bytes(chunk(bytes, 0))),
            Kind::Float64 => u64::from_be_bytes(chunk(bytes, 0)),
            Kind::Uuid => self.uuid(leaf, chunk(bytes, 0), holder),
            _ => int_word(leaf, fixed_int(kind, bytes, 0)),
        }
    }

    /// Puts an array of values of constant size.
    fn fixed_array(&mut self, element: &'a Shape, kind: Kind, count: usize, bytes: &[u8], holder: usize) -> u64 {
        let Shape::Leaf(leaf) = element else {
            unreachable!("not the shape of a single value")
        };
        let mut items = self.open_array(element.width(), count);
        for value in bytes.chunks_exact(kind.size()) {
            let word = self.fixed(*leaf, kind, value, items.start);
            self.push(&mut items, Some(word));
        }
        self.reference(items.start, holder)
    }

    /// Sets tagged fields that were not sent to their defaults.
    #[inline(always)]
    fn missing_tagged_fields(&mut self, fields: &OpenStruct<'a, '_>, layout: &'a Layout) {
        for tagged in &layout.tagged {
            let Some(field) = &fields.shape.fields[tagged.field] else {
                continue;
            };
            let place = fields.start + fields.shape.marks + field.slot;
            let mark = self.words[fields.start + field.slot / NULLS_OF_WORD] >> (field.slot % NULLS_OF_WORD) & 1;
            if mark == 1 && self.words[place] == NOT_SENT {
                let value = Place {
                    shape: &field.shape,
                    holder: fields.start,
                };
                let default = self.default(layout.struct_number, tagged.field, tagged.codec, value);
                self.set_slot(fields, field.slot, default);
            }
        }
    }

    /// Puts the map of unknown tagged fields: the lengths of its keys, and arrays of keys and values.
    fn unknown_tagged_fields(&mut self, fields: &OpenStruct<'a, '_>) {
        let Some(slot) = fields.shape.unknown else { return };
        let start = self.words.len();
        self.words.push(0);
        let count = fields.unknown.len();
        let mut tags = self.open_array(size_of::<u32>(), count);
        for (tag, _) in &fields.unknown {
            self.push(&mut tags, Some(u64::from(*tag)));
        }
        self.words[start] = (WORD * (self.words.len() - tags.start)) as u64;
        let mut values = self.open_array(WORD, count);
        for (_, data) in &fields.unknown {
            let word = self.bytes(data, values.start);
            self.push(&mut values, Some(word));
        }
        let word = self.reference(start, fields.start);
        self.set_slot(fields, slot, Some(word));
    }

    /// The default of a field, given by struct and number, that was not sent.
    fn default(&mut self, owner: usize, field: usize, codec: Codec, place: Place<'a>) -> Option<u64> {
        let Place { shape, holder } = place;
        match (self.defaults.get(owner, field), codec, shape) {
            (FieldDefault::Int(value), _, Shape::Leaf(leaf)) => Some(int_word(*leaf, *value)),
            (FieldDefault::Float(value), ..) => Some(value.to_bits()),
            (FieldDefault::Uuid(value), _, Shape::Leaf(leaf)) => Some(self.uuid(*leaf, *value, holder)),
            (FieldDefault::Bytes(value), ..) => Some(self.bytes(value, holder)),
            (FieldDefault::Empty, Codec::FixedArray { .. } | Codec::Array { .. }, _) => {
                let items = self.open_array(WORD, 0);
                Some(self.reference(items.start, holder))
            }
            (FieldDefault::Empty, Codec::Struct { layout, .. }, Shape::Struct(shape)) => {
                Some(self.default_struct(layout, shape, holder))
            }
            _ => None,
        }
    }

    fn default_struct(&mut self, number: u32, shape: &'a StructShape, holder: usize) -> u64 {
        let layout = &self.plan.layouts[number as usize];
        let fields = self.open_struct(shape, holder, layout);
        for (field, codec) in layout.fields().chain(layout.tagged()) {
            if let Some(described) = &shape.fields[field] {
                let place = Place {
                    shape: &described.shape,
                    holder: fields.start,
                };
                let value = self.default(layout.struct_number, field, codec, place);
                self.set_slot(&fields, described.slot, value);
            }
        }
        if layout.flexible {
            self.unknown_tagged_fields(&fields);
        }
        self.restore_order(&fields);
        self.reference(fields.start, holder)
    }

    /// Moves what the slots refer to into the order of the slots: tagged fields come last, by their tags.
    fn restore_order(&mut self, fields: &OpenStruct<'a, '_>) {
        let OpenStruct { shape, start, .. } = *fields;
        let words = start + shape.marks;
        let places = || shape.elsewhere.iter().map(|slot| words + slot);
        // Nulls have zeros, and so seem to begin before everything else.
        let set: Vec<usize> = places().filter(|place| self.words[*place] != 0).collect();
        if set.is_sorted_by_key(|place| self.words[*place] >> 32) {
            return;
        }
        let first = start + shape.nulls.len();
        let moved = self.words.split_off(first);
        for place in set {
            let word = self.words[place];
            let from = (word >> 32) as usize / WORD + start - first;
            let size = (word as u32) as usize;
            let to = self.words.len() - start;
            self.words[place] = word_of_place(to, size);
            self.words.extend_from_slice(&moved[from..from + size.div_ceil(WORD)]);
        }
    }
}

/// The word of an integer, or of a boolean as 0 or 1: bytes that its type does not have are zero.
#[inline(always)]
fn int_word(leaf: LeafType, value: i64) -> u64 {
    let word = value.cast_unsigned();
    match leaf {
        LeafType::Int(4) => word & 0xFFFF_FFFF,
        LeafType::Int(2) => word & 0xFFFF,
        LeafType::Int(1) => word & 0xFF,
        LeafType::Bool => u64::from(value != 0),
        _ => word,
    }
}

/// The word that says where a value is, in words from the start of its holder, and how many bytes it has.
#[inline(always)]
pub fn word_of_place(words: usize, bytes: usize) -> u64 {
    ((WORD * words) as u64) << 32 | bytes as u64
}
