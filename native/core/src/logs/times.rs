//! Times in options: milliseconds since 1970, or ISO 8601 with a time zone. Parts of a millisecond round up, for a bound means
//! a record at or after the given time. `tests/fixtures/timestamps.json` has the cases.

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
    let mut rest = Rest(text.as_bytes());
    let date = rest.date().ok_or_else(invalid)?;
    if rest.0.is_empty() || is_zone(rest.0) {
        return Err(missing("time and time zone", &format!("{}T00:00", &text[..10])));
    }
    let (seconds, milliseconds) = rest.time().ok_or_else(invalid)?;
    if rest.0.is_empty() {
        return Err(missing("time zone", text));
    }
    let offset = rest.zone().filter(|_| rest.0.is_empty()).ok_or_else(invalid)?;
    let found = (date * 86_400 + seconds - offset) * 1000 + milliseconds;
    if found < 0 { Err(format!("invalid time '{}': it is before 1970", shown())) } else { Ok(found) }
}

fn is_zone(text: &[u8]) -> bool {
    let mut rest = Rest(text);
    rest.zone().is_some() && rest.0.is_empty()
}

struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    /// So many digits, if they say a number in a range.
    fn number(&mut self, digits: usize, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
        let (found, rest) = self.0.split_at_checked(digits)?;
        if !found.iter().all(u8::is_ascii_digit) {
            return None;
        }
        self.0 = rest;
        let value = found.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
        range.contains(&value).then_some(value)
    }

    fn take(&mut self, allowed: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        if !allowed.contains(first) {
            return None;
        }
        self.0 = rest;
        Some(*first)
    }

    /// The days since 1970.
    fn date(&mut self) -> Option<i64> {
        let year = self.number(4, 1..=9999)?;
        self.take(b"-")?;
        let month = self.number(2, 1..=12)?;
        self.take(b"-")?;
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = [31, 28 + i64::from(is_leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let day = self.number(2, 1..=days[month as usize - 1])?;
        // The days of whole years before, then those of whole months.
        let before = year - 1;
        let years = before * 365 + before / 4 - before / 100 + before / 400;
        Some(years + days[..month as usize - 1].iter().sum::<i64>() + day - 1 - 719_162)
    }

    /// The seconds of the day, and milliseconds, rounded up.
    fn time(&mut self) -> Option<(i64, i64)> {
        self.take(b"T ")?;
        let hour = self.number(2, 0..=23)?;
        self.take(b":")?;
        let mut seconds = hour * 3600 + self.number(2, 0..=59)? * 60;
        if self.take(b":").is_none() {
            return Some((seconds, 0));
        }
        seconds += self.number(2, 0..=59)?;
        if self.take(b".").is_none() {
            return Some((seconds, 0));
        }
        let count = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        if digits.is_empty() || count > 18 {
            return None;
        }
        let whole = (0..3).fold(0, |value, at| value * 10 + digits.get(at).map_or(0, |digit| i64::from(digit - b'0')));
        let is_more = digits.iter().skip(3).any(|digit| *digit != b'0');
        Some((seconds, whole + i64::from(is_more)))
    }

    /// The seconds that a zone is ahead of UTC.
    fn zone(&mut self) -> Option<i64> {
        let sign = match self.take(b"Z+-")? {
            b'+' => 1,
            b'-' => -1,
            _ => return Some(0),
        };
        let hours = self.number(2, 0..=23)?;
        self.take(b":")?;
        Some(sign * (hours * 3600 + self.number(2, 0..=59)? * 60))
    }
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
