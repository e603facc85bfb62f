//! Times in options: milliseconds since 1970, or ISO 8601 with a time zone. Parts of a millisecond round up, for a bound means
//! a record at or after the given time.

/// The milliseconds that a text says; otherwise what to write instead.
pub fn parse(text: &str) -> Result<i64, String> {
    let expected = || format!("expected milliseconds since 1970 or a time such as 2026-03-01T12:00:00Z, not '{text}'");
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().map_err(|_| expected());
    }
    let mut rest = Rest(text.as_bytes());
    let date = rest.date().ok_or_else(expected)?;
    if rest.0.is_empty() {
        return Err(format!("'{text}' has no time and no time zone: write {text}T00:00:00Z for UTC"));
    }
    let (seconds, milliseconds) = rest.time().ok_or_else(expected)?;
    if rest.0.is_empty() {
        let utc = format!("{text}Z").replacen(' ', "T", 1);
        return Err(format!("'{text}' has no time zone: write {utc} for UTC, or end it with an offset such as +02:00"));
    }
    let offset = rest.zone().filter(|_| rest.0.is_empty()).ok_or_else(expected)?;
    Ok((date * 86_400 + seconds - offset) * 1000 + milliseconds)
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
        self.take(b"T t")?;
        let hour = self.number(2, 0..=23)?;
        self.take(b":")?;
        let mut seconds = hour * 3600 + self.number(2, 0..=59)? * 60;
        if self.take(b":").is_none() {
            return Some((seconds, 0));
        }
        seconds += self.number(2, 0..=59)?;
        if self.take(b".,").is_none() {
            return Some((seconds, 0));
        }
        let count = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        if digits.is_empty() {
            return None;
        }
        let whole = (0..3).fold(0, |value, at| value * 10 + digits.get(at).map_or(0, |digit| i64::from(digit - b'0')));
        let is_more = digits.iter().skip(3).any(|digit| *digit != b'0');
        Some((seconds, whole + i64::from(is_more)))
    }

    /// The seconds that a zone is ahead of UTC.
    fn zone(&mut self) -> Option<i64> {
        let sign = match self.take(b"Zz+-")? {
            b'+' => 1,
            b'-' => -1,
            _ => return Some(0),
        };
        let hours = self.number(2, 0..=23)?;
        let has_colon = self.take(b":").is_some();
        let minutes = if self.0.is_empty() && !has_colon { 0 } else { self.number(2, 0..=59)? };
        Some(sign * (hours * 3600 + minutes * 60))
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn times_have_a_zone_and_round_up() {
        for (text, milliseconds) in [
            ("1700000000000", 1_700_000_000_000),
            ("-5", -5),
            ("1970-01-01T00:00:00Z", 0),
            ("2023-11-14T22:13:20.5Z", 1_700_000_000_500),
            ("2023-11-15T00:13:20+02:00", 1_700_000_000_000),
            ("2023-11-14 16:43-0530", 1_699_999_980_000),
            ("1970-01-01T12:00:00.000500Z", 43_200_001),
            ("1970-01-01T12:00:00.0010000000000001Z", 43_200_002),
            ("1969-12-31T23:59:59.9985Z", -1),
            ("2024-02-29T00:00:00z", 1_709_164_800_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ] {
            assert_eq!(parse(text), Ok(milliseconds), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_what_to_write() {
        let refused = |text| parse(text).expect_err(text);
        assert!(refused("2026-03-01 12:00:00").contains("write 2026-03-01T12:00:00Z for UTC"));
        assert!(refused("2026-03-01").contains("write 2026-03-01T00:00:00Z for UTC"));
        for text in [
            "soon",
            "",
            "-",
            "²",
            "2023-02-29T00:00:00Z",
            "2023-01-01T24:00:00Z",
            "2023-01-01T00:00:60Z",
            "2023-01-01T00:00:00.Z",
            "2023-01-01T00:00:00Zx",
            "2023-01-01T00:00:00+2",
            "99999999999999999999",
        ] {
            assert!(refused(text).starts_with("expected milliseconds since 1970 or a time such as"), "{text}");
        }
    }
}
