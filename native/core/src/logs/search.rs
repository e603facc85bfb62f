//! Which files hold the logs: folders named by topic and partition, segments named by their base offset, snapshots.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::host::Entry;
use super::names::{self, LogName};
use super::paths;
use super::storage::{Listing, Storage};
use crate::outcome::{Error, Kind, Outcome, fail};

const CLUSTER_METADATA_TOPIC: &str = "__cluster_metadata";
/// What every log folder of a broker has, with or without topics.
const BROKER_FILE: &str = "meta.properties";

/// Leader epochs, and where they begin (upstream: `LeaderEpochCheckpointFile`).
pub const EPOCHS_FILE: &str = "leader-epoch-checkpoint";

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
    /// Whether the leader epochs of the partition, and a snapshot of the producers at its end, are beside it.
    pub has_epochs: bool,
    pub has_next_snapshot: bool,
    /// Why nothing of it can be read: it is missing, or not a regular file.
    pub damage: Option<String>,
}

impl Segment {
    /// The offset that the segment ends before.
    pub fn end_offset(&self) -> i64 {
        self.next_base_offset.unwrap_or(i64::MAX)
    }
}

/// The files of one partition (or single files of it) in one folder, in order of offsets.
#[derive(Clone, Debug, Serialize)]
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

/// The logs that are wanted.
pub struct FoundLogs {
    /// In the order of topic, partition and folder.
    pub logs: Vec<Log>,
    /// The topics and partitions that are there, wanted or not.
    pub partitions: BTreeSet<(String, i32)>,
    /// What was left out, and why.
    pub warnings: Vec<String>,
}

/// Whether a topic and partition are to be read; `None` where they are not known.
pub type Wanted<'w> = &'w dyn Fn(Option<&LogName>) -> bool;

/// The logs in folders of brokers or partitions, and in single `.log` and `.checkpoint` files; patterns are allowed.
///
/// Folders marked as deleted, stray or future are left out unless a path names them. A partition's folder gives its
/// segments; its snapshots are read where paths name them. It is an error if a path has no logs, wanted or not, unless
/// they may be missing.
pub fn find_logs(storage: &Storage, given: &[String], wanted: Wanted<'_>, may_be_empty: bool) -> Outcome<FoundLogs> {
    let mut search = Search {
        storage,
        wanted,
        partitions: BTreeSet::new(),
        chosen: BTreeMap::new(),
        unreadable: BTreeMap::new(),
        warnings: Vec::new(),
    };
    for path in given {
        if !search.path(path)? && !may_be_empty && !search.is_empty_broker(path)? {
            let text = format!(
                "{path} holds no Kafka logs: neither folders such as orders-0 nor files such as {:020}.log",
                0
            );
            return fail(Kind::Path, text);
        }
    }
    let Search {
        partitions,
        chosen,
        unreadable,
        warnings,
        ..
    } = search;
    let logs = chosen
        .into_iter()
        .map(|(folder, files)| partition_log(storage, &folder, files));
    let mut logs = logs.collect::<Outcome<Vec<Log>>>()?;
    logs.extend(unreadable.into_values());
    logs.sort_by_cached_key(|log| (log.key(), log.folder.clone()));
    Ok(FoundLogs {
        logs,
        partitions,
        warnings,
    })
}

/// The log of a whole folder of a partition as it is now.
pub fn log_now(storage: &Storage, folder: &str) -> Outcome<Log> {
    partition_log(storage, folder, Files::all(None))
}

/// The files of a folder that are wanted.
#[derive(Default)]
struct Files {
    is_whole: bool,
    names: BTreeSet<String>,
    /// What is in the folder, if it was listed.
    listing: Option<Listing>,
}

impl Files {
    fn all(listing: Option<Listing>) -> Self {
        Files {
            is_whole: true,
            names: BTreeSet::new(),
            listing,
        }
    }
}

