//! Decodes bytes to records, which are Python objects.

use messagegen_core::records::record::{Record, SMALLEST, Span, read_header, read_record};
use messagegen_core::wire::Cursor;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyNone, PyString, PyTuple};

use crate::objects::slots::{Class, TupleBuilder, Uncollected};

/// The maximum number of cached header keys.
const MOST_KEYS: usize = 16;

/// The records of a batch, and the values of its header.
pub struct Batch<'a> {
    pub data: &'a [u8],
    pub count: usize,
    pub base_offset: i64,
    pub base_timestamp: i64,
    /// The timestamp of all records, if the broker set one.
    pub append_time: Option<i64>,
    pub max_headers: usize,
}

/// Return a tuple of the records. Raises `ValueError` if their number differs from the header's count.
pub fn decode<'py>(
    py: Python<'py>,
    record_class: &Class,
    header_class: &Class,
    batch: &Batch<'_>,
) -> PyResult<Bound<'py, PyTuple>> {
    if batch.count > batch.data.len() / SMALLEST {
        return refuse();
    }
    let _uncollected = Uncollected::new(py);
    let mut records = TupleBuilder::new(py, batch.count)?;
    let mut cursor = Cursor::new(batch.data, 0).or_else(|_| refuse())?;
    let mut headers_left = batch.max_headers;
    let no_headers = PyTuple::empty(py);
    let mut keys = Keys::default();
    let mut append_time = None;
    if let Some(time) = batch.append_time {
        append_time = Some(time.into_pyobject(py)?.into_any());
    }
    for _ in 0..batch.count {
        let record = read_record(&mut cursor).or_else(|_| refuse())?;
        let made = record_class.instantiate(py)?;
        let number = batch.base_offset.wrapping_add(record.offset_delta.into());
        let timestamp = match &append_time {
            Some(time) => time.clone(),
            None => batch
                .base_timestamp
                .wrapping_add(record.timestamp_delta)
                .into_pyobject(py)?
                .into_any(),
        };
        let count = record.header_count as usize;
        headers_left = headers_left.checked_sub(count).map_or_else(refuse, Ok)?;
        let found = if count == 0 {
            no_headers.clone()
        } else {
            headers_of(py, header_class, &mut keys, &record, batch.data)?
        };
        let (key, value) = (bytes(py, record.key, batch.data), bytes(py, record.value, batch.data));
        let values = [
            number.into_pyobject(py)?.into_any(),
            timestamp,
            key,
            value,
            found.into_any(),
        ];
        values
            .into_iter()
            .zip(&record_class.slots)
            .for_each(|(value, slot)| made.set(*slot, value));
        records.push(made.finish());
    }
    if cursor.left() > 0 {
        refuse()
    } else {
        Ok(records.finish())
    }
}

/// The latest key at each header position. The records of a batch usually have the same header keys.
#[derive(Default)]
struct Keys<'a, 'py>(Vec<(&'a [u8], Bound<'py, PyString>)>);

impl<'a, 'py> Keys<'a, 'py> {
    /// Return a key as a string. Invalid UTF-8 is replaced, as in Kafka's Java client.
    fn text(&mut self, py: Python<'py>, place: usize, key: &'a [u8]) -> Bound<'py, PyString> {
        if let Some((known, text)) = self.0.get(place)
            && *known == key
        {
            return text.clone();
        }
        let text = PyString::new(py, &String::from_utf8_lossy(key));
        if let Some(latest) = self.0.get_mut(place) {
            *latest = (key, text.clone());
        } else if place < MOST_KEYS {
            // Places are filled in order.
            self.0.push((key, text.clone()));
        }
        text
    }
}

fn headers_of<'a, 'py>(
    py: Python<'py>,
    class: &Class,
    keys: &mut Keys<'a, 'py>,
    record: &Record,
    data: &'a [u8],
) -> PyResult<Bound<'py, PyTuple>> {
    let mut headers = TupleBuilder::new(py, record.header_count as usize)?;
    let mut cursor = Cursor::new(data, record.headers_at as usize).or_else(|_| refuse())?;
    for place in 0..record.header_count as usize {
        let (key, value) = read_header(&mut cursor).or_else(|_| refuse())?;
        let made = class.instantiate(py)?;
        made.set(
            class.slots[0],
            keys.text(py, place, key.of(data).unwrap_or_default()).into_any(),
        );
        made.set(class.slots[1], bytes(py, value, data));
        headers.push(made.finish());
    }
    Ok(headers.finish())
}

fn bytes<'py>(py: Python<'py>, span: Span, data: &[u8]) -> Bound<'py, PyAny> {
    match span.of(data) {
        Some(found) => PyBytes::new(py, found).into_any(),
        None => PyNone::get(py).to_owned().into_any(),
    }
}

#[cold]
#[inline(never)]
fn refuse<T>() -> PyResult<T> {
    Err(PyValueError::new_err("the bytes are not the records"))
}
