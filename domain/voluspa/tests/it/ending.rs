//! A match always ends, because every command brings the end nearer.

use testkit::{Dice, Walk};
use voluspa::{Phase, Position, PositionForm, Tile, Voluspa};

use crate::conformance::{all_options, choose};

/// What every command makes smaller, in the order of tuples: Skadi in hands and pile, because nothing brings one back; all tiles
/// there, which an exchange keeps and everything else makes fewer; and whether a flight or an extra tile is open.
fn distance(position: &Position) -> (u32, u32, bool) {
    let form = PositionForm::from(position.clone());
    let hidden = || form.players.iter().map(|player| player.hand).chain([form.pile]);
    let skadis = hidden().map(|tiles| tiles.count(Tile::Skadi)).sum();
    let open = matches!(form.phase, Phase::Raven | Phase::Hermod);
    (skadis, hidden().map(|tiles| tiles.total()).sum(), open)
}

#[test]
fn every_command_brings_the_end_nearer() {
    for (number, options) in (0..).zip(all_options()) {
        for seats in 2..=5 {
            let dice = Dice::new(number * 10 + u64::from(seats));
            let asked = serde_json::from_value(options.clone()).unwrap();
            let mut walk = Walk::<Voluspa>::new(asked, seats, dice);
            let mut before = distance(&walk.position);
            while let Some(command) = walk.next(choose).copied() {
                let after = distance(&walk.position);
                assert!(after < before, "{command:?} for {seats} seats");
                before = after;
            }
            assert_eq!(before.1, 0, "at the end hands and pile are empty");
        }
    }
}
