//! Topic ids, which brokers since Kafka 2.8 write into the folders of partitions (upstream: `PartitionMetadataFile`).

use std::collections::{BTreeMap, BTreeSet};

use super::log::Log;
use super::names;
use super::paths;
use super::storage::Storage;

/// The file in a partition's folder that contains the topic id.
pub const METADATA_FILE: &str = "partition.metadata";

/// The maximum size of this file, which has two short lines.
const MOST_BYTES: usize = 1 << 12;

/// The maximum number of characters in an id: 16 bytes as base64url.
const LONGEST_ID: usize = 22;

/// The most names of other topics in an error.
const MOST_NAMES: usize = 3;

/// Return the id of the topic that a partition's folder belongs to; `None` if it is unknown.
///
/// An unreadable file proves nothing: it may not have been copied yet, or the disk may have failed just now.
pub fn topic_id(storage: &Storage, folder: &str) -> Option<String> {
    let data = storage.small(&paths::join(folder, METADATA_FILE), MOST_BYTES).ok()??;
    let text = String::from_utf8_lossy(&data).into_owned();
    let id = text
        .lines()
        .find_map(|line| line.strip_prefix("topic_id: "))?
        .trim_end();
    (!id.is_empty() && id.len() <= LONGEST_ID && !id.contains(char::is_whitespace)).then(|| id.to_owned())
}

/// The number of a log, with its topic and topic id.
struct Identified {
    number: usize,
    topic: String,
    id: String,
}

/// Mark logs as damaged if their ids belong to different topics. In a broker's folder, each topic has one id, and each
/// id belongs to one topic.
///
/// If it is unknown which of two logs is wrong, both are marked. Ids in object stores are not read, because each takes
/// a request.
pub fn mark_others(storage: &Storage, logs: &mut [Log]) {
    let mut by_folder: BTreeMap<String, Vec<Identified>> = BTreeMap::new();
    for (number, log) in logs.iter().enumerate() {
        let is_in_use = names::log_name(&log.folder).is_some_and(|name| name.state.is_none());
        let Some(topic) = log.topic.clone().filter(|_| is_in_use && !paths::is_url(&log.folder)) else {
            continue;
        };
        if let Some(id) = topic_id(storage, &log.folder) {
            by_folder
                .entry(paths::parent(&log.folder))
                .or_default()
                .push(Identified { number, topic, id });
        }
    }
    for all in by_folder.values() {
        for number in contradicting(all) {
            let Identified { number, topic, id } = &all[number];
            let others: BTreeSet<&str> = all
                .iter()
                .filter(|one| one.id == *id)
                .map(|one| one.topic.as_str())
                .collect();
            let names: Vec<&str> = others.into_iter().filter(|name| name != topic).collect();
            let of = if names.is_empty() {
                "partitions of this topic beside it have another one".to_owned()
            } else {
                format!("so has {}", some_of(&names))
            };
            let text = format!("the folder is of another topic: its {METADATA_FILE} has the topic id {id}, and {of}");
            for segment in &mut logs[*number].segments {
                segment.damage.get_or_insert_with(|| text.clone());
            }
        }
    }
}

/// Return the first names and the number of all others, because each segment of a damaged log contains this text.
fn some_of(names: &[&str]) -> String {
    match names.len() {
        count if count > MOST_NAMES => format!("{} and {} others", names[..MOST_NAMES].join(", "), count - MOST_NAMES),
        _ => names.join(", "),
    }
}

/// Return the numbers of the logs whose pair of topic and id is contradicted: another pair, which has only the same
/// topic or only the same id, occurs at least as often.
fn contradicting(all: &[Identified]) -> Vec<usize> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for one in all {
        *counts.entry((&one.topic, &one.id)).or_default() += 1;
    }
    let is_outdone = |one: &&Identified| {
        let own = counts[&(one.topic.as_str(), one.id.as_str())];
        counts
            .iter()
            .any(|((topic, id), count)| (*topic == one.topic) != (*id == one.id) && *count >= own)
    };
    (0..all.len()).filter(|number| is_outdone(&&all[*number])).collect()
}
