//! Which files hold the logs: folders named by topic and partition, segments named by their base offset, snapshots.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::error::{ErrorKind, LogError, LogResult, fail};
use super::names::{self, LogName};
use super::paths;
use super::storage::{Folders, Kind, Listing, Storage};

const CLUSTER_METADATA_TOPIC: &str = "__cluster_metadata";
/// What every log folder of a broker has, with or without topics.
const BROKER_FILE: &str = "meta.properties";

/// One file of record batches, at most `size` bytes of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Segment {
    /// The path.
    pub path: String,
    /// How many bytes there are.
    pub size: u64,
    /// The offset that its name says, `None` for files that are not named so.
    pub base_offset: Option<i64>,
    /// The base offset of the segment after it; `None` for the last one, which may still grow.
    pub next_base_offset: Option<i64>,
    /// Whether nothing is ever appended to it: a segment with another after it, and a snapshot.
    pub is_complete: bool,
    /// Tells the file from one that has its name later.
    pub identity: u64,
    /// Whether there is an offset index with entries beside it.
    pub is_indexed: bool,
    /// Why nothing of it can be read: it is missing, or a broken link.
    pub damage: Option<String>,
}

impl Segment {
    /// The offset that the segment ends before.
    pub fn end_offset(&self) -> i64 {
        self.next_base_offset.unwrap_or(i64::MAX)
    }
}

/// The files of one partition (or single files of it) in one folder, in order of offsets.
#[derive(Clone, Debug)]
pub struct Log {
    /// The folder.
    pub folder: String,
    /// The topic, as far as names tell.
    pub topic: Option<String>,
    /// The number of the partition.
    pub partition: Option<i32>,
    /// The files.
    pub segments: Vec<Segment>,
    /// The log start offset: what is before it was deleted.
    pub start_offset: i64,
    /// The first offset that is not to be read: the high watermark, where that is wanted.
    pub end_offset: i64,
}

impl Log {
    /// Topic and partition.
    pub fn key(&self) -> (String, i32) {
        (self.topic.clone().unwrap_or_default(), self.partition.unwrap_or(0))
    }

    /// The first and the last offset that are to be read, `None` for all.
    pub fn offsets(&self) -> Option<(i64, i64)> {
        if (self.start_offset, self.end_offset) == (0, i64::MAX) {
            return None;
        }
        Some((self.start_offset, self.end_offset.saturating_sub(1)))
    }
}

/// The logs that are wanted, and the topics of all that are there.
pub struct FoundLogs {
    /// In the order of topic, partition and folder.
    pub logs: Vec<Log>,
    /// All topics, wanted or not.
    pub topics: BTreeSet<String>,
    /// All partitions.
    pub partitions: BTreeSet<(String, i32)>,
}

/// Whether a topic and partition are to be read; `None` where they are not known.
pub type Wanted<'w> = &'w dyn Fn(Option<&str>, Option<i32>) -> bool;

/// The logs in folders of brokers or partitions, and in single `.log` and `.checkpoint` files; patterns are allowed.
///
/// Folders marked as deleted, stray or future are left out unless a path names them. A partition's folder gives its segments; its
/// snapshots are read where paths name them. It is an error if a path has no logs, wanted or not, unless they may be missing.
pub fn find_logs(
    folders: &Folders<'_>,
    given: &[String],
    wanted: Wanted<'_>,
    may_be_empty: bool,
) -> LogResult<FoundLogs> {
    let mut search = Search { folders, topics: BTreeSet::new(), partitions: BTreeSet::new(), chosen: BTreeMap::new() };
    let of_stores = given.iter().filter(|path| names::is_log_file(path)).map(|path| paths::parent(path));
    let of_stores: BTreeSet<String> = of_stores.filter(|folder| !folders.storage.is_local(folder)).collect();
    folders.expect(&of_stores.into_iter().collect::<Vec<_>>())?;
    for path in given {
        let is_any = search.path(path, wanted)?;
        if !is_any && !may_be_empty && !search.is_empty_broker(path)? {
            let text = format!(
                "{} holds no Kafka logs: neither folders such as orders-0 nor files such as {:020}.log",
                path, 0
            );
            return fail(ErrorKind::Path, text);
        }
    }
    let Search { topics, partitions, chosen, .. } = search;
    let mut logs = Vec::new();
    for (folder, files) in &chosen {
        logs.push(partition_log(folders, folder, files)?);
    }
    logs.sort_by(|one, other| {
        let key = |log: &Log| (log.topic.clone().unwrap_or_default(), log.partition.unwrap_or(0));
        key(one).cmp(&key(other)).then_with(|| one.folder.cmp(&other.folder))
    });
    Ok(FoundLogs { logs, topics, partitions })
}

