//! The five abilities (C-703 to C-707).

use canvas::Says;
use canvas::block::Block;
use canvas::card::glow_rect;
use canvas::say;
use canvas::svg::Svg;
use copenhagen::seen::{Ability, AbilityState as State};

/// What it is called on its tile.
fn short(ability: Ability) -> &'static str {
    match ability {
        Ability::AnyCards => "any cards",
        Ability::AdditionalCard => "third card",
        Ability::ConstructionDiscount => "discount",
        Ability::ChangeOfColors => "colors",
        Ability::BothActions => "both",
    }
}

/// The name for people.
pub(crate) fn name(says: Says<'_>, ability: Ability) -> String {
    says.word(match ability {
        Ability::AnyCards => "Any cards",
        Ability::AdditionalCard => "Additional card",
        Ability::ConstructionDiscount => "Construction discount",
        Ability::ChangeOfColors => "Change of colours",
        Ability::BothActions => "Both actions",
    })
}

fn words(ability: Ability) -> &'static str {
    match ability {
        Ability::AnyCards => "the second card may come from any slot",
        Ability::AdditionalCard => "a third card",
        Ability::ConstructionDiscount => "a tile costs one card fewer",
        Ability::ChangeOfColors => "cards of one colour count as the colour of the tile",
        Ability::BothActions => "take cards, then build",
    }
}

/// The sign, within 20 units around the origin.
fn sign(ability: Ability, svg: &mut Svg) {
    let card = |svg: &mut Svg, x: f64| {
        svg.rect(x, -12.0, 16.0, 23.0, 2.5).class("f-card s-print w2").end();
    };
    match ability {
        Ability::AnyCards => {
            card(svg, -23.0);
            card(svg, 7.0);
            svg.path("M-3-1H3").class("f0 s-print w3 c dash").end();
        }
        Ability::AdditionalCard => {
            card(svg, -20.0);
            svg.path("M13-9V9M4 0H22").class("f0 s-print w4 c").end();
        }
        Ability::ConstructionDiscount => {
            card(svg, 4.0);
            svg.path("M-20 0H-5").class("f0 s-print w4 c").end();
            svg.label(12.0, 5.5, 15.0).class("f-print b m").text(1);
        }
        Ability::ChangeOfColors => {
            svg.circle(-15.0, 0.0, 7.0).class("f-blue s-print w2").end();
            svg.rect(9.0, -7.0, 14.0, 14.0, 1.0).class("f-yellow s-print w2").end();
            svg.path("M-5 0H5M1-4L5 0L1 4").class("f0 s-print w2 c").end();
        }
        Ability::BothActions => {
            card(svg, -24.0);
            svg.path("M-5 0H3M0-3V3").class("f0 s-print w2 c").end();
            svg.path("M6 11V-6L14-13L22-6V11Z").class("f-red s-print w2 c").end();
            svg.rect(11.0, 0.0, 6.0, 11.0, 0.0).class("f-card").end();
        }
    }
}
/// An ability tile: bright while it is active, crossed out when it was used, an empty place before it is owned.
pub(crate) fn tile(
    says: Says<'_>,
    ability: Ability,
    state: Option<State>,
    spot: bool,
    last: bool,
) -> Block {
    let (w, h) = (60.0, 58.0);
    Block::new(w, h, |svg| {
        let group = svg.group().class("ability");
        let group = if spot { group.spot("ability", ability.name()) } else { group };
        group.with(|svg| {
            let owned = match state {
                Some(State::Active) => "active",
                Some(State::Used) => "used",
                None => "not owned",
            };
            svg.element("title").text(say!(
                says,
                "{ability}, {owned}: {words}",
                ability = name(says, ability),
                owned = says.word(owned),
                words = says.word(words(ability))
            ));
            let ground = match state {
                Some(State::Active) => "f-gold s-print w2",
                Some(State::Used) => "f-grey s-print w1",
                None => "f0 s-line w2 dash",
            };
            svg.rect(1.0, 1.0, w - 2.0, h - 2.0, 8.0).class(ground).end();
            let ink = match state {
                Some(_) => {
                    svg.moved(w / 2.0, 24.0).with(|svg| sign(ability, svg));
                    "f-print m"
                }
                None => "f-faint m",
            };
            let y = if state.is_some() { 50.0 } else { 33.0 };
            svg.label(w / 2.0, y, 11.0).class(ink).text(says.word(short(ability)));
            if state == Some(State::Used) {
                svg.line(8.0, 40.0, w - 8.0, 8.0).class("s-print w3 c").end();
            }
            if last {
                glow_rect(svg, 2.0, 2.0, w - 4.0, h - 4.0, 7.0);
            }
        });
    })
}
