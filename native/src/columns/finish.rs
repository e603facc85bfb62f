//! Filled columns in the form that Arrow gives them.

use std::sync::Arc;

use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer};
use arrow_schema::{DataType, Field, Fields};

use super::column::{Cut, UuidForm, Values};
use super::store::{Columns, TooMuch};

/// A column as Arrow's parts.
pub struct Finished {
    /// Arrow's type.
    pub data_type: DataType,
    /// The number of values.
    pub length: usize,
    /// Which are null; `None` where none is.
    pub nulls: Option<NullBuffer>,
    /// Offsets and values.
    pub buffers: Vec<Buffer>,
    /// What lies below.
    pub children: Vec<Finished>,
}

impl Columns {
    /// A column with all below it as one array, mostly that of the struct that holds all others.
    pub fn finish(mut self, root: usize) -> Result<Finished, TooMuch> {
        Ok(self.finish_column(root)?.1)
    }

    fn finish_column(&mut self, number: usize) -> Result<(Field, Finished), TooMuch> {
        self.settle(number);
        let column = &mut self.columns[number];
        let (name, nullable) = (std::mem::take(&mut column.name), column.nullable);
        let nulls = column.validity.take().map(|validity: BooleanBufferBuilder| NullBuffer::new(validity.build()));
        let mut finished = Finished {
            data_type: DataType::Null,
            length: column.values.length(),
            nulls: nulls.filter(|nulls| nulls.null_count() > 0),
            buffers: Vec::new(),
            children: Vec::new(),
        };
        match std::mem::replace(&mut column.values, Values::Struct(0, Vec::new())) {
            Values::Bool(mut values) => finished.plain(DataType::Boolean, values.finish().into_inner()),
            Values::Int8(values) => finished.plain(DataType::Int8, Buffer::from_vec(values)),
            Values::Int16(values) => finished.plain(DataType::Int16, Buffer::from_vec(values)),
            Values::Int32(values) => finished.plain(DataType::Int32, Buffer::from_vec(values)),
            Values::Int64(values) => finished.plain(DataType::Int64, Buffer::from_vec(values)),
            Values::Float64(values) => finished.plain(DataType::Float64, Buffer::from_vec(values)),
            Values::Uuid(form, values) => finished.uuids(form, values)?,
            Values::Text(cut) => finished.cut(DataType::Utf8, cut),
            Values::Bytes(cut) => finished.cut(DataType::Binary, cut),
            Values::List(cut) => self.finish_list(&mut finished, cut, DataType::List)?,
            Values::Map(cut) => self.finish_list(&mut finished, cut, |entries| DataType::Map(entries, false))?,
            Values::Struct(_, fields) => {
                let fields = fields.into_iter().map(|field| self.finish_column(field));
                let (fields, children): (Vec<Field>, _) = fields.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
                finished.data_type = DataType::Struct(Fields::from(fields));
                finished.children = children;
            }
        }
        Ok((Field::new(name, finished.data_type.clone(), nullable), finished))
    }

    fn finish_list(
        &mut self,
        finished: &mut Finished,
        cut: Cut<usize>,
        data_type: fn(Arc<Field>) -> DataType,
    ) -> Result<(), TooMuch> {
        let (field, elements) = self.finish_column(cut.content)?;
        finished.plain(data_type(Arc::new(field)), Buffer::from_vec(cut.offsets));
        finished.children.push(elements);
        Ok(())
    }
}

impl Finished {
    fn plain(&mut self, data_type: DataType, values: Buffer) {
        self.data_type = data_type;
        self.buffers.push(values);
    }

    fn cut(&mut self, data_type: DataType, cut: Cut<Vec<u8>>) {
        self.data_type = data_type;
        self.buffers = vec![Buffer::from_vec(cut.offsets), Buffer::from_vec(cut.content)];
    }

    /// Uuids are kept without offsets, for each has as many bytes.
    fn uuids(&mut self, form: UuidForm, values: Vec<u8>) -> Result<(), TooMuch> {
        let data_type = match form {
            UuidForm::Fixed => {
                self.plain(DataType::FixedSizeBinary(16), Buffer::from_vec(values));
                return Ok(());
            }
            UuidForm::Binary => DataType::Binary,
            UuidForm::Text => DataType::Utf8,
        };
        i32::try_from(values.len()).map_err(|_| TooMuch)?;
        let offsets = (0..=values.len()).step_by(form.width()).map(|offset| offset as i32).collect();
        self.cut(data_type, Cut { offsets, content: values });
        Ok(())
    }
}