struct Search<'f> {
    storage: &'f Storage,
    wanted: Wanted<'f>,
    partitions: BTreeSet<(String, i32)>,
    chosen: BTreeMap<String, Files>,
    /// Folders that can't be listed.
    unreadable: BTreeMap<String, Log>,
    warnings: Vec<String>,
}

impl Search<'_> {
    /// Notes what a path names; says whether there are logs, wanted or not.
    fn path(&mut self, path: &str) -> Outcome<bool> {
        let is_pattern = paths::is_pattern(path);
        let mut is_any = false;
        let found = self.storage.matching(&absolute(path)?)?;
        if found.is_empty() && !is_pattern {
            return fail(Kind::Path, format!("{path} does not exist"));
        }
        for (full, entry) in found {
            let state = names::log_name(&full).and_then(|name| name.state);
            if state.is_some_and(|state| is_pattern && !path.trim_end_matches('/').ends_with(&format!("-{state}"))) {
                continue;
            }
            if names::is_log_file(&full) && (!entry.is_folder || entry.problem.is_some()) {
                let (folder, name) = (paths::parent(&full), paths::name(&full).to_owned());
                let topic = topic_of(&folder, std::slice::from_ref(&name));
                self.take(
                    &folder,
                    Files {
                        names: BTreeSet::from([name]),
                        ..Files::default()
                    },
                    topic.as_ref(),
                );
                is_any = true;
            } else if let Some(problem) = entry.problem {
                if entry.is_folder {
                    self.take_unreadable(&full, problem);
                    is_any = true;
                } else if !is_pattern {
                    return fail(Kind::Path, format!("{full} can't be read: {problem}"));
                }
            } else if entry.is_folder {
                is_any |= self.folder(&full)?;
            } else if !is_pattern {
                let text = format!("{full} is not a log: segments are named *.log, snapshots *.checkpoint");
                return fail(Kind::Path, text);
            }
        }
        Ok(is_any)
    }

    fn is_empty_broker(&self, path: &str) -> Outcome<bool> {
        Ok(!paths::is_pattern(path) && self.storage.entry(&paths::join(path, BROKER_FILE))?.is_some())
    }

    /// Notes a partition; chooses files of a folder of it, if it is wanted.
    fn take(&mut self, folder: &str, files: Files, name: Option<&LogName>) {
        self.partitions
            .extend(name.map(|name| (name.topic.clone(), name.partition)));
        if (self.wanted)(name) {
            let chosen = self.chosen.entry(folder.to_owned()).or_default();
            chosen.is_whole |= files.is_whole;
            chosen.names.extend(files.names);
            chosen.listing = files.listing.or(chosen.listing.take());
        }
    }

    /// Notes a folder that can't be listed: its log is damage alone.
    fn take_unreadable(&mut self, path: &str, problem: String) {
        let name = names::log_name(path);
        self.partitions
            .extend(name.iter().map(|name| (name.topic.clone(), name.partition)));
        if (self.wanted)(name.as_ref()) {
            self.unreadable
                .insert(path.to_owned(), unreadable_log(path, name, problem));
        }
    }

    fn folder(&mut self, folder: &str) -> Outcome<bool> {
        // A folder of a broker may be called as a partition's is: kafka-logs-1.
        let listing = self.storage.list(folder)?;
        if has_segments(&listing) {
            self.take(folder, Files::all(Some(listing)), names::log_name(folder).as_ref());
            return Ok(true);
        }
        let (readable, mut is_any) = self.readable(folder, &listing);
        let inner = self.partitions_in(folder, &readable)?;
        let (wanted, others): (Vec<_>, Vec<_>) = inner
            .into_iter()
            .filter(|(_, name)| name.state.is_none())
            .partition(|(_, name)| (self.wanted)(Some(name)));
        self.storage.expect(wanted.iter().map(|(path, _)| path))?;
        is_any |= !others.is_empty();
        for (path, name) in others {
            // Others are not even listed: that they are named as partitions are must do.
            self.take(&path, Files::all(None), Some(&name));
        }
        for (path, name) in wanted {
            let listing = self.storage.list(&path)?;
            if has_segments(&listing) {
                self.take(&path, Files::all(Some(listing)), Some(&name));
                is_any = true;
            }
        }
        Ok(is_any)
    }

    /// The names of folders in a folder. Those of partitions that can't be listed are noted, and it says whether there
    /// are any.
    fn readable(&mut self, folder: &str, listing: &Listing) -> (Vec<String>, bool) {
        let (mut readable, mut is_any) = (Vec::new(), false);
        for (name, entry) in listing.iter().filter(|(_, entry)| entry.is_folder) {
            let path = paths::join(folder, name);
            let is_log = names::folder_name(name).is_some_and(|found| found.state.is_none());
            match &entry.problem {
                None => readable.push(name.clone()),
                Some(problem) if is_log || names::tiered_topic(name).is_some() => {
                    self.take_unreadable(&path, problem.clone());
                    is_any = true;
                }
                Some(problem) => self.warnings.push(format!("{path} is left out: {problem}")),
            }
        }
        (readable, is_any)
    }

    /// The folders of partitions in a folder, by what their names say.
    fn partitions_in(&self, folder: &str, names: &[String]) -> Outcome<Vec<(String, LogName)>> {
        let mut found = Vec::new();
        let mut of_topics = Vec::new();
        for name in names {
            let path = paths::join(folder, name);
            match names::folder_name(name) {
                Some(parsed) => found.push((path, parsed)),
                None if names::tiered_topic(name).is_some() => of_topics.push(path),
                None => {}
            }
        }
        self.storage.expect(&of_topics)?;
        for above in of_topics {
            let inner = self.storage.list(&above)?;
            let paths = inner.keys().map(|name| paths::join(&above, name));
            found.extend(paths.filter_map(|path| names::log_name(&path).map(|name| (path, name))));
        }
        Ok(found)
    }
}

