//! A search for the logs that paths and patterns name: folders of brokers, folders of partitions, and single files.

use std::collections::{BTreeMap, BTreeSet};

use super::host::Entry;
use super::log::{Files, Log, has_segments, log_of, topic_of};
use super::names::{self, LogName};
use super::paths;
use super::storage::{Listing, Storage};
use crate::outcome::{Error, Kind, Outcome, fail};

/// A file that every log folder of a broker contains, even without topics.
const BROKER_FILE: &str = "meta.properties";

/// The logs to read, and what else was found.
pub struct FoundLogs {
    /// The logs to read, in the order of topic, partition and folder.
    pub logs: Vec<Log>,
    /// All topics and partitions that exist, whether `wanted` selects them or not.
    pub partitions: BTreeSet<(String, i32)>,
    /// Warnings about folders that were left out, with reasons.
    pub warnings: Vec<String>,
}

impl FoundLogs {
    /// Return the names of all topics that exist, in order.
    pub fn topics(&self) -> Vec<&str> {
        let mut topics: Vec<&str> = self.partitions.iter().map(|(topic, _)| topic.as_str()).collect();
        topics.dedup();
        topics
    }
}

/// Whether to read a topic and partition; the argument is `None` if they are unknown.
pub type Wanted<'w> = &'w dyn Fn(Option<&LogName>) -> bool;

/// Find logs by the paths of brokers' folders, partitions' folders, and single `.log` or `.checkpoint` files. Paths may
/// be patterns.
///
/// Folders marked as deleted, stray or future are left out unless a path names them. All segments in a partition's
/// folder are read, but snapshots only if a path names them.
///
/// Fail if a path leads to no logs at all, unless `may_be_empty` is set or the path is a broker's folder without
/// topics. Logs that `wanted` excludes count as logs here.
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
    search.finish()
}

/// Fail if nothing exists at a path that is not a pattern.
pub fn check_paths(storage: &Storage, given: &[String]) -> Outcome<()> {
    for path in given.iter().filter(|path| !paths::is_pattern(path)) {
        if storage.entry(&absolute(path)?)?.is_none() {
            return missing(path);
        }
    }
    Ok(())
}

fn missing<T>(path: &str) -> Outcome<T> {
    fail(Kind::Path, format!("{path} does not exist"))
}

/// The kind of an entry at a path.
enum Found {
    /// Logs, whether `wanted` selects them or not.
    Logs,
    /// A folder without logs.
    NoLogs,
    /// A different kind of file, and why it is not a log.
    NotALog(String),
}

impl Found {
    fn logs(are_there: bool) -> Self {
        if are_there { Found::Logs } else { Found::NoLogs }
    }
}

struct Search<'f> {
    storage: &'f Storage,
    wanted: Wanted<'f>,
    partitions: BTreeSet<(String, i32)>,
    /// The files to read, by folder.
    chosen: BTreeMap<String, Files>,
    /// The logs whose folders can't be listed, by folder; they are reported as damaged.
    unreadable: BTreeMap<String, Log>,
    warnings: Vec<String>,
}

