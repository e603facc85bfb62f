//! One column: its values and its nulls.

use arrow_buffer::BooleanBufferBuilder;

use super::values::Values;

/// One column. Nulls at the end are only counted, and a validity bitmap is created at the first null. So a column
/// without nulls, or with nothing but nulls, needs no memory for them.
pub struct Column {
    pub name: String,
    pub values: Values,
    /// Whether the schema allows nulls.
    pub nullable: bool,
    /// The validity bitmap: bits of values that are not null are set. `None` before the first null.
    pub validity: Option<BooleanBufferBuilder>,
    /// The number of nulls at the end that have no placeholder value yet.
    pending: usize,
    /// Whether a null was ever appended. If so, [`Column::before_values`] must be called before values are appended.
    pub sparse: bool,
}

impl Column {
    /// Return an empty column.
    pub fn new(name: &str, values: Values, nullable: bool) -> Self {
        Column {
            name: name.to_owned(),
            values,
            nullable,
            validity: None,
            pending: 0,
            sparse: false,
        }
    }

    /// Return the number of values and nulls.
    pub fn length(&self) -> usize {
        self.values.length() + self.pending
    }

    /// Append nulls.
    #[inline]
    pub fn push_nulls(&mut self, count: usize) {
        self.pending += count;
        self.sparse = true;
    }

    /// Append placeholder values for the nulls at the end. If the column is a struct, append nulls to its fields, which
    /// are among the columns `below`.
    pub fn settle(&mut self, below: &mut [Column]) {
        let count = std::mem::take(&mut self.pending);
        if count == 0 {
            return;
        }
        self.validity().append_n(count, false);
        self.values.pad(count);
        if let Values::Struct(_, fields) = &self.values {
            fields.iter().for_each(|field| below[*field].push_nulls(count));
        }
    }

    /// Prepare for appending `count` values that are not null to a column that already contains nulls.
    pub fn before_values(&mut self, below: &mut [Column], count: usize) {
        self.settle(below);
        self.validity().append_n(count, true);
    }

    fn validity(&mut self) -> &mut BooleanBufferBuilder {
        let length = self.values.length();
        self.validity.get_or_insert_with(|| {
            let mut validity = BooleanBufferBuilder::new(length);
            validity.append_n(length, true);
            validity
        })
    }

    /// Shorten this column to an earlier length, together with all columns below it.
    pub fn truncate(&mut self, below: &mut [Column], length: usize) {
        let kept = length.min(self.values.length());
        self.pending = length - kept;
        self.values.truncate(kept);
        if let Some(validity) = &mut self.validity {
            validity.truncate(kept);
        }
        let (length, children) = match &self.values {
            Values::List(lists) | Values::Map(lists) => {
                (lists.offsets[kept] as usize, std::slice::from_ref(&lists.content))
            }
            Values::Struct(_, fields) => (kept, fields.as_slice()),
            _ => return,
        };
        for child in children {
            let (below, rest) = below.split_at_mut(*child);
            rest[0].truncate(below, length);
        }
    }
}
