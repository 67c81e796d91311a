//! How fast tables are drawn, on one thread: views of a random match, early, in the middle and late.

use kernel::{AnyGame, Viewer};
use picture::{PICTURES, Picture, Scene, Style};
use serde_json::value::RawValue;
use testkit::{Dice, measure};

/// Views of one match, every tenth commit.
fn views(game: &'static dyn AnyGame) -> Vec<Box<RawValue>> {
    let mut dice = Dice::new(3);
    let options = RawValue::from_string("{}".to_owned()).expect("JSON");
    let seats = usize::from(*game.info().seats.end());
    let started = game.setup(&options, seats, &mut dice).expect("options");
    let (mut state, mut views) = (started.state, Vec::new());
    for commit in 0..400 {
        if commit % 10 == 0 {
            views.push(state.view(Viewer::Spectator));
        }
        if state.active_seat().is_none() {
            break;
        }
        let legal: Vec<Box<RawValue>> =
            serde_json::from_str(state.legal_commands().get()).expect("a list");
        let command = &legal[commit * 7 % legal.len()];
        state = state.decide(command, &mut dice).expect("it is legal").state;
    }
    views
}

fn main() {
    for picture in PICTURES {
        let picture: &dyn Picture = *picture;
        let game = catalog::GAMES
            .iter()
            .find(|game| game.info().id == picture.game())
            .expect("a picture is of a game of the catalogue");
        let views = views(*game);
        let scene = |view| Scene {
            title: game.info().title,
            view,
            events: &[],
            names: &[],
            viewer: Viewer::Spectator,
            version: None,
            room: &[],
        };
        measure(&format!("{}: svg", picture.game()), "pictures", || {
            for view in &views {
                picture.svg(&scene(view), Style::default()).expect("a view");
            }
            views.len() as u64
        });
        measure(&format!("{}: text", picture.game()), "pictures", || {
            for view in &views {
                picture.text(&scene(view)).expect("a view");
            }
            views.len() as u64
        });
    }
}
