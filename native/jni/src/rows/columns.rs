//! Columns as rows.

use std::ops::Range;

use arrow_data::ArrayData;
use arrow_schema::DataType;
use messagegen_core::Outcome;
use messagegen_core::arrow::input::{Data, Input, Offsets};
use messagegen_core::wire::chunk;

use super::words::{BITS_OF_BYTE, WORD, end_row, mark_null, put_bytes, words_of_marks};
use crate::door::defect;

/// Puts rows of some columns behind others, each behind its number of bytes.
pub fn put_rows(count: usize, columns: &[ArrayData], words: &mut Vec<u64>) -> Outcome<()> {
    let columns = columns
        .iter()
        .cloned()
        .map(without_times)
        .collect::<Outcome<Vec<_>>>()?;
    let columns = columns
        .iter()
        .map(|column| Input::new("", column))
        .collect::<Outcome<Vec<_>>>()?;
    for row in 0..count {
        let place = words.len();
        words.push(0);
        put_struct(&columns, row, words);
        end_row(words, place)?;
    }
    Ok(())
}

/// Times are numbers to Spark.
fn without_times(column: ArrayData) -> Outcome<ArrayData> {
    match column.data_type() {
        DataType::Timestamp(..) => column.into_builder().data_type(DataType::Int64).build().map_err(defect),
        _ => Ok(column),
    }
}

/// Puts the fields of a struct, and gives their bytes.
fn put_struct(columns: &[Input<'_>], row: usize, words: &mut Vec<u64>) -> usize {
    let start = words.len();
    let values = start + words_of_marks(columns.len());
    words.resize(values + columns.len(), 0);
    for (number, column) in columns.iter().enumerate() {
        match column.place(row) {
            Some(place) => words[values + number] = word(column, place, start, words),
            None => mark_null(words, start, number),
        }
    }
    WORD * (words.len() - start)
}

/// The word of a value in what begins at `start`: the value, or where it is put and its bytes.
#[inline(always)]
fn word(column: &Input<'_>, place: usize, start: usize, words: &mut Vec<u64>) -> u64 {
    match column.data {
        Data::Int { width: 4, bytes, .. } => u64::from(u32::from_ne_bytes(chunk(bytes, 4 * place))),
        Data::Int { width: 8, bytes, .. } => u64::from_ne_bytes(chunk(bytes, 8 * place)),
        Data::Int { width: 2, bytes, .. } => u64::from(u16::from_ne_bytes(chunk(bytes, 2 * place))),
        Data::Int { bytes, .. } => u64::from(bytes[place]),
        Data::Bool(bits) => u64::from(bits[place / BITS_OF_BYTE] >> (place % BITS_OF_BYTE) & 1),
        Data::Float64(values) => values[place].to_bits(),
        _ => {
            let offset = WORD * (words.len() - start);
            (offset as u64) << 32 | put(column, place, words) as u64
        }
    }
}

/// Puts a value that has no constant size, and gives its bytes.
#[inline(always)]
fn put(column: &Input<'_>, place: usize, words: &mut Vec<u64>) -> usize {
    let range = |ends: &[i32]| ends[place] as usize..ends[place + 1] as usize;
    match &column.data {
        Data::List {
            offsets: Offsets::Narrow(ends),
            elements,
        } => put_array(elements, range(ends), words),
        Data::Map {
            offsets: Offsets::Narrow(ends),
            entries,
        } => put_map(entries, range(ends), words),
        Data::Struct(columns) => put_struct(columns, place, words),
        // A text, bytes, or a message that is a row already.
        _ => {
            let bytes = column.bytes(place).unwrap_or_default();
            put_bytes(bytes, words);
            bytes.len()
        }
    }
}

/// Puts the keys and the values of a map, and gives their bytes.
fn put_map(entries: &Input<'_>, range: Range<usize>, words: &mut Vec<u64>) -> usize {
    let Data::Struct(pair) = &entries.data else { return 0 };
    let start = words.len();
    words.push(0);
    words[start] = put_array(&pair[0], range.clone(), words) as u64;
    put_array(&pair[1], range, words);
    WORD * (words.len() - start)
}

/// Puts the elements of an array, and gives their bytes.
fn put_array(elements: &Input<'_>, range: Range<usize>, words: &mut Vec<u64>) -> usize {
    let start = words.len();
    let count = range.len();
    words.push(count as u64);
    let values = start + 1 + words_of_marks(count);
    words.resize(values, 0);
    let width = match elements.data {
        Data::Int { width, bytes, .. } if elements.nulls.is_none() => {
            put_bytes(&bytes[width * range.start..width * range.end], words);
            return WORD * (words.len() - start);
        }
        Data::Int { width, .. } => width,
        Data::Bool(_) => 1,
        _ => WORD,
    };
    words.resize(values + (width * count).div_ceil(WORD), 0);
    for (number, row) in range.enumerate() {
        let at = width * number;
        match elements.place(row) {
            Some(place) => {
                let word = word(elements, place, start, words);
                words[values + at / WORD] |= word << (BITS_OF_BYTE * (at % WORD));
            }
            None => mark_null(words, start + 1, number),
        }
    }
    WORD * (words.len() - start)
}
