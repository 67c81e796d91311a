//! What the bot leans to where the next step is plain.

use delphi::Delphi;
use delphi::board::{Hex, HexKind};
use delphi::command::Command;
use delphi::pieces::{Colors, God};
use delphi::position::{Stage, TOP_ROW, Tasks};
use kernel::Game;
use testkit::{Dice, Walk, leaning};

/// D-512: whoever has no task left and Poseidon in the topmost row comes home from anywhere, near or far.
#[test]
fn poseidon_takes_home_who_has_no_task_left() {
    let options = serde_json::from_str("{}").unwrap();
    let mut walk = Walk::<Delphi>::new(options, 2, Dice::new(1));
    while walk.position.stage != Stage::Main
        || !walk.position.pending.is_empty()
        || walk.position.turn.source.is_some()
    {
        assert!(walk.next(leaning::<Delphi>).is_some(), "a turn begins");
    }
    let mut position = walk.position;
    let seat = position.active().index();
    let player = &mut position.players[seat];
    (player.tasks, player.dice) = (Tasks::default(), Colors::EMPTY);
    player.gods.put(God::Poseidon, TOP_ROW);
    let hexes = position.chart.map().hexes.iter();
    let waters: Vec<Hex> =
        hexes.filter(|hex| hex.kind == HexKind::Water).map(|hex| hex.at()).collect();
    let steps = |least: i64, most: i64| {
        waters.iter().filter(move |at| (least..=most).contains(&at.distance(Hex::ZEUS))).count()
    };
    assert!(steps(1, 3) > 0 && steps(6, 99) > 0, "the test proves little");
    let home = Command::InvokeGod { god: God::Poseidon, at: Some(Hex::ZEUS), color: None };
    for at in waters {
        position.players[seat].at = at;
        let mut legal = Vec::new();
        Delphi::legal_commands(&position, &mut legal);
        let leanings = Delphi::leanings(&position, &legal);
        let most = leanings.iter().max().unwrap();
        let best = legal.iter().zip(&leanings).filter(|(_, leaning)| *leaning == most);
        let best: Vec<&Command> = best.map(|(command, _)| command).collect();
        assert_eq!(best, [&home], "from {at}");
    }
}
