//! Names come from players: they are text, whatever they hold.

use canvas::{Shape, Style};
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
fn names_from_right_to_left_turn_nothing_around() {
    for (picture, game) in pictures() {
        for (name, shown) in [
            ("Ada", "Ada"),
            ("\u{5d0}\u{5d1}", "\u{2068}\u{5d0}\u{5d1}\u{2069}"),
            ("\u{2068}Ada", "\u{fffd}Ada"),
        ] {
            let names = vec![Some(name.to_owned()); 8];
            moments(game, 2, |moment| {
                let text = (picture.text)(&moment.scene(game.info().title, &names)).unwrap();
                let lines = text.lines().filter(|line| line.contains(&format!("0 {shown}: ")));
                assert_eq!(lines.count(), 1, "{text}");
                assert!(text.contains(&format!("\n{shown} to act")), "{text}");
                assert_eq!(text.matches('\u{2068}').count(), text.matches('\u{2069}').count());
            });
        }
    }
}

#[test]
fn a_long_name_leaves_whose_turn_it_is_in_the_head() {
    let style = Style { shape: Shape::Tall, ..Style::default() };
    let emoji = "😀".repeat(40);
    for (name, kept) in
        [("Maximilian Hohenzollern-Sigmaringen-Hechingen", "Maximilian"), (&*emoji, "😀")]
    {
        for (picture, game) in pictures() {
            let names = vec![Some(name.to_owned()); 8];
            moments(game, 60, |moment| {
                let view: serde_json::Value = serde_json::from_str(moment.view.get()).unwrap();
                if view["active_seat"].is_null() {
                    return;
                }
                let svg = (picture.svg)(&moment.scene(game.info().title, &names), style).unwrap();
                let document = Document::parse(&svg).unwrap();
                let head =
                    document.descendants().find(|node| node.attribute("class") == Some("head"));
                let texts = head.unwrap().descendants().filter(|node| node.is_text());
                let lines: Vec<&str> = texts.filter_map(|node| node.text()).collect();
                let said = lines.join(" ");
                assert!(said.contains(kept) && said.contains(" to act"), "{said}");
                assert!(!lines.last().unwrap().ends_with('…'), "{said}");
            });
        }
    }
}

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