fn absolute(path: &str) -> Outcome<String> {
    if paths::is_url(path) {
        return Ok(path.to_owned());
    }
    let full = std::path::absolute(path).map_err(|error| Error::of_file(path, error))?;
    Ok(full.to_str().unwrap_or(path).to_owned())
}

fn is_segment(listing: &Listing, name: &str) -> bool {
    names::is_segment_among(name, |other| listing.contains_key(other))
}

fn has_segments(listing: &Listing) -> bool {
    listing.keys().any(|name| is_segment(listing, name))
}

/// The topic and partition of files in a folder, as far as names tell.
fn topic_of(folder: &str, files: &[String]) -> Option<LogName> {
    names::log_name(folder).or_else(|| {
        // The snapshot that a cluster begins with is beside the partitions.
        let is_metadata = !files.is_empty() && files.iter().all(|name| names::is_snapshot(name));
        is_metadata.then(|| LogName {
            topic: CLUSTER_METADATA_TOPIC.to_owned(),
            partition: 0,
            state: None,
        })
    })
}

/// The log that files in a folder make. Files that are gone by now are left out.
fn partition_log(storage: &Storage, folder: &str, files: Files) -> Outcome<Log> {
    let listing = files.listing.map_or_else(|| storage.list(folder), Ok)?;
    let is_wanted = |(name, entry): &(&String, &Entry)| {
        let is_named = files.names.contains(*name) || (files.is_whole && is_segment(&listing, name));
        is_named && (!entry.is_folder || entry.problem.is_some())
    };
    let mut chosen: Vec<String> = listing.iter().filter(is_wanted).map(|(name, _)| name.clone()).collect();
    let name = topic_of(folder, &chosen);
    let all = listing.keys().filter(|name| is_segment(&listing, name)).chain(&chosen);
    let mut bases: Vec<i64> = all.filter_map(|name| names::base_offset(name)).collect();
    if files.is_whole {
        let missing = missing_segments(storage, folder, &listing, &bases)?;
        chosen.extend(missing.iter().map(|base| format!("{base:020}.log")));
        bases.extend(missing);
    }
    bases.sort_unstable();
    let mut segments: Vec<Segment> = chosen
        .iter()
        .map(|name| segment(folder, &listing, name, &bases))
        .collect();
    // Snapshots come last. Names in tiered storage have no leading zeros.
    segments.sort_by_cached_key(|each| {
        (
            names::is_snapshot(&each.path),
            each.base_offset,
            each.size,
            each.path.clone(),
        )
    });
    // Of several copies of a segment in tiered storage the largest counts.
    segments.dedup_by(|larger, each| {
        let are_copies = names::is_tiered_segment(&each.path) && larger.base_offset == each.base_offset;
        if are_copies {
            std::mem::swap(larger, each);
        }
        are_copies
    });
    let (topic, partition) = name.map_or((None, None), |name| (Some(name.topic), Some(name.partition)));
    Ok(Log {
        folder: folder.to_owned(),
        topic,
        partition,
        segments,
        start_offset: 0,
        end_offset: i64::MAX,
    })
}