/// The log of a whole folder of a partition as it is now.
pub fn log_now(storage: &dyn Storage, folder: &str) -> LogResult<Log> {
    partition_log(&Folders::new(storage), folder, &Files { is_whole: true, names: BTreeSet::new() })
}

/// The files of a folder that are wanted.
#[derive(Default)]
struct Files {
    is_whole: bool,
    names: BTreeSet<String>,
}

struct Search<'f> {
    folders: &'f Folders<'f>,
    topics: BTreeSet<String>,
    partitions: BTreeSet<(String, i32)>,
    chosen: BTreeMap<String, Files>,
}

impl Search<'_> {
    /// Notes what a path names; says whether there are logs, wanted or not.
    fn path(&mut self, path: &str, wanted: Wanted<'_>) -> LogResult<bool> {
        let is_pattern = paths::is_pattern(path);
        let mut is_any = false;
        for each in self.folders.expanded(path)? {
            let full = self.absolute(&each)?;
            let state = names::log_name(&full).and_then(|name| name.state);
            if let Some(state) = state
                && is_pattern
                && !path.trim_end_matches('/').ends_with(&format!("-{state}"))
            {
                continue;
            }
            match self.folders.entry(&full)?.map(|entry| entry.kind) {
                Some(Kind::Folder) => is_any |= self.folder(&full, wanted)?,
                None => return fail(ErrorKind::Path, format!("{} does not exist", path)),
                Some(_) if !is_pattern || names::is_log_file(&full) => is_any |= self.single(&full, wanted)?,
                Some(_) => {}
            }
        }
        Ok(is_any)
    }

    fn absolute(&self, path: &str) -> LogResult<String> {
        if paths::is_url(path) || !self.folders.storage.is_local(path) {
            return Ok(path.to_owned());
        }
        let full = std::path::absolute(path).map_err(|error| LogError::of_file(path, error))?;
        Ok(full.to_str().unwrap_or(path).to_owned())
    }

    fn is_empty_broker(&self, path: &str) -> LogResult<bool> {
        Ok(!paths::is_pattern(path) && self.folders.entry(&paths::join(path, BROKER_FILE))?.is_some())
    }

    fn folder(&mut self, folder: &str, wanted: Wanted<'_>) -> LogResult<bool> {
        // A folder of a broker may be called as a partition's is: kafka-logs-1.
        let listing = self.folders.list(folder)?;
        if has_segments(&listing) {
            self.whole(folder, names::log_name(folder).as_ref(), wanted);
            return Ok(true);
        }
        let inner: Vec<(String, LogName)> =
            self.partitions_in(folder, &listing)?.into_iter().filter(|(_, name)| name.state.is_none()).collect();
        let is_wanted = |name: &LogName| wanted(Some(&name.topic), Some(name.partition));
        let expected: Vec<String> =
            inner.iter().filter(|(_, name)| is_wanted(name)).map(|(path, _)| path.clone()).collect();
        self.folders.expect(&expected)?;
        let mut is_any = false;
        for (path, name) in &inner {
            // Others are not even listed: that they are named as partitions are must do.
            if !is_wanted(name) {
                self.note(Some(name));
                is_any = true;
            } else if has_segments(&*self.folders.list(path)?) {
                self.whole(path, Some(name), wanted);
                is_any = true;
            }
        }
        Ok(is_any)
    }

    /// The folders of partitions in a folder, by what their names say.
    fn partitions_in(&self, folder: &str, listing: &Listing) -> LogResult<Vec<(String, LogName)>> {
        let mut found: Vec<(String, LogName)> = Vec::new();
        let mut of_topics = Vec::new();
        for (name, entry) in listing {
            if entry.kind != Kind::Folder {
                continue;
            }
            match names::folder_name(name) {
                Some(parsed) => found.push((paths::join(folder, name), parsed)),
                None if names::tiered_topic(name).is_some() => of_topics.push(paths::join(folder, name)),
                None => {}
            }
        }
        self.folders.expect(&of_topics)?;
        for above in of_topics {
            for name in self.folders.list(&above)?.keys() {
                let path = paths::join(&above, name);
                found.extend(names::log_name(&path).map(|parsed| (path, parsed)));
            }
        }
        Ok(found)
    }

    fn single(&mut self, file: &str, wanted: Wanted<'_>) -> LogResult<bool> {
        if !names::is_log_file(file) {
            let text = format!("{} is not a log: segments are named *.log, snapshots *.checkpoint", file);
            return fail(ErrorKind::Path, text);
        }
        let folder = paths::parent(file);
        let name = topic_of(&folder, std::iter::once(file));
        self.note(name.as_ref());
        if wanted(name.as_ref().map(|name| name.topic.as_str()), name.as_ref().map(|name| name.partition)) {
            self.chosen.entry(folder).or_default().names.insert(paths::name(file).to_owned());
        }
        Ok(true)
    }

    fn note(&mut self, name: Option<&LogName>) {
        if let Some(name) = name {
            self.topics.insert(name.topic.clone());
            self.partitions.insert((name.topic.clone(), name.partition));
        }
    }

    fn whole(&mut self, folder: &str, name: Option<&LogName>, wanted: Wanted<'_>) {
        self.note(name);
        if wanted(name.map(|name| name.topic.as_str()), name.map(|name| name.partition)) {
            self.chosen.entry(folder.to_owned()).or_default().is_whole = true;
        }
    }
}

