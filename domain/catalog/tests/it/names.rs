//! Names come from players: they are text, whatever they hold.

use canvas::Style;
use roxmltree::Document;

use crate::matches::{moments, pictures};

const NAMES: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><image href=x onerror=alert(1)>",
    "]]>&amp;</style>",
    "Ada\u{202e}\u{0}\u{1b}[31m",
    "汉字汉字汉字汉字汉字汉字汉字汉字汉字汉字",
    "",
];

#[test]
fn markup_in_names_is_text() {
    for (picture, game) in pictures() {
        for name in NAMES {
            let names = vec![Some((*name).to_owned()); 8];
            moments(game, 2, |moment| {
                let scene = moment.scene(game.info().title, &names);
                let svg = (picture.svg)(&scene, Style::default()).unwrap();
                let document = Document::parse(&svg).unwrap();
                let strange = |tag: &str| document.descendants().any(|node| node.has_tag_name(tag));
                assert!(!strange("script") && !strange("image"));
                let shown = document
                    .descendants()
                    .filter(|node| node.attribute("class") == Some("f-ink b name"))
                    .map(|node| node.text().unwrap_or_default());
                for shown in shown {
                    let cut = shown.trim_end_matches('…');
                    let clean = name.replace(['\u{202e}', '\u{0}', '\u{1b}'], "\u{fffd}");
                    assert!(clean.starts_with(cut) || shown.starts_with("Seat"), "{shown}");
                }
                let text = (picture.text)(&scene).unwrap();
                assert!(!text.contains(['\u{1b}', '\u{202e}']));
            });
        }
    }
}
