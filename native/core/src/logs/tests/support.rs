//! Log folders in memory, written byte by byte after KIP-98, and what is read of them.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use arrow_data::ArrayData;
use arrow_schema::DataType;

use crate::logs::paths;
use crate::logs::{Entry, File, Kind, LogError, Options, Plan, Planner, Pushed, Reader, Storage};

pub const TIME: i64 = 1_700_000_000_000;

/// A batch of records whose offsets rise from `base`, each one later than the one before.
#[derive(Clone, Copy)]
pub struct Batch {
    pub base: i64,
    pub count: i64,
    pub producer: i64,
    pub attributes: i16,
}

impl Batch {
    pub fn of(base: i64, count: i64) -> Self {
        Batch { base, count, producer: -1, attributes: 0 }
    }

    pub fn transactional(base: i64, count: i64, producer: i64) -> Self {
        Batch { base, count, producer, attributes: 0x10 }
    }

    /// The bytes as they are in a segment.
    pub fn bytes(self) -> Vec<u8> {
        self.with_records(|offset| (None, Some(offset.to_string().into_bytes())))
    }

    /// The end of a transaction.
    pub fn marker(base: i64, producer: i64, is_commit: bool) -> Vec<u8> {
        let batch = Batch { base, count: 1, producer, attributes: 0x30 };
        batch.with_records(|_| (Some(vec![0, 0, 0, u8::from(is_commit)]), Some(vec![0; 6])))
    }

    fn with_records(self, content: impl Fn(i64) -> (Option<Vec<u8>>, Option<Vec<u8>>)) -> Vec<u8> {
        let mut checked = self.attributes.to_be_bytes().to_vec();
        checked.extend((self.count as i32 - 1).to_be_bytes());
        checked.extend((TIME + self.base).to_be_bytes());
        checked.extend((TIME + self.base + self.count - 1).to_be_bytes());
        checked.extend(self.producer.to_be_bytes());
        checked.extend([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]);
        checked.extend((self.count as i32).to_be_bytes());
        for delta in 0..self.count {
            let (key, value) = content(self.base + delta);
            let mut body = vec![0];
            varint(&mut body, delta);
            varint(&mut body, delta);
            for part in [key, value] {
                varint(&mut body, part.as_ref().map_or(-1, |part| part.len() as i64));
                body.extend(part.unwrap_or_default());
            }
            body.push(0);
            varint(&mut checked, body.len() as i64);
            checked.extend(body);
        }
        let mut data = self.base.to_be_bytes().to_vec();
        data.extend((checked.len() as i32 + 9).to_be_bytes());
        data.extend([0, 0, 0, 0, 2]);
        data.extend(crc32c::crc32c(&checked).to_be_bytes());
        data.extend(checked);
        data
    }
}

fn varint(out: &mut Vec<u8>, value: i64) {
    let mut bits = ((value << 1) ^ (value >> 63)) as u64;
    while bits > 0x7F {
        out.push(bits as u8 & 0x7F | 0x80);
        bits >>= 7;
    }
    out.push(bits as u8);
}

/// Batches of three records with offsets one after the other.
pub fn batches(first: i64, count: i64) -> Vec<Vec<u8>> {
    (0..count).map(|number| Batch::of(first + 3 * number, 3).bytes()).collect()
}

/// Files and broken links in memory; counts what is opened and listed.
#[derive(Default)]
pub struct Memory {
    pub files: Mutex<BTreeMap<String, Option<Arc<Vec<u8>>>>>,
    pub opened: Mutex<Vec<String>>,
    pub lists: AtomicUsize,
    pub is_remote: bool,
}

impl Memory {
    pub fn put(&self, path: &str, data: impl Into<Vec<u8>>) {
        self.files.lock().expect("no panic").insert(path.to_owned(), Some(Arc::new(data.into())));
    }

    pub fn link(&self, path: &str) {
        self.files.lock().expect("no panic").insert(path.to_owned(), None);
    }

    pub fn remove(&self, path: &str) {
        self.files.lock().expect("no panic").remove(path);
    }

    pub fn get(&self, path: &str) -> Vec<u8> {
        self.files.lock().expect("no panic")[path].as_ref().expect("a file").to_vec()
    }

    /// A segment with its offset index: an entry for each of these batches but the first.
    pub fn segment(&self, folder: &str, base: i64, batches: &[Vec<u8>]) {
        self.put(&format!("{folder}/{base:020}.log"), batches.concat());
        let (mut index, mut times, mut position) = (Vec::new(), Vec::new(), 0);
        for batch in batches {
            let first = i64::from_be_bytes(batch[..8].try_into().expect("8 bytes"));
            let delta = i32::from_be_bytes(batch[23..27].try_into().expect("4 bytes"));
            let last = (first - base) as i32 + delta;
            if position > 0 {
                index.extend(last.to_be_bytes());
                index.extend((position as i32).to_be_bytes());
            }
            times.extend(&batch[35..43]);
            times.extend(last.to_be_bytes());
            position += batch.len();
        }
        self.put(&format!("{folder}/{base:020}.index"), index);
        self.put(&format!("{folder}/{base:020}.timeindex"), times);
    }

    /// The names of the segments that were opened since this was asked for the last time, each once.
    pub fn segments_opened(&self) -> Vec<String> {
        let mut opened = std::mem::take(&mut *self.opened.lock().expect("no panic"));
        opened.retain(|path| path.ends_with(".log"));
        opened.sort();
        opened.dedup();
        opened
    }
}

