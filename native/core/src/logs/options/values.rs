//! Parsers for option values. Their error texts describe the expected value.

use std::collections::{BTreeMap, BTreeSet};

use regex_lite::Regex;
use serde::de::DeserializeOwned;

use crate::logs::names::number;

/// The offset that means the end of a partition.
pub const LATEST: i64 = -1;
/// The offset that means the beginning of a partition.
pub const EARLIEST: i64 = -2;

/// The handling of damaged data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Damage becomes a row with a description.
    Permissive,
    /// Damage is an error.
    FailFast,
    /// Damage is logged as a warning, without a row.
    DropMalformed,
}

/// The offsets at which a query begins or ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offsets {
    /// At the beginning.
    Earliest,
    /// At the end.
    Latest,
    /// At a separate offset in each partition.
    Each(BTreeMap<(String, i32), i64>),
}

/// Parse `true` or `false`.
pub fn flag(text: &str) -> Result<bool, String> {
    one_of(text, ["true", "false"]).map(|is_false| !is_false)
}

/// Return a regular expression that only matches whole names.
pub fn pattern(text: &str) -> Result<Regex, String> {
    let invalid = |problem| format!("invalid regular expression '{text}': {problem}");
    Regex::new(text).map_err(invalid)?;
    Regex::new(&format!("^(?:{text})$")).map_err(invalid)
}

/// Whether a string is the second of two words; fail if it is neither of them.
pub fn one_of(text: &str, words: [&str; 2]) -> Result<bool, String> {
    let found = words.iter().position(|word| word.eq_ignore_ascii_case(text));
    found
        .map(|number| number == 1)
        .ok_or_else(|| format!("expected {}, not '{text}'", words.join(" or ")))
}

/// Parse the name of a mode.
pub fn mode(text: &str) -> Result<Mode, String> {
    let modes = [Mode::Permissive, Mode::FailFast, Mode::DropMalformed];
    let found = modes
        .into_iter()
        .find(|mode| format!("{mode:?}").eq_ignore_ascii_case(text));
    found.ok_or_else(|| format!("expected mode PERMISSIVE or FAILFAST or DROPMALFORMED, not '{text}'"))
}

pub fn whole(text: &str, least: i64) -> Result<i64, String> {
    let found = number(text).filter(|number| *number >= least);
    found.ok_or_else(|| format!("expected a whole number of at least {least}, not '{text}'"))
}

/// Return the words of a comma-separated list; fail if it has none.
pub fn listed(text: &str) -> Result<Vec<String>, String> {
    let parts: Vec<String> = text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect();
    if parts.is_empty() {
        Err("expected a list such as orders,payments".to_owned())
    } else {
        Ok(parts)
    }
}

pub fn ranges(text: &str) -> Result<Vec<(i32, i32)>, String> {
    let parse = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (number(first)?, number(last)?);
        (first <= last).then_some((first, last))
    };
    let problem = |part: &str| format!("expected numbers and ranges such as 0,3,8-11, not '{part}'");
    listed(text)?
        .iter()
        .map(|part| parse(part).ok_or_else(|| problem(part)))
        .collect()
}

/// Parse a number of bytes with an optional unit: `64m` and `64 MiB` are 67108864.
pub fn byte_count(text: &str, most: Option<u64>) -> Result<u64, String> {
    let lowered = text.trim().to_lowercase();
    let count = lowered.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, unit) = lowered.split_at(count);
    let unit = unit.trim_start().trim_end_matches("ib").trim_end_matches('b');
    let shift = ["", "k", "m", "g", "t"]
        .iter()
        .position(|known| *known == unit)
        .map(|number| 10 * number);
    let number = digits
        .parse::<u64>()
        .ok()
        .zip(shift)
        .and_then(|(number, shift)| number.checked_mul(1 << shift));
    let most_text = most.map_or(String::new(), |most| format!(" up to {most}"));
    number
        .filter(|number| *number > 0 && most.is_none_or(|most| *number <= most))
        .ok_or_else(|| format!("expected a number of bytes{most_text} such as 67108864 or 64m, not '{text}'"))
}

pub fn path_list(text: &str) -> Result<Vec<String>, String> {
    json(text, r#"expected JSON such as ["/logs/a", "/logs/b"]"#)
}

pub fn assignment(text: &str) -> Result<BTreeSet<(String, i32)>, String> {
    let found: BTreeMap<String, Vec<i32>> = json(text, r#"expected JSON such as {"orders":[0,1],"payments":[2]}"#)?;
    let pairs =
        |(topic, partitions): (String, Vec<i32>)| partitions.into_iter().map(move |number| (topic.clone(), number));
    Ok(found.into_iter().flat_map(pairs).collect())
}

pub fn starting(text: &str) -> Result<Offsets, String> {
    if text.trim().eq_ignore_ascii_case("earliest") {
        return Ok(Offsets::Earliest);
    }
    offsets(
        text,
        r#"expected earliest, latest, or JSON such as {"orders":{"0":23,"1":-2}}"#,
        EARLIEST,
    )
}

pub fn ending(text: &str) -> Result<Offsets, String> {
    offsets(
        text,
        r#"expected latest, or JSON such as {"orders":{"0":50,"1":-1}}"#,
        LATEST,
    )
}

fn offsets(text: &str, advice: &str, least: i64) -> Result<Offsets, String> {
    if text.trim().eq_ignore_ascii_case("latest") {
        return Ok(Offsets::Latest);
    }
    let mut found = BTreeMap::new();
    for (topic, partitions) in json::<BTreeMap<String, BTreeMap<i32, i64>>>(text, advice)? {
        for (partition, number) in partitions {
            if number < least {
                return Err(format!(
                    "{advice}; {number} for {topic}-{partition} is less than {least}"
                ));
            }
            found.insert((topic.clone(), partition), number);
        }
    }
    Ok(Offsets::Each(found))
}

fn json<T: DeserializeOwned>(text: &str, advice: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|_| format!("{advice}, not '{text}'"))
}
