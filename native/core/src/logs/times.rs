//! Times in options: milliseconds since 1970, or ISO 8601 with a time zone. Parts of a millisecond round up, for a bound means
//! a record at or after the given time. `tests/fixtures/timestamps.json` has the cases.

use jiff::civil::{Date, DateTime, Time};
use regex_lite::{Captures, Regex};

/// The parts of a time; what is missing is told, and anything else is invalid.
const FORM: &str =
    r"^((\d{4})-(\d\d)-(\d\d))(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,18}))?)?)?(?:(Z)|([+-])(\d\d):(\d\d))?$";

/// The milliseconds that a text says; otherwise what to write instead, in the words of `parse_timestamp` in Python.
pub fn parse(text: &str) -> Result<i64, String> {
    let shown =
        || -> String { text.chars().take(40).map(|one| if matches!(one, ' '..='~') { one } else { '?' }).collect() };
    let invalid = || format!("invalid time '{}': write for example 2026-11-01T00:00Z or 1793491200000", shown());
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text
            .parse()
            .map_err(|_| format!("invalid time '{}': the maximum is {} milliseconds", shown(), i64::MAX));
    }
    let missing = |what: &str, written: &str| {
        format!("missing {what} in '{}': write {written}Z for UTC, or {written}+01:00", shown())
    };
    let found = Regex::new(FORM).ok().and_then(|form| form.captures(text)).ok_or_else(invalid)?;
    let date = date(&found).ok_or_else(invalid)?;
    if found.get(5).is_none() {
        return Err(missing("time and time zone", &format!("{}T00:00", &found[1])));
    }
    let time = time(&found).ok_or_else(invalid)?;
    if found.get(9).or(found.get(10)).is_none() {
        return Err(missing("time zone", text));
    }
    let seconds = date.to_datetime(time).duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0)).as_secs();
    let milliseconds = (seconds - offset(&found).ok_or_else(invalid)?) * 1000 + fraction(&found);
    if milliseconds < 0 { Err(format!("invalid time '{}': it is before 1970", shown())) } else { Ok(milliseconds) }
}

/// A part as a number, 0 if it is missing.
fn number(found: &Captures<'_>, part: usize) -> i8 {
    found.get(part).map_or(0, |part| part.as_str().parse().unwrap_or(0))
}

fn date(found: &Captures<'_>) -> Option<Date> {
    let year: i16 = found[2].parse().ok().filter(|year| *year > 0)?;
    Date::new(year, number(found, 3), number(found, 4)).ok()
}

fn time(found: &Captures<'_>) -> Option<Time> {
    Time::new(number(found, 5), number(found, 6), number(found, 7), 0).ok()
}

/// The seconds that the zone is ahead of UTC.
fn offset(found: &Captures<'_>) -> Option<i64> {
    let (hours, minutes) = (number(found, 11), number(found, 12));
    let seconds = Time::new(hours, minutes, 0, 0).ok().map(|_| i64::from(hours) * 3600 + i64::from(minutes) * 60)?;
    Some(if found.get(10).is_some_and(|sign| sign.as_str() == "-") { -seconds } else { seconds })
}

/// The milliseconds after the second, rounded up.
fn fraction(found: &Captures<'_>) -> i64 {
    let digits = found.get(8).map_or("", |digits| digits.as_str());
    let parts = format!("{digits:0<18}").parse().unwrap_or(0_u64);
    parts.div_ceil(1_000_000_000_000_000) as i64
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::parse;

    #[test]
    fn times_are_what_the_shared_cases_say() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/timestamps.json");
        let text = std::fs::read_to_string(path).expect("the cases");
        let cases: Value = serde_json::from_str(&text).expect("JSON");
        let of = |kind: &str| cases[kind].as_array().cloned().unwrap_or_default();
        assert!(of("valid").len() > 10 && of("invalid").len() > 10);
        for case in of("valid") {
            let text = case["text"].as_str().expect("a text");
            assert_eq!(parse(text).ok(), case["milliseconds"].as_i64(), "{text}");
        }
        for case in of("invalid") {
            let (text, error) = (case["text"].as_str().expect("a text"), case["error"].as_str().expect("an error"));
            let said = parse(text).expect_err(text);
            assert_eq!(said, error, "{text:?}");
        }
    }
}
