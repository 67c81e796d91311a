//! Moments as they are recorded: RFC 3339 in UTC with milliseconds, whose order is that of the text.

/// The moment that a text names: a day, which is its beginning, or a time in UTC. A time between two milliseconds is the later one: nothing is
/// recorded between them. The end of a day is its hour 24, which in the order of texts too is after all of the day and before the next one.
///
/// # Errors
/// If it is neither.
pub(crate) fn moment(text: &str) -> Result<String, String> {
    let read = || {
        let (day, time) = match text.split_once('T') {
            None => (text, "00:00:00.000"),
            Some((day, time)) => (day, time.strip_suffix('Z')?),
        };
        let [year, month, on] = numbers(day, '-', [4, 2, 2])?;
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let (clock, parts) = time.split_once('.').unwrap_or((time, "0"));
        let [hours, minutes, seconds] = numbers(clock, ':', [2, 2, 2])?;
        let digits = parts.bytes().all(|byte| byte.is_ascii_digit());
        let fits = (1..=days).contains(&on) && hours < 24 && minutes < 60 && seconds < 60;
        if !fits || !digits || parts.is_empty() || parts.len() > 9 {
            return None;
        }
        let nanos: u32 = format!("{parts:0<9}").parse().ok()?;
        let seconds = (hours * 60 + minutes) * 60 + seconds;
        let millis = seconds * 1000 + nanos.div_ceil(1_000_000);
        let (seconds, millis) = (millis / 1000, millis % 1000);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        Some(format!("{day}T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z"))
    };
    read().ok_or_else(|| {
        "it is a day as 2026-11-23, or a time in UTC as 2026-11-23T18:00:00Z".to_owned()
    })
}

/// Three numbers of so many digits each.
fn numbers(text: &str, between: char, digits: [usize; 3]) -> Option<[u32; 3]> {
    let mut parts = text.split(between);
    let mut part = |digits: usize| {
        let part = parts.next()?;
        let plain = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        if plain { part.parse().ok() } else { None }
    };
    let found = [part(digits[0])?, part(digits[1])?, part(digits[2])?];
    parts.next().is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn days_and_times_are_moments() {
        for (text, known) in [
            ("2026-11-23", "2026-11-23T00:00:00.000Z"),
            ("2024-02-29", "2024-02-29T00:00:00.000Z"),
            ("2026-11-23T18:05:09Z", "2026-11-23T18:05:09.000Z"),
            ("2026-11-23T18:05:09.5Z", "2026-11-23T18:05:09.500Z"),
            ("2026-11-23T18:05:09.123000Z", "2026-11-23T18:05:09.123Z"),
            ("2026-11-23T18:05:09.123456Z", "2026-11-23T18:05:09.124Z"),
            ("2026-11-23T18:05:09.000000001Z", "2026-11-23T18:05:09.001Z"),
            ("2026-11-23T18:05:59.9991Z", "2026-11-23T18:06:00.000Z"),
            ("2026-11-23T18:59:59.9999Z", "2026-11-23T19:00:00.000Z"),
            ("2026-12-31T23:59:59.999999Z", "2026-12-31T24:00:00.000Z"),
        ] {
            assert_eq!(moment(text).as_deref(), Ok(known), "{text}");
        }
        let end = moment("2026-12-31T23:59:59.999999Z").unwrap();
        assert!(end.as_str() > "2026-12-31T23:59:59.999Z");
        assert!(end.as_str() < "2027-01-01T00:00:00.000Z");
        for text in [
            "",
            "yesterday",
            "2026",
            "2026-11",
            "2026-13-01",
            "2026-02-29",
            "2026-11-23T18:00:00",
            "2026-11-23T18:00:00+01:00",
            "2026-11-23T24:00:00Z",
            "2026-11-23T18:00Z",
            "2026-11-23T18:00:00.Z",
            "+026-11-23",
            "2026-11-23 18:00:00Z",
        ] {
            assert!(moment(text).is_err(), "{text}");
        }
    }
}
