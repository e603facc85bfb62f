//! The structs of a row: null marks, a word for each field, and then the values that the words refer to.
//!
//! A new struct marks two kinds of fields as null: fields that its layout lacks, and tagged fields until they arrive.
//! No other field is marked in advance, because clearing a mark takes as long as setting a field.

use messagegen_core::columns::{Defaults, FieldDefault};
use messagegen_core::plan::{Codec, Layout, Plan};

use super::super::shape::{Shape, StructShape};
use super::values::{RowWords, int_word, word_of_place};
use crate::rows::words::{WORD, is_marked, mark_null, unmark};

/// The word of a tagged field that has not arrived. Its null mark is also set, and no value has both.
const NOT_SENT: u64 = u64::MAX;

/// Appends values to the words of a row.
pub struct RowSink<'a, 'w> {
    pub plan: &'a Plan,
    pub row: RowWords<'w>,
    defaults: &'a Defaults,
}

/// The shape and the holder of the next value.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub shape: &'a Shape,
    /// The index of the first word of the struct or array that holds the value.
    pub holder: usize,
}

/// A struct that is being decoded.
pub struct OpenStruct<'a, 'data> {
    pub shape: &'a StructShape,
    /// The index of the struct's first word.
    pub start: usize,
    holder: usize,
    /// Whether the struct's layout has tagged fields. Otherwise, setting a slot never has to clear a null mark.
    has_tagged: bool,
    unknown: Vec<(u32, &'data [u8])>,
}

impl<'data> OpenStruct<'_, 'data> {
    /// Keep an unknown tagged field, if the struct has a slot for these fields.
    pub fn add_unknown(&mut self, tag: u32, data: &'data [u8]) {
        if self.shape.unknown.is_some() {
            self.unknown.push((tag, data));
        }
    }

    /// Return the index of the word of a slot.
    #[inline(always)]
    fn place(&self, slot: usize) -> usize {
        self.start + self.shape.marks + slot
    }
}

impl<'a, 'w> RowSink<'a, 'w> {
    /// Create a sink that appends to `words`.
    pub fn new(plan: &'a Plan, defaults: &'a Defaults, words: &'w mut Vec<u64>) -> Self {
        RowSink {
            plan,
            row: RowWords { words },
            defaults,
        }
    }
}