impl Storage for Memory {
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        self.lists.fetch_add(1, Ordering::Relaxed);
        let prefix = format!("{}/", folder.trim_end_matches('/'));
        let mut found: BTreeMap<String, Entry> = BTreeMap::new();
        for (path, data) in self.files.lock().expect("no panic").range(prefix.clone()..) {
            let Some(rest) = path.strip_prefix(&prefix) else { break };
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, Kind::Folder),
                None if data.is_none() => (rest, Kind::BrokenLink),
                None => (rest, Kind::File),
            };
            let size = data.as_ref().map_or(0, |data| data.len() as u64);
            found.insert(name.to_owned(), Entry { name: name.to_owned(), size, kind, identity: 0 });
        }
        if found.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(found.into_values().collect()) }
    }

    fn entry(&self, path: &str) -> io::Result<Option<Entry>> {
        let name = paths::name(path).to_owned();
        if let Some(data) = self.files.lock().expect("no panic").get(path) {
            let kind = if data.is_some() { Kind::File } else { Kind::BrokenLink };
            return Ok(Some(Entry {
                name,
                size: data.as_ref().map_or(0, |data| data.len() as u64),
                kind,
                identity: 0,
            }));
        }
        Ok(self.list(path).is_ok().then_some(Entry { name, size: 0, kind: Kind::Folder, identity: 0 }))
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn File>> {
        self.opened.lock().expect("no panic").push(path.to_owned());
        let data = self.files.lock().expect("no panic").get(path).cloned().flatten();
        data.map(|data| Box::new(Bytes(data)) as Box<dyn File>).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn is_local(&self, _path: &str) -> bool {
        !self.is_remote
    }

    fn matches(&self, pattern: &str, topic: &str) -> Result<bool, String> {
        Ok(paths::matches(topic, pattern))
    }
}

struct Bytes(Arc<Vec<u8>>);

impl File for Bytes {
    fn read_at(&self, position: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let from = (position as usize).min(self.0.len());
        let count = buffer.len().min(self.0.len() - from);
        buffer[..count].copy_from_slice(&self.0[from..from + count]);
        Ok(count)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }
}

/// The options, of `/logs` unless they say otherwise, and in mode PERMISSIVE.
pub fn options(given: &[(&str, &str)]) -> Options {
    let has_path = given.iter().any(|(name, _)| *name == "path");
    let defaults = [("mode", "PERMISSIVE"), ("path", "/logs")];
    let used = defaults
        .iter()
        .filter(|(name, _)| !(*name == "path" && has_path))
        .filter(|(name, _)| !given.iter().any(|(other, _)| other == name));
    let all: Vec<(String, String)> =
        used.chain(given).map(|(name, text)| (name.to_string(), text.to_string())).collect();
    Options::parse(&all, &[]).expect("options")
}

pub fn planner(storage: &Arc<Memory>, given: &[(&str, &str)]) -> Planner {
    Planner::new(options(given), storage.clone()).expect("a planner")
}

/// A row: its offset (-1 without), and what is wrong.
pub type Row = (i64, Option<String>);

/// The rows of a plan.
pub fn rows_of(storage: &Arc<Memory>, plan: &Plan, options: &Options, window: usize) -> Result<Vec<Row>, LogError> {
    let columns = ["offset", "path", "batchOffset", "timestamp", "_error", "_raw"].map(str::to_owned);
    let mut rows = Vec::new();
    for task in &plan.tasks {
        let reader = Reader::new(&task.text, &columns, options, &Pushed::default(), false, storage.clone())?;
        let mut reader = reader.with_window(window);
        while let Some(data) = reader.next()? {
            data.validate_full().expect("valid arrays");
            rows.extend(of_table(&data));
        }
    }
    Ok(rows)
}

pub fn of_table(data: &ArrayData) -> Vec<Row> {
    let DataType::Struct(fields) = data.data_type() else { panic!("rows are structs") };
    let column =
        |name: &str| &data.child_data()[fields.iter().position(|field| field.name() == name).expect("a column")];
    let (offsets, errors) = (column("offset"), column("_error"));
    let messages = &errors.child_data()[0];
    (0..data.len())
        .map(|row| {
            let offset = if offsets.is_null(row) { -1 } else { offsets.buffers()[0].typed_data::<i64>()[row] };
            let error = (!errors.is_null(row)).then(|| {
                let ends = &messages.buffers()[0].typed_data::<i32>()[row..row + 2];
                String::from_utf8_lossy(&messages.buffers()[1][ends[0] as usize..ends[1] as usize]).into_owned()
            });
            (offset, error)
        })
        .collect()
}

/// The rows of a query.
pub fn rows(storage: &Arc<Memory>, given: &[(&str, &str)]) -> Result<Vec<Row>, LogError> {
    let plan = planner(storage, given).plan(&Pushed::default())?;
    rows_of(storage, &plan, &options(given), 8 << 20)
}

/// The offsets of the rows that are right, and the texts of those that are not.
pub fn told(storage: &Arc<Memory>, given: &[(&str, &str)]) -> (Vec<i64>, Vec<String>) {
    let rows = rows(storage, given).expect("rows");
    let errors = rows.iter().filter_map(|(_, error)| error.clone()).collect();
    (rows.into_iter().filter(|(_, error)| error.is_none()).map(|(offset, _)| offset).collect(), errors)
}