impl Search<'_> {
    /// Record the logs that a path or pattern names. Return whether it names any log, even if `wanted` excludes it.
    fn path(&mut self, path: &str) -> Outcome<bool> {
        let is_pattern = paths::is_pattern(path);
        let entries = self.storage.matching(&absolute(path)?)?;
        if entries.is_empty() && !is_pattern {
            return missing(path);
        }

        let mut is_any = false;
        for (full, entry) in entries {
            if is_pattern && !names_state(path, &full) {
                continue;
            }
            match self.entry(&full, entry)? {
                Found::Logs => is_any = true,
                Found::NoLogs => {}
                // A pattern may also match files that are not logs.
                Found::NotALog(_) if is_pattern => {}
                Found::NotALog(reason) => return fail(Kind::Path, reason),
            }
        }
        Ok(is_any)
    }

    /// Record the logs at a full path.
    fn entry(&mut self, full: &str, entry: Entry) -> Outcome<Found> {
        if names::is_log_file(full) && (!entry.is_folder || entry.problem.is_some()) {
            self.take_file(full);
            return Ok(Found::Logs);
        }
        match entry.problem {
            Some(problem) if entry.is_folder => {
                self.take_unreadable(full, problem);
                Ok(Found::Logs)
            }
            Some(problem) => Ok(Found::NotALog(format!("{full} can't be read: {problem}"))),
            None if entry.is_folder => Ok(Found::logs(self.folder(full)?)),
            None => Ok(Found::NotALog(format!(
                "{full} is not a log: segments are named *.log, snapshots *.checkpoint"
            ))),
        }
    }

    /// Whether a path is a broker's log folder without topics.
    fn is_empty_broker(&self, path: &str) -> Outcome<bool> {
        Ok(!paths::is_pattern(path) && self.storage.entry(&paths::join(path, BROKER_FILE))?.is_some())
    }

    /// Record a partition. Unless it is excluded, choose files in one of its folders for reading.
    fn take(&mut self, folder: &str, files: Files, name: Option<&LogName>) {
        self.note_partition(name);
        if (self.wanted)(name) {
            self.chosen.entry(folder.to_owned()).or_default().add(files);
        }
    }

    fn take_file(&mut self, path: &str) {
        let folder = paths::parent(path);
        let name = paths::name(path).to_owned();
        let topic = topic_of(&folder, std::slice::from_ref(&name));
        self.take(&folder, Files::one(name), topic.as_ref());
    }

    /// Record a folder that can't be listed: its log consists of nothing but damage.
    fn take_unreadable(&mut self, folder: &str, problem: String) {
        let name = names::log_name(folder);
        self.note_partition(name.as_ref());
        if (self.wanted)(name.as_ref()) {
            self.unreadable
                .insert(folder.to_owned(), Log::unreadable(folder, name, problem));
        }
    }

    fn note_partition(&mut self, name: Option<&LogName>) {
        self.partitions
            .extend(name.map(|name| (name.topic.clone(), name.partition)));
    }

    /// Return the logs of the chosen files.
    fn finish(self) -> Outcome<FoundLogs> {
        let chosen = self.chosen.into_iter();
        let logs = chosen.map(|(folder, files)| log_of(self.storage, &folder, files));
        let mut logs = logs.collect::<Outcome<Vec<Log>>>()?;
        logs.extend(self.unreadable.into_values());
        logs.sort_by_cached_key(|log| (log.key(), log.folder.clone()));
        Ok(FoundLogs {
            logs,
            partitions: self.partitions,
            warnings: self.warnings,
        })
    }

    /// Record the logs in a partition's or broker's folder. Return whether the folder has any log, even if `wanted`
    /// excludes all of them.
    fn folder(&mut self, folder: &str) -> Outcome<bool> {
        // A broker's folder may be named like a partition's folder: kafka-logs-1.
        let listing = self.storage.list(folder)?;
        if has_segments(&listing) {
            let name = names::log_name(folder);
            self.take(folder, Files::all_segments(Some(listing)), name.as_ref());
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
            // Other folders are not listed; their partition-like names are evidence enough.
            self.take(&path, Files::all_segments(None), Some(&name));
        }
        for (path, name) in wanted {
            let listing = self.storage.list(&path)?;
            if has_segments(&listing) {
                self.take(&path, Files::all_segments(Some(listing)), Some(&name));
                is_any = true;
            }
        }
        Ok(is_any)
    }

    /// Return the names of the readable folders in a folder, and whether it contains unreadable folders of partitions.
    /// Record the latter.
    fn readable(&mut self, folder: &str, listing: &Listing) -> (Vec<String>, bool) {
        let mut readable = Vec::new();
        let mut is_any = false;
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

    /// Return the folders of partitions in a folder, judged by their names.
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

/// Whether a pattern ends with the state (such as `delete`) in a folder's name. True for a name without a state.
fn names_state(pattern: &str, folder: &str) -> bool {
    let state = names::log_name(folder).and_then(|name| name.state);
    state.is_none_or(|state| pattern.trim_end_matches('/').ends_with(&format!("-{state}")))
}

fn absolute(path: &str) -> Outcome<String> {
    if paths::is_url(path) {
        return Ok(path.to_owned());
    }
    let full = std::path::absolute(path).map_err(|error| Error::of_file(path, error))?;
    Ok(full.to_str().unwrap_or(path).to_owned())
}