/// The log of a folder that can't be listed, as one segment without bytes.
fn unreadable_log(folder: &str, name: Option<LogName>, problem: String) -> Log {
    let segment = Segment {
        path: folder.to_owned(),
        size: 0,
        base_offset: None,
        next_base_offset: None,
        is_complete: true,
        identity: 0,
        is_indexed: false,
        has_epochs: false,
        has_next_snapshot: false,
        damage: Some(problem),
    };
    let (topic, partition) = name.map_or((None, None), |name| (Some(name.topic), Some(name.partition)));
    let segments = vec![segment];
    Log {
        folder: folder.to_owned(),
        topic,
        partition,
        segments,
        start_offset: 0,
        end_offset: i64::MAX,
    }
}

/// A segment by its name; one that is not there is missing.
fn segment(folder: &str, listing: &Listing, name: &str, bases: &[i64]) -> Segment {
    let path = paths::join(folder, name);
    let is_snapshot = names::is_snapshot(name);
    let base_offset = names::base_offset(name).filter(|_| !is_snapshot);
    let following = |base| bases.get(bases.partition_point(|each| *each <= base)).copied();
    let next_base_offset = base_offset.and_then(following);
    let entry = listing.get(name);
    let missing = || Some("the segment is missing, but its index is there".to_owned());
    let damage = entry.map_or_else(missing, |entry| entry.problem.clone());
    Segment {
        size: entry.map_or(0, |entry| entry.size),
        base_offset,
        next_base_offset,
        is_complete: is_snapshot || next_base_offset.is_some() || names::is_tiered_segment(name),
        identity: entry.map_or(0, |entry| entry.identity),
        is_indexed: listing
            .get(&paths::with_suffix(name, ".index"))
            .is_some_and(|index| index.size > 0),
        has_epochs: base_offset.is_some() && listing.contains_key(EPOCHS_FILE),
        has_next_snapshot: next_base_offset.is_some_and(|next| listing.contains_key(&format!("{next:020}.snapshot"))),
        damage,
        path,
    }
}

/// The base offsets of segments that are gone, though their indexes are there and later segments too.
///
/// A broker that deletes a segment renames it first, and its indexes right after it.
fn missing_segments(storage: &Storage, folder: &str, listing: &Listing, bases: &[i64]) -> Outcome<Vec<i64>> {
    let last = bases.iter().max().copied().unwrap_or(i64::MIN);
    let missing = |listing: &Listing| -> Vec<i64> {
        let indexed = listing
            .keys()
            .filter_map(|name| names::base_offset_of_index(name))
            .filter(|base| *base < last);
        let has = |base: i64| listing.keys().any(|name| name.starts_with(&format!("{base:020}.log")));
        indexed.filter(|base| !bases.contains(base) && !has(*base)).collect()
    };
    let found = missing(listing);
    if found.is_empty() {
        return Ok(found);
    }
    // A folder is not listed in one moment.
    let again = missing(&storage.list(folder)?);
    Ok(found.into_iter().filter(|base| again.contains(base)).collect())
}