fn is_segment(listing: &Listing, name: &str) -> bool {
    names::is_segment_among(name, |other| listing.contains_key(other))
}

fn has_segments(listing: &Listing) -> bool {
    listing.keys().any(|name| is_segment(listing, name))
}

/// The topic and partition of files in a folder, as far as names tell.
fn topic_of<'n>(folder: &str, mut files: impl Iterator<Item = &'n str>) -> Option<LogName> {
    names::log_name(folder).or_else(|| {
        // The snapshot that a cluster begins with is beside the partitions.
        let is_metadata = files.by_ref().next().is_some_and(names::is_snapshot) && files.all(names::is_snapshot);
        is_metadata.then(|| LogName { topic: CLUSTER_METADATA_TOPIC.to_owned(), partition: 0, state: None })
    })
}

/// The log that files in a folder make. Files that are gone by now are left out.
fn partition_log(folders: &Folders<'_>, folder: &str, files: &Files) -> LogResult<Log> {
    let listing = folders.list(folder)?;
    let mut chosen: Vec<&str> = Vec::new();
    for (name, entry) in listing.iter() {
        let is_wanted = files.names.contains(name) || (files.is_whole && is_segment(&listing, name));
        if is_wanted && entry.kind != Kind::Folder {
            chosen.push(name);
        }
    }
    let name = topic_of(folder, chosen.iter().copied());
    let mut bases: Vec<i64> =
        listing.keys().filter(|name| is_segment(&listing, name)).filter_map(|name| names::base_offset(name)).collect();
    bases.extend(chosen.iter().filter_map(|name| names::base_offset(name)));
    let missing = if files.is_whole { missing_segments(folders, folder, &listing, &bases)? } else { Vec::new() };
    bases.extend(&missing);
    bases.sort_unstable();
    bases.dedup();
    let mut segments: Vec<Segment> =
        without_copies(&listing, &chosen).into_iter().map(|name| segment(folder, &listing, name, &bases)).collect();
    segments.extend(missing.into_iter().map(|base| missing_segment(folder, base, &bases)));
    // Snapshots come last. Names in tiered storage have no leading zeros.
    segments.sort_by_cached_key(|each| (names::is_snapshot(&each.path), each.base_offset, each.path.clone()));
    let (topic, partition) = name.map_or((None, None), |name| (Some(name.topic), Some(name.partition)));
    Ok(Log { folder: folder.to_owned(), topic, partition, segments, start_offset: 0, end_offset: i64::MAX })
}

