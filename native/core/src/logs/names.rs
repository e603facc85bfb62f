//! The names of folders and files, both in a broker's log folders (`log.dirs`) and in tiered storage (KIP-405).
//!
//! | | folder of a partition | segment |
//! |---|---|---|
//! | a broker | `orders-0` | `00000000000000000100.log` |
//! | Kafka's `LocalTieredStorage` | `orders-0-<topic id>` | `100-<segment id>.log` |
//! | Aiven's plugin | `orders-<topic id>/0` | `00000000000000000100-<segment id>.log` |
//!
//! Ids are UUIDs in Kafka's text form. They have 22 characters and end in A, Q, g or w, so no name fits two rows of the
//! table.

use super::paths;

const ID_LENGTH: usize = 22;
/// The number of digits in the name of a broker's segment.
const DIGITS: usize = 20;
const STATES: [&str; 3] = ["delete", "stray", "future"];

/// The parts of a partition folder's name. `state` is set if a broker marked the folder as deleted, stray or future.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct LogName {
    pub topic: String,
    pub partition: i32,
    pub state: Option<&'static str>,
}

fn is_topic(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
        && text.ends_with(['A', 'Q', 'g', 'w'])
}

/// Return the number if the text consists of digits only.
pub fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_digits { text.parse().ok() } else { None }
}

/// Return a name without the hyphen and the id at its end; `None` if it does not end in a hyphen and an id.
fn before_id(text: &str) -> Option<&str> {
    let at = text.len().checked_sub(ID_LENGTH)?;
    let id = text.get(at..)?;
    if is_id(id) {
        text.get(..at)?.strip_suffix('-')
    } else {
        None
    }
}

fn plain(name: &str) -> Option<(&str, i32)> {
    let (topic, partition) = name.rsplit_once('-')?;
    if is_topic(topic) {
        Some((topic, number(partition)?))
    } else {
        None
    }
}

/// Parse the name of a partition's folder; return `None` for other names.
pub fn folder_name(name: &str) -> Option<LogName> {
    let log_name = |(topic, partition): (&str, i32), state| LogName {
        topic: topic.to_owned(),
        partition,
        state,
    };
    for state in STATES {
        let marked = name
            .strip_suffix(state)
            .and_then(|rest| rest.strip_suffix('-'))
            .and_then(|rest| rest.rsplit_once('.'));
        if let Some((rest, id)) = marked
            && id.len() == 32
            && id
                .bytes()
                .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
            && let Some(found) = plain(rest)
        {
            return Some(log_name(found, Some(state)));
        }
    }
    let found = plain(name).or_else(|| before_id(name).and_then(plain))?;
    Some(log_name(found, None))
}

/// Parse the path of a partition's folder. If its name is only a number, the name of its parent contains the topic.
pub fn log_name(folder: &str) -> Option<LogName> {
    let own = paths::name(folder);
    let Some(partition) = number(own) else {
        return folder_name(own);
    };
    let above = paths::parent(folder);
    let topic = tiered_topic(paths::name(&above))?;
    Some(LogName {
        topic: topic.to_owned(),
        partition,
        state: None,
    })
}

/// Return the topic in the name of a folder that contains partitions named by number.
pub fn tiered_topic(name: &str) -> Option<&str> {
    before_id(name).filter(|topic| is_topic(topic))
}

/// Return the offset in the name of a broker's segment, and the part of the name after `.log`.
fn own_segment(name: &str) -> Option<(i64, &str)> {
    let rest = name.get(DIGITS..)?.strip_prefix(".log")?;
    Some((number(&name[..DIGITS])?, rest))
}

fn tiered_segment(name: &str) -> Option<i64> {
    let digits = before_id(name.strip_suffix(".log")?)?;
    if digits.len() <= DIGITS { number(digits) } else { None }
}

/// Return the offset in the name of a segment; `None` for other names.
pub fn base_offset(file: &str) -> Option<i64> {
    let name = paths::name(file);
    own_segment(name)
        .map(|(offset, _)| offset)
        .or_else(|| tiered_segment(name))
}

/// Return the offset in the name of an offset index; `None` for other names.
pub fn base_offset_of_index(name: &str) -> Option<i64> {
    if name.get(DIGITS..)? == ".index" {
        number(&name[..DIGITS])
    } else {
        None
    }
}

/// Whether a file is named like a segment in tiered storage.
pub fn is_tiered_segment(file: &str) -> bool {
    tiered_segment(paths::name(file)).is_some()
}

/// Whether a file is a segment, judged by its name and the other names in the folder.
///
/// A broker renames a cleaned segment to `.log.swap` and then to `.log`. The first name is ignored if the second one
/// exists.
pub fn is_segment_among(name: &str, is_there: impl Fn(&str) -> bool) -> bool {
    match own_segment(name) {
        Some((_, "")) => true,
        Some((_, ".swap")) => !is_there(name.trim_end_matches(".swap")),
        _ => tiered_segment(name).is_some(),
    }
}

/// Whether a file is named like a segment, in any state, or like a snapshot.
pub fn is_log_file(file: &str) -> bool {
    let name = paths::name(file);
    [".log", ".log.swap", ".log.deleted", ".log.cleaned"]
        .iter()
        .any(|suffix| name.ends_with(suffix))
        || is_snapshot(file)
}

/// Return `did you mean ...?` with the most similar known name, or `others()` if no name is similar enough.
pub fn suggestion(wanted: &str, known: &[&str], others: impl FnOnce() -> String) -> String {
    let lowered = wanted.to_lowercase();
    let distance = |name: &str| strsim::osa_distance(&lowered, &name.to_lowercase());
    let nearest = known
        .iter()
        .map(|name| (distance(name), *name))
        .min_by_key(|(distance, _)| *distance);
    match nearest {
        Some((distance, name)) if distance * 5 <= 2 * wanted.chars().count().max(name.chars().count()) => {
            format!("did you mean {name}?")
        }
        _ => others(),
    }
}

/// Whether a file is named like a snapshot of cluster metadata.
pub fn is_snapshot(file: &str) -> bool {
    paths::name(file).ends_with(".checkpoint")
}