impl<'a> RowSink<'a, '_> {
    /// Append a new struct, and return it to be filled.
    #[inline(always)]
    pub fn open_struct<'data>(
        &mut self,
        shape: &'a StructShape,
        holder: usize,
        layout: &Layout,
    ) -> OpenStruct<'a, 'data> {
        let start = self.row.words.len();
        self.row.words.extend_from_slice(&shape.start);
        let fields = OpenStruct {
            shape,
            start,
            holder,
            has_tagged: !layout.tagged.is_empty(),
            unknown: Vec::new(),
        };
        for absent in &layout.absent {
            if let Some(field) = &shape.fields[*absent] {
                self.mark(&fields, field.slot);
            }
        }
        for tagged in &layout.tagged {
            if let Some(field) = &shape.fields[tagged.field] {
                self.mark(&fields, field.slot);
                self.row.words[fields.place(field.slot)] = NOT_SENT;
            }
        }
        if let Some(slot) = shape.unknown
            && !layout.flexible
        {
            self.mark(&fields, slot);
        }
        fields
    }

    /// Finish a struct, and return the word that refers to it.
    #[inline(always)]
    pub fn finish_struct(&mut self, fields: &OpenStruct<'a, '_>, layout: &'a Layout) -> u64 {
        if layout.flexible {
            self.missing_tagged_fields(fields, layout);
            if let Some(slot) = fields.shape.unknown {
                self.unknown_tagged_fields(fields, slot);
            }
        }
        if fields.shape.is_reordered || fields.has_tagged {
            self.restore_order(fields);
        }
        self.row.reference(fields.start, fields.holder)
    }

    /// Set the value of a slot for the first time.
    #[inline(always)]
    pub fn set_slot(&mut self, fields: &OpenStruct<'_, '_>, slot: usize, value: Option<u64>) {
        let place = fields.place(slot);
        match value {
            Some(word) => {
                self.row.words[place] = word;
                if fields.has_tagged {
                    unmark(self.row.words, fields.start, slot);
                }
            }
            None => {
                self.row.words[place] = 0;
                self.mark(fields, slot);
            }
        }
    }

    /// Mark a slot as null.
    #[inline(always)]
    fn mark(&mut self, fields: &OpenStruct<'_, '_>, slot: usize) {
        mark_null(self.row.words, fields.start, slot);
    }

    #[inline(always)]
    fn is_marked(&self, fields: &OpenStruct<'_, '_>, slot: usize) -> bool {
        is_marked(self.row.words, fields.start, slot)
    }

    /// Set tagged fields that were not sent to their defaults.
    #[inline(always)]
    fn missing_tagged_fields(&mut self, fields: &OpenStruct<'a, '_>, layout: &'a Layout) {
        for tagged in &layout.tagged {
            let Some(field) = &fields.shape.fields[tagged.field] else {
                continue;
            };
            if self.is_marked(fields, field.slot) && self.row.words[fields.place(field.slot)] == NOT_SENT {
                let value = Place {
                    shape: &field.shape,
                    holder: fields.start,
                };
                let default = self.default(layout.struct_number, tagged.field, tagged.codec, value);
                self.set_slot(fields, field.slot, default);
            }
        }
    }

    /// Append the map of unknown tagged fields: the size of its array of keys, that array, and the array of values.
    fn unknown_tagged_fields(&mut self, fields: &OpenStruct<'a, '_>, slot: usize) {
        let start = self.row.words.len();
        self.row.words.push(0);
        let count = fields.unknown.len();
        let mut tags = self.row.open_array(size_of::<u32>(), count);
        for (tag, _) in &fields.unknown {
            self.row.set_element(&mut tags, Some(u64::from(*tag)));
        }
        self.row.words[start] = (WORD * (self.row.words.len() - tags.start)) as u64;
        let mut values = self.row.open_array(WORD, count);
        for (_, data) in &fields.unknown {
            let word = self.row.bytes(data, values.start);
            self.row.set_element(&mut values, Some(word));
        }
        let word = self.row.reference(start, fields.start);
        self.set_slot(fields, slot, Some(word));
    }

    /// Return the word for the default of field `field` in struct `owner`; `None` for null.
    fn default(&mut self, owner: usize, field: usize, codec: Codec, place: Place<'a>) -> Option<u64> {
        let Place { shape, holder } = place;
        match (self.defaults.get(owner, field), codec, shape) {
            (FieldDefault::Int(value), _, Shape::Leaf(leaf)) => Some(int_word(*leaf, *value)),
            (FieldDefault::Float(value), ..) => Some(value.to_bits()),
            (FieldDefault::Uuid(value), _, Shape::Leaf(leaf)) => Some(self.row.uuid(*leaf, *value, holder)),
            (FieldDefault::Bytes(value), ..) => Some(self.row.bytes(value, holder)),
            (FieldDefault::Empty, Codec::FixedArray { .. } | Codec::Array { .. }, _) => {
                let items = self.row.open_array(WORD, 0);
                Some(self.row.reference(items.start, holder))
            }
            (FieldDefault::Empty, Codec::Struct { layout, .. }, Shape::Struct(shape)) => {
                Some(self.default_struct(layout, shape, holder))
            }
            (FieldDefault::Null | FieldDefault::Int(_) | FieldDefault::Uuid(_) | FieldDefault::Empty, ..) => None,
        }
    }

    fn default_struct(&mut self, number: u32, shape: &'a StructShape, holder: usize) -> u64 {
        let layout = &self.plan.layouts[number as usize];
        let fields = self.open_struct(shape, holder, layout);
        for (field, codec) in layout.fields() {
            if let Some(described) = &shape.fields[field] {
                let place = Place {
                    shape: &described.shape,
                    holder: fields.start,
                };
                let value = self.default(layout.struct_number, field, codec, place);
                self.set_slot(&fields, described.slot, value);
            }
        }
        // This also sets the tagged fields to their defaults.
        self.finish_struct(&fields, layout)
    }

    /// Sort the values that slots refer to into the order of the slots.
    ///
    /// On the wire, tagged fields come last, sorted by tag, but queries may select fields in any order.
    fn restore_order(&mut self, fields: &OpenStruct<'a, '_>) {
        let OpenStruct { shape, start, .. } = *fields;
        let words = start + shape.marks;
        let places = || shape.elsewhere.iter().map(|slot| words + slot);
        // Null slots have the word 0, which refers to nothing.
        let set: Vec<usize> = places().filter(|place| self.row.words[*place] != 0).collect();
        if set.is_sorted_by_key(|place| self.row.words[*place] >> 32) {
            return;
        }
        let first = start + shape.start.len();
        let moved = self.row.words.split_off(first);
        for place in set {
            let word = self.row.words[place];
            let from = (word >> 32) as usize / WORD + start - first;
            let size = (word as u32) as usize;
            let to = self.row.words.len() - start;
            self.row.words[place] = word_of_place(to, size);
            self.row
                .words
                .extend_from_slice(&moved[from..from + size.div_ceil(WORD)]);
        }
    }
}