/// The files; of several copies of a segment in tiered storage the largest.
fn without_copies<'n>(listing: &Listing, chosen: &[&'n str]) -> Vec<&'n str> {
    let mut largest: BTreeMap<i64, &str> = BTreeMap::new();
    let size = |name: &str| listing.get(name).map_or(0, |entry| entry.size);
    let mut kept = Vec::new();
    for name in chosen {
        match names::base_offset(name).filter(|_| names::is_tiered_segment(name)) {
            None => kept.push(*name),
            Some(base) => {
                let known = largest.entry(base).or_insert(name);
                if size(known) <= size(name) {
                    *known = name;
                }
            }
        }
    }
    kept.extend(largest.into_values());
    kept
}

fn following(bases: &[i64], base: Option<i64>) -> Option<i64> {
    bases.get(bases.partition_point(|each| Some(*each) <= base)).copied().filter(|_| base.is_some())
}

fn segment(folder: &str, listing: &Listing, name: &str, bases: &[i64]) -> Segment {
    let path = paths::join(folder, name);
    let is_snapshot = names::is_snapshot(name);
    let base_offset = names::base_offset(name).filter(|_| !is_snapshot);
    let next_base_offset = following(bases, base_offset);
    let entry = listing.get(name);
    let index = listing.get(paths::with_suffix(name, ".index").as_str());
    Segment {
        size: entry.map_or(0, |entry| entry.size),
        base_offset,
        next_base_offset,
        is_complete: is_snapshot || next_base_offset.is_some() || names::is_tiered_segment(name),
        identity: entry.map_or(0, |entry| entry.identity),
        is_indexed: index.is_some_and(|index| index.size > 0),
        damage: entry
            .is_some_and(|entry| entry.kind == Kind::BrokenLink)
            .then(|| "the segment is a link to nothing".to_owned()),
        path,
    }
}

/// The base offsets of segments that are gone, though their indexes are there and later segments too.
///
/// A broker that deletes a segment renames it first, and its indexes right after it.
fn missing_segments(folders: &Folders<'_>, folder: &str, listing: &Listing, bases: &[i64]) -> LogResult<Vec<i64>> {
    let last = bases.iter().max().copied().unwrap_or(i64::MIN);
    let missing = |listing: &Listing| -> Vec<i64> {
        let indexed = listing.keys().filter_map(|name| names::base_offset_of_index(name)).filter(|base| *base < last);
        let has = |base: i64| listing.keys().any(|name| name.starts_with(&format!("{base:020}.log")));
        indexed.filter(|base| !bases.contains(base) && !has(*base)).collect()
    };
    let found = missing(listing);
    if found.is_empty() {
        return Ok(found);
    }
    // A folder is not listed in one moment.
    let again = missing(&folders.list_again(folder)?);
    Ok(found.into_iter().filter(|base| again.contains(base)).collect())
}

fn missing_segment(folder: &str, base: i64, bases: &[i64]) -> Segment {
    Segment {
        path: paths::join(folder, &format!("{base:020}.log")),
        size: 0,
        base_offset: Some(base),
        next_base_offset: following(bases, Some(base)),
        is_complete: true,
        identity: 0,
        is_indexed: true,
        damage: Some("the segment is missing, but its index is there".to_owned()),
    }
}
