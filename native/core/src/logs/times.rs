//! Times in options: milliseconds since 1970, or ISO 8601 with a time zone. Parts of a millisecond round up, for a
//! bound means a record at or after the given time. `tests/fixtures/timestamps.json` has the cases.

use jiff::civil::{Date, DateTime};
use regex_lite::Regex;

/// Date, hours and minutes, seconds, their fraction, and zone; what is missing is told, and anything else is invalid.
const FORM: &str = concat!(
    r"^(\d{4}-\d\d-\d\d)",
    r"(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,18}))?)?)?",
    r"(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$",
);

/// The milliseconds that a text says; otherwise what to write instead.
pub fn parse(text: &str) -> Result<i64, String> {
    let shown = || -> String {
        text.chars()
            .take(40)
            .map(|one| if matches!(one, ' '..='~') { one } else { '?' })
            .collect()
    };
    let invalid = || {
        format!(
            "invalid time '{}': write for example 2026-11-01T00:00Z or 1793491200000",
            shown()
        )
    };
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text
            .parse()
            .map_err(|_| format!("invalid time '{}': the maximum is {} milliseconds", shown(), i64::MAX));
    }
    let missing = |what: &str, written: &str| {
        format!(
            "missing {what} in '{}': write {written}Z for UTC, or {written}+01:00",
            shown()
        )
    };
    let found = Regex::new(FORM)
        .ok()
        .and_then(|form| form.captures(text))
        .ok_or_else(invalid)?;
    let date = found[1]
        .parse()
        .ok()
        .filter(|date: &Date| date.year() > 0)
        .ok_or_else(invalid)?;
    let part = |number| found.get(number).map(|part| part.as_str());
    let time = part(2).ok_or_else(|| missing("time and time zone", &format!("{date}T00:00")))?;
    let zone = part(5).ok_or_else(|| missing("time zone", text))?;
    let at: DateTime = format!("{date}T{time}:{}", part(3).unwrap_or("00"))
        .parse()
        .map_err(|_| invalid())?;
    let seconds = at.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0)).as_secs();
    let ahead = zone
        .get(1..)
        .and_then(|ahead| ahead.split_once(':'))
        .map_or(0, |(hours, minutes)| {
            hours.parse::<i64>().unwrap_or(0) * 3600 + minutes.parse::<i64>().unwrap_or(0) * 60
        });
    let seconds = if zone.starts_with('-') {
        seconds + ahead
    } else {
        seconds - ahead
    };
    let fraction: u64 = format!("{:0<18}", part(4).unwrap_or(""))
        .parse()
        .map_err(|_| invalid())?;
    let milliseconds = seconds * 1000 + fraction.div_ceil(1_000_000_000_000_000) as i64;
    if milliseconds < 0 {
        Err(format!("invalid time '{}': it is before 1970", shown()))
    } else {
        Ok(milliseconds)
    }
}
