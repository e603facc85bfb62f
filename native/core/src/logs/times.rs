//! Times in options: milliseconds since 1970, or ISO 8601 with a time zone. Parts of a millisecond round up, for a bound means
//! a record at or after the given time. `tests/fixtures/timestamps.json` has the cases.

use jiff::Timestamp;
use jiff::civil::Date;
use regex_lite::Regex;

/// Date, hours and minutes, seconds, their fraction, and zone; what is missing is told, and anything else is invalid.
const FORM: &str = r"^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,18}))?)?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$";

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
    let date: Date = found[1].parse().map_err(|_| invalid())?;
    let part = |number| found.get(number).map(|part| part.as_str());
    let time = part(2).ok_or_else(|| missing("time and time zone", &format!("{date}T00:00")))?;
    let zone = part(5).ok_or_else(|| missing("time zone", text))?;
    let at: Timestamp = format!("{date}T{time}:{}{zone}", part(3).unwrap_or("00")).parse().map_err(|_| invalid())?;
    let fraction: u64 = format!("{:0<18}", part(4).unwrap_or("")).parse().map_err(|_| invalid())?;
    let milliseconds = at.as_millisecond() + fraction.div_ceil(1_000_000_000_000_000) as i64;
    if milliseconds < 0 { Err(format!("invalid time '{}': it is before 1970", shown())) } else { Ok(milliseconds) }
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
