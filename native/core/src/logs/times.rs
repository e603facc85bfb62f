//! Times in options: milliseconds since 1970, or ISO 8601 with a time zone. Fractions of a millisecond are rounded up,
//! because a bound selects records at or after the time. The test cases are in `tests/fixtures/timestamps.json`.

use jiff::civil::{Date, DateTime};
use regex_lite::Regex;

/// The groups are the date, hours and minutes, seconds, their fraction, and the time zone. A string without a time or a
/// time zone also matches, so that the error can name the missing part.
const FORM: &str = concat!(
    r"^(\d{4}-\d\d-\d\d)",
    r"(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,18}))?)?)?",
    r"(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$",
);

/// The maximum number of characters of a string that an error shows.
const LONGEST_SHOWN: usize = 40;
/// The maximum number of digits in a fraction of a second, down to attoseconds.
const FRACTION_DIGITS: usize = 18;
const ATTOSECONDS_IN_MILLISECOND: u64 = 1_000_000_000_000_000;

/// Return the milliseconds since 1970 for a time, or an error that shows what to write instead.
pub fn parse(text: &str) -> Result<i64, String> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let too_large = |_| {
            let (shown, most) = (shown(text), i64::MAX);
            format!("invalid time '{shown}': the maximum is {most} milliseconds")
        };
        return text.parse().map_err(too_large);
    }
    let milliseconds = parse_iso(text)?;
    if milliseconds < 0 {
        return Err(format!("invalid time '{}': it is before 1970", shown(text)));
    }
    Ok(milliseconds)
}

/// Return the milliseconds since 1970 for an ISO 8601 time; negative before 1970.
fn parse_iso(text: &str) -> Result<i64, String> {
    let invalid = || invalid(text);
    let found = Regex::new(FORM)
        .ok()
        .and_then(|form| form.captures(text))
        .ok_or_else(invalid)?;
    let part = |number| found.get(number).map(|part| part.as_str());

    let date = found[1]
        .parse()
        .ok()
        .filter(|date: &Date| date.year() > 0)
        .ok_or_else(invalid)?;
    let time = part(2).ok_or_else(|| missing(text, "time and time zone", &format!("{date}T00:00")))?;
    let zone = part(5).ok_or_else(|| missing(text, "time zone", text))?;
    let at: DateTime = format!("{date}T{time}:{}", part(3).unwrap_or("00"))
        .parse()
        .map_err(|_| invalid())?;
    let attoseconds: u64 = format!("{:0<FRACTION_DIGITS$}", part(4).unwrap_or(""))
        .parse()
        .map_err(|_| invalid())?;

    let local_seconds = at.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0)).as_secs();
    let seconds = local_seconds - seconds_ahead(zone);
    Ok(seconds * 1000 + attoseconds.div_ceil(ATTOSECONDS_IN_MILLISECOND) as i64)
}

/// Return how many seconds a time zone (`Z`, `+01:00`) is ahead of UTC.
fn seconds_ahead(zone: &str) -> i64 {
    let Some((hours, minutes)) = zone.get(1..).and_then(|ahead| ahead.split_once(':')) else {
        return 0;
    };
    let ahead = hours.parse::<i64>().unwrap_or(0) * 3600 + minutes.parse::<i64>().unwrap_or(0) * 60;
    if zone.starts_with('-') { -ahead } else { ahead }
}

fn invalid(text: &str) -> String {
    let shown = shown(text);
    format!("invalid time '{shown}': write for example 2026-11-01T00:00Z or 1793491200000")
}

fn missing(text: &str, what: &str, written: &str) -> String {
    let shown = shown(text);
    format!("missing {what} in '{shown}': write {written}Z for UTC, or {written}+01:00")
}

/// Return a string in printable ASCII, shortened if it is long.
fn shown(text: &str) -> String {
    text.chars()
        .take(LONGEST_SHOWN)
        .map(|one| if matches!(one, ' '..='~') { one } else { '?' })
        .collect()
}
