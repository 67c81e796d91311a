//! In which language somebody is answered.

use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderValue};

/// The languages that a request wishes for, the dearest first: that of the parameter `lang`, otherwise those of Accept-Language.
pub(crate) fn wished(request: &HttpRequest, lang: Option<String>) -> Vec<String> {
    // Several lines are one list.
    let lines = request.headers().get_all(header::ACCEPT_LANGUAGE);
    let lines: Vec<&str> = lines.filter_map(|value| value.to_str().ok()).collect();
    lang.map_or_else(|| accepted(&lines.join(",")), |lang| vec![lang])
}

/// A language as the value of Content-Language.
pub(crate) fn header_of(language: &str) -> HeaderValue {
    HeaderValue::from_str(language).unwrap_or(HeaderValue::from_static("en"))
}

fn accepted(header: &str) -> Vec<String> {
    let wishes = header.split(',').filter_map(|wish| {
        let (language, weight) = wish.split_once(';').unwrap_or((wish, "q=1"));
        let weight: f32 =
            weight.trim().strip_prefix(['q', 'Q'])?.strip_prefix('=')?.parse().ok()?;
        // What is no number, as `nan`, is in no range.
        (0.0..=1.0).contains(&weight).then(|| (weight, language.trim().to_owned()))
    });
    let mut wishes: Vec<(f32, String)> = wishes.collect();
    wishes.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    // "*" is each language that is not named: what is not wished for is named last. It may be unwished, too.
    let is_any = wishes.iter().any(|(weight, language)| *weight > 0.0 && language == "*");
    wishes.retain(|(weight, language)| *weight > 0.0 || is_any && language != "*");
    wishes.into_iter().map(|(_, language)| language).collect()
}

#[cfg(test)]
mod tests {
    use super::accepted;

    #[test]
    fn the_dearest_language_comes_first() {
        assert_eq!(accepted("en;q=0.5, de-AT, fr;q=0.9"), ["de-AT", "fr", "en"]);
        assert_eq!(accepted("en;q=0, nonsense;x, de;q=0.1"), ["de"]);
        assert_eq!(accepted(""), [""]);
        assert_eq!(accepted("de;Q=0.9, en;q=0.1"), ["de", "en"]);
        assert_eq!(accepted("*;q=0.5, de;q=0.1"), ["*", "de"]);
        assert_eq!(accepted("en;q=0, *"), ["*", "en"]);
        assert_eq!(accepted("de, *;q=0"), ["de"]);
        assert_eq!(accepted("fr, de;q=0, *;q=0"), ["fr"]);
        assert_eq!(accepted("de;q=nan, en, *;q=0.1"), ["en", "*"]);
        assert_eq!(accepted("de;q=2, en;q=-1, fr;q=inf, it;q=0.1"), ["it"]);
    }
}
