//! How does every game look? Plays random matches and writes their pictures to a folder:
//!
//! ```sh
//! cargo run -p examples --example gallery -- FOLDER [GAME] [SEATS] [COMMIT...]
//! ```

use std::path::PathBuf;
use std::{env, error, fs};

use canvas::{Scene, Shape, Style, Theme};
use catalog::Row;
use kernel::{Candidate, Chance, Seat, Viewer};
use serde_json::value::RawValue;

type Failure = Box<dyn error::Error>;

/// A small generator: the same matches each time.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % count
    }
}

impl Chance for Random {
    fn draw(&mut self, _: &'static str, count: usize, _: &Candidate<'_>) -> usize {
        self.below(count)
    }
}

fn main() -> Result<(), Failure> {
    let mut args = env::args().skip(1);
    let folder = PathBuf::from(args.next().ok_or("which folder?")?);
    let chosen = args.next();
    let seats: Option<u8> = args.next().map(|seats| seats.parse()).transpose()?;
    let mut commits: Vec<usize> = args.map(|commit| commit.parse()).collect::<Result<_, _>>()?;
    if commits.is_empty() {
        commits = vec![1, 20, 60, usize::MAX];
    }
    fs::create_dir_all(&folder)?;
    for row in catalog::ROWS {
        let info = row.game.info();
        if chosen.as_ref().is_none_or(|chosen| chosen == info.id) {
            let seats = seats.unwrap_or(*info.seats.start());
            draw(row, seats, &commits, &folder)?;
        }
    }
    Ok(())
}

fn draw(row: &Row, seats: u8, commits: &[usize], folder: &std::path::Path) -> Result<(), Failure> {
    let Row { game, picture, options } = row;
    let id = game.info().id;
    let names = ["Ada", "Grace Hopper", "Ludwig van Beethoven", "Zoë", "五郎"];
    let names = names.map(|name| Some(name.to_owned()));
    let mut random = Random(7);
    // Expansions are prettier than the default.
    let options = RawValue::from_string(options[options.len() - 1].to_owned())?;
    let started = game.setup(&options, seats.into(), game.info().newest(), &mut random)?;
    let (mut state, mut events) = (started.state, started.events);
    let mut version = 0;
    for commit in 1.. {
        version += events.len() as u64;
        let finished = state.active_seat().is_none();
        if commits.contains(&commit) || finished && commits.contains(&usize::MAX) {
            for viewer in [Viewer::Spectator, Viewer::Seat(Seat(0))] {
                let view = state.view(viewer);
                let seen: Result<Vec<_>, _> =
                    events.iter().map(|event| state.event_view(&event.full, viewer)).collect();
                let seen = seen.map_err(|error| error.to_string())?;
                let scene = Scene::new(game.info().title, &view, viewer);
                let version = Some(version);
                let scene = Scene { events: &seen, names: &names, version, ..scene };
                let who = if viewer == Viewer::Spectator { "spectator" } else { "seat0" };
                for (theme, shape, style) in [
                    (Theme::Light, Shape::Wide, "wide"),
                    (Theme::Dark, Shape::Wide, "dark"),
                    (Theme::Light, Shape::Tall, "tall"),
                    (Theme::Dark, Shape::Tall, "tall-dark"),
                ] {
                    let name = format!("{id}-{seats}-{commit}-{who}-{style}.svg");
                    fs::write(folder.join(name), (picture.svg)(&scene, Style { theme, shape })?)?;
                }
                let name = format!("{id}-{seats}-{commit}-{who}.txt");
                fs::write(folder.join(name), (picture.text)(&scene)?)?;
            }
        }
        if finished {
            break;
        }
        let legal: Vec<Box<RawValue>> = serde_json::from_str(state.legal_commands().get())?;
        let command = &legal[random.below(legal.len())];
        let decided = state.decide(command, &mut random)?;
        (state, events) = (decided.state, decided.events);
    }
    Ok(())
}
