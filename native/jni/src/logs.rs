//! Logs in a simple form: whole segments in folders of this machine, in the order of their names.
//!
//! It stands for the planner of log folders, whose names it has.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::Arc;

use arrow_buffer::{Buffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, TimeUnit};
use messagegen_core::arrow::builder::{Columns, Values};
use messagegen_core::records::{self, Filter, MAX_BATCH_BYTES};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    Path,
    Option,
    Malformed,
    Io,
}

#[derive(Debug)]
pub struct LogError {
    pub kind: ErrorKind,
    pub text: String,
    pub io: Option<io::Error>,
}

pub type LogResult<T> = Result<T, LogError>;

impl LogError {
    pub fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        LogError { kind, text: text.into(), io: None }
    }

    fn of_file(path: &str, error: io::Error) -> Self {
        LogError { kind: ErrorKind::Io, text: format!("{path}: {error}"), io: Some(error) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    pub size: u64,
    pub kind: Kind,
    pub identity: u64,
}

pub trait Storage: Send + Sync {
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>>;
    fn entry(&self, path: &str) -> io::Result<Option<Entry>>;
    fn open(&self, path: &str) -> io::Result<Box<dyn File>>;
    fn is_local(&self, path: &str) -> bool;
    fn matches(&self, pattern: &str, topic: &str) -> Result<bool, String>;
}

pub trait File: Send {
    fn read_at(&self, position: u64, buffer: &mut [u8]) -> io::Result<usize>;
    fn size(&self) -> io::Result<u64>;
}

pub struct LocalStorage;

impl Storage for LocalStorage {
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            found.extend(self.entry(&format!("{folder}/{name}"))?);
        }
        Ok(found)
    }

    fn entry(&self, path: &str) -> io::Result<Option<Entry>> {
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        match std::fs::metadata(path) {
            Ok(found) => {
                let kind = if found.is_dir() { Kind::Folder } else { Kind::File };
                Ok(Some(Entry { name, size: found.len(), kind, identity: found.ino() }))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn File>> {
        Ok(Box::new(LocalFile(std::fs::File::open(path)?)))
    }

    fn is_local(&self, _path: &str) -> bool {
        true
    }

    fn matches(&self, _pattern: &str, _topic: &str) -> Result<bool, String> {
        Err("there are no regular expressions here".to_owned())
    }
}

struct LocalFile(std::fs::File);

impl File for LocalFile {
    fn read_at(&self, position: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read_exact_at(buffer, position).map(|()| buffer.len())
    }

    fn size(&self) -> io::Result<u64> {
        self.0.metadata().map(|found| found.len())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Permissive,
    FailFast,
    DropMalformed,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub paths: Vec<String>,
    pub columns: Option<Vec<String>>,
    pub mode: Mode,
    pub max_bytes_per_trigger: Option<u64>,
    pub max_offsets_per_trigger: Option<u64>,
    pub max_records_per_batch: usize,
}

impl Options {
    pub fn parse(pairs: &[(String, String)]) -> LogResult<Self> {
        let mut options = Options {
            paths: Vec::new(),
            columns: None,
            mode: Mode::FailFast,
            max_bytes_per_trigger: None,
            max_offsets_per_trigger: None,
            max_records_per_batch: 32_768,
        };
        for (name, value) in pairs {
            match name.to_ascii_lowercase().as_str() {
                "path" => options.paths.push(value.clone()),
                "paths" => options.paths.extend(serde_json::from_str::<Vec<String>>(value).unwrap_or_default()),
                "columns" => options.columns = Some(value.split(',').map(|one| one.trim().to_owned()).collect()),
                "mode" if value.eq_ignore_ascii_case("permissive") => options.mode = Mode::Permissive,
                "mode" if value.eq_ignore_ascii_case("dropmalformed") => options.mode = Mode::DropMalformed,
                "mode" => options.mode = Mode::FailFast,
                "maxrecordsperbatch" => options.max_records_per_batch = value.parse().unwrap_or(32_768),
                "maxbytespertrigger" => options.max_bytes_per_trigger = value.parse().ok(),
                "maxoffsetspertrigger" => options.max_offsets_per_trigger = value.parse().ok(),
                _ => return Err(LogError::new(ErrorKind::Option, format!("unknown option {name}"))),
            }
        }
        Ok(options)
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Limit {
    All,
    Bytes(u64),
    Offsets(u64),
}

#[derive(Clone, Debug)]
pub struct Pushed {
    pub min_offset: i64,
    pub max_offset: i64,
    pub min_timestamp: i64,
    pub max_timestamp: i64,
    pub topics: Option<Vec<Option<String>>>,
    pub partitions: Option<Vec<Option<i32>>>,
}

pub struct Plan {
    pub tasks: Vec<Task>,
    pub nothing: Option<String>,
}

pub struct Task {
    pub text: String,
    pub bytes: u64,
    pub rows: Option<u64>,
}

pub struct Planner {
    options: Options,
    storage: Arc<dyn Storage>,
    until: Option<BTreeMap<String, u64>>,
}

impl Planner {
    pub fn new(options: Options, storage: Arc<dyn Storage>) -> Self {
        Planner { options, storage, until: None }
    }

    fn segments(&self) -> LogResult<BTreeMap<String, u64>> {
        let mut found = BTreeMap::new();
        for path in &self.options.paths {
            self.walk(path.trim_end_matches('/'), &mut found)?;
        }
        Ok(found)
    }

    fn walk(&self, path: &str, found: &mut BTreeMap<String, u64>) -> LogResult<()> {
        let entry = self.storage.entry(path).map_err(|error| LogError::of_file(path, error))?;
        let Some(entry) = entry else {
            return Err(LogError::new(ErrorKind::Path, format!("there is nothing at {path}")));
        };
        if entry.kind == Kind::File {
            if path.ends_with(".log") {
                found.insert(path.to_owned(), entry.size);
            }
            return Ok(());
        }
        let names = self.storage.list(path).map_err(|error| LogError::of_file(path, error))?;
        names.iter().try_for_each(|one| self.walk(&format!("{path}/{}", one.name), found))
    }

    pub fn plan(&self, pushed: &Pushed) -> LogResult<Plan> {
        let segments = self.segments()?;
        self.tasks(segments.into_iter().map(|(path, size)| (path, 0, size)), pushed)
    }

    fn tasks(&self, ranges: impl Iterator<Item = (String, u64, u64)>, pushed: &Pushed) -> LogResult<Plan> {
        let takes = |path: &str| {
            let (topic, partition) = names(path);
            pushed.topics.as_ref().is_none_or(|all| all.contains(&Some(topic)))
                && pushed.partitions.as_ref().is_none_or(|all| all.contains(&partition))
        };
        let tasks = ranges.filter(|(path, start, end)| start < end && takes(path)).map(|(path, start, end)| Task {
            text: json!([path, start, end]).to_string(),
            bytes: end - start,
            rows: None,
        });
        Ok(Plan { tasks: tasks.collect(), nothing: None })
    }

    pub fn initial(&mut self) -> LogResult<String> {
        Ok("{}".to_owned())
    }

    pub fn latest(&mut self, start: &str, limit: Limit) -> LogResult<String> {
        let mut begins = positions(start)?;
        let segments = if let Some(until) = &self.until { until.clone() } else { self.segments()? };
        let mut left = if let Limit::Bytes(bytes) = limit { bytes } else { u64::MAX };
        for (path, size) in segments {
            let begin = begins.get(&path).copied().unwrap_or(0);
            if begin < size && left > 0 {
                begins.insert(path, size);
                left = left.saturating_sub(size - begin);
            }
        }
        Ok(json!(begins).to_string())
    }

    pub fn available_now(&mut self) -> LogResult<()> {
        self.until = Some(self.segments()?);
        Ok(())
    }

    pub fn between(&mut self, start: &str, end: &str, pushed: &Pushed) -> LogResult<Plan> {
        let begins = positions(start)?;
        let ranges = positions(end)?.into_iter().map(|(path, end)| {
            let begin = begins.get(&path).copied().unwrap_or(0);
            (path, begin, end)
        });
        self.tasks(ranges, pushed)
    }
}

fn positions(text: &str) -> LogResult<BTreeMap<String, u64>> {
    serde_json::from_str(text).map_err(|error| LogError::new(ErrorKind::Option, error.to_string()))
}

fn names(path: &str) -> (String, Option<i32>) {
    let folder = path.rsplit('/').nth(1).unwrap_or_default();
    let (topic, partition) = folder.rsplit_once('-').unwrap_or((folder, ""));
    (topic.to_owned(), partition.parse().ok())
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub files: u64,
    pub bytes: u64,
    pub rows: u64,
    pub damaged: u64,
    pub left_out_control: u64,
    pub left_out_aborted: u64,
    pub left_out_by_mode: u64,
}

pub struct Reader {
    path: String,
    data: Vec<u8>,
    reader: records::Reader,
    columns: Vec<String>,
    fail: bool,
    max_records: usize,
    tally: Tally,
}

const SOURCES: [(&str, &str); 15] = [
    ("key", "key"),
    ("value", "value"),
    ("offset", "offset"),
    ("timestamp", "timestamp"),
    ("timestampType", "timestamp_type"),
    ("headers", "headers"),
    ("leaderEpoch", "leader_epoch"),
    ("producerId", "producer_id"),
    ("producerEpoch", "producer_epoch"),
    ("sequence", "sequence"),
    ("isTransactional", "is_transactional"),
    ("isControl", "is_control"),
    ("codec", "codec"),
    ("batchOffset", "batch_offset"),
    ("batchPosition", "batch_position"),
];

impl Reader {
    pub fn new(
        task: &str,
        columns: &[String],
        options: &Options,
        pushed: &Pushed,
        _keep_errors: bool,
        storage: Arc<dyn Storage>,
    ) -> LogResult<Self> {
        let task: Value = serde_json::from_str(task).unwrap_or_default();
        let path = task[0].as_str().unwrap_or_default().to_owned();
        let (start, end) = (task[1].as_u64().unwrap_or(0), task[2].as_u64().unwrap_or(0));
        let failed = |error| LogError::of_file(&path, error);
        let mut data = vec![0; (end - start) as usize];
        let file = storage.open(&path).map_err(failed)?;
        file.read_at(start, &mut data).map_err(failed)?;
        let source = |name: &String| SOURCES.iter().find(|(known, _)| known == name).map(|(_, own)| (*own).to_owned());
        let read: Vec<String> = columns.iter().filter_map(source).collect();
        let filter = Filter {
            verify_checksums: true,
            min_offset: pushed.min_offset,
            max_offset: pushed.max_offset,
            min_timestamp: pushed.min_timestamp,
            max_timestamp: pushed.max_timestamp,
        };
        let wanted = records::Options {
            start: 0,
            columns: Some(&read),
            filter,
            max_batch_bytes: MAX_BATCH_BYTES,
            recover: true,
        };
        let reader = records::Reader::with_options(data.len(), wanted);
        let reader = reader.map_err(|error| LogError::new(ErrorKind::Option, error.text))?;
        let tally = Tally { files: 1, bytes: end - start, ..Tally::default() };
        let (columns, fail, max_records) =
            (columns.to_vec(), options.mode == Mode::FailFast, options.max_records_per_batch);
        Ok(Reader { path, data, reader, columns, fail, max_records, tally })
    }

    pub fn next(&mut self) -> LogResult<Option<ArrayData>> {
        let table = self.reader.read(&self.data, self.max_records, 16 << 20);
        if table.rows() == 0 {
            return Ok(None);
        }
        let rows = table.finish();
        self.tally.rows += rows.len() as u64;
        let DataType::Struct(fields) = rows.data_type() else { unreachable!("rows are structs") };
        let column = |name: &str| fields.iter().position(|field| field.name() == name).map(|at| &rows.child_data()[at]);
        let errors = column("_error").expect("every table has errors");
        if self.fail && errors.null_count() < errors.len() {
            return Err(LogError::new(ErrorKind::Malformed, format!("{} is damaged", self.path)));
        }
        let (topic, partition) = names(&self.path);
        let mut data = Vec::new();
        for name in &self.columns {
            let source = SOURCES.iter().find(|(known, _)| known == name).and_then(|(_, own)| column(own));
            data.push(match (name.as_str(), source) {
                ("timestamp", Some(source)) => timestamps(source),
                (_, Some(source)) => source.clone(),
                ("_error", _) => errors.clone(),
                ("topic", _) => constant(Values::text(), rows.len(), Some(topic.as_bytes())),
                ("path", _) => constant(Values::text(), rows.len(), Some(self.path.as_bytes())),
                ("partition", _) => numbers(rows.len(), partition.unwrap_or(-1)),
                _ => constant(Values::bytes(), rows.len(), None),
            });
        }
        let fields: Vec<Field> = self
            .columns
            .iter()
            .zip(&data)
            .map(|(name, data)| Field::new(name, data.data_type().clone(), true))
            .collect();
        let built = ArrayData::builder(DataType::Struct(fields.into())).len(rows.len()).child_data(data).build();
        Ok(Some(built.expect("columns of one length")))
    }

    pub fn tally(&self) -> Tally {
        self.tally
    }
}

fn timestamps(source: &ArrayData) -> ArrayData {
    let values: &[i64] = source.buffers()[0].typed_data();
    let values: Vec<i64> = values.iter().map(|value| value.saturating_mul(1000)).collect();
    let data_type = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    let array = ArrayData::builder(data_type).len(source.len()).nulls(source.nulls().cloned());
    array.add_buffer(Buffer::from_vec(values)).build().expect("numbers")
}

fn numbers(count: usize, value: i32) -> ArrayData {
    let values: ScalarBuffer<i32> = vec![value; count].into();
    ArrayData::builder(DataType::Int32).len(count).add_buffer(values.into_inner()).build().expect("numbers")
}

fn constant(values: Values, count: usize, bytes: Option<&[u8]>) -> ArrayData {
    let mut columns = Columns::default();
    let column = columns.add("", values, true);
    columns.extend_bytes(column, (0..count).map(|_| bytes)).expect("short");
    columns.finish(column).expect("short")
}

pub fn schema(columns: &[String]) -> LogResult<DataType> {
    let error = vec![
        Field::new("message", DataType::Utf8, true),
        Field::new("path", DataType::Utf8, true),
        Field::new("offset", DataType::Int64, true),
    ];
    let header = vec![Field::new("key", DataType::Utf8, true), Field::new("value", DataType::Binary, true)];
    let headers = Field::new("item", DataType::Struct(header.into()), true);
    let mut fields = Vec::new();
    for name in columns {
        let data_type = match name.as_str() {
            "key" | "value" | "_raw" => DataType::Binary,
            "topic" | "path" | "codec" => DataType::Utf8,
            "partition" | "timestampType" | "leaderEpoch" | "producerEpoch" | "sequence" => DataType::Int32,
            "offset" | "producerId" | "batchOffset" | "batchPosition" => DataType::Int64,
            "timestamp" => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            "isTransactional" | "isControl" => DataType::Boolean,
            "headers" => DataType::List(headers.clone().into()),
            "_error" => DataType::Struct(error.clone().into()),
            _ => return Err(LogError::new(ErrorKind::Option, format!("unknown column {name}"))),
        };
        fields.push(Field::new(name, data_type, true));
    }
    Ok(DataType::Struct(fields.into()))
}
