//! Choices without people: those of bots, and of whole matches that bots play.

use journal::{Bot, Bytes32, Generator, Seeded};
use kernel::{AnyMatch, Candidate, Chance, Driver, Seat};
use serde_json::value::RawValue;

/// A match without people is left when it has so many events. Far more than a server lets one have, since bots that play Delphi at random need
/// more now and then (220,000 in the longest of 1,500 matches), and none that can end at all comes here.
const MOST_EVENTS: u64 = 1_000_000;

/// Makes the choices of bots, the same ones for the same seed.
#[derive(Debug)]
pub(crate) struct Chooser(Generator);

impl Chooser {
    /// The choice for commit `commit` of a match with this seed. It reveals nothing about the draws of that commit, and can be recomputed
    /// from the seed.
    pub(crate) fn new(seed: Bytes32, commit: u64) -> Self {
        Chooser(Generator::new(Bytes32::hash(&[&seed.0, b"bot"]), commit, &[]))
    }

    /// What the bot chooses of `count` legal commands; `prospects` says what each of them is sure to bring.
    pub(crate) fn choose(
        &mut self,
        bot: Bot,
        count: usize,
        prospects: impl FnOnce() -> Vec<i64>,
    ) -> usize {
        if count == 1 || bot == Bot::Random {
            return self.0.below(count);
        }
        let prospects = prospects();
        let most = prospects.iter().max().copied().unwrap_or_default();
        let best = (0..).zip(&prospects);
        let best: Vec<usize> =
            best.filter(|(_, prospect)| **prospect == most).map(|(index, _)| index).collect();
        best[self.0.below(best.len())]
    }
}

/// The legal command that `choose` takes, of so many.
pub(crate) fn chosen(state: &dyn AnyMatch, choose: impl FnOnce(usize) -> usize) -> Box<RawValue> {
    let legal = state.legal_commands();
    let legal: Vec<&RawValue> =
        serde_json::from_str(legal.get()).expect("the legal commands are a JSON array");
    legal[choose(legal.len())].to_owned()
}

/// Play without people: bots choose, and chance is that of a match with a seed of its own.
#[derive(Debug)]
pub struct RandomPlay {
    chooser: Chooser,
    seed: Bytes32,
    commit: u64,
    chance: Seeded<'static>,
    bots: Vec<Bot>,
}

impl RandomPlay {
    /// The play number `number` of a simulation with this seed: the same numbers give the same match. All choices are random.
    #[must_use]
    pub fn new(simulation: u64, number: u64) -> Self {
        RandomPlay::seeded([simulation, number], [simulation, number])
    }

    /// The same with seeds of their own, and numbers, for chance and for the choices.
    pub(crate) fn seeded(deal: [u64; 2], choices: [u64; 2]) -> Self {
        let hash = |[seed, number]: [u64; 2]| {
            Bytes32::hash(&[b"simulate", &seed.to_be_bytes(), &number.to_be_bytes()])
        };
        let seed = hash(deal);
        RandomPlay {
            chooser: Chooser(Generator::new(hash(choices), 0, &[])),
            seed,
            commit: 1,
            chance: Seeded::new(seed, 1, &[]),
            bots: Vec::new(),
        }
    }

    /// The same with a bot for each seat; a seat beyond them plays at random.
    #[must_use]
    pub fn with_bots(self, bots: Vec<Bot>) -> Self {
        RandomPlay { bots, ..self }
    }

    /// The seed of the match.
    #[must_use]
    pub fn seed(&self) -> Bytes32 {
        self.seed
    }
}

impl Chance for RandomPlay {
    fn draw(&mut self, kind: &'static str, count: usize, candidate: &Candidate<'_>) -> usize {
        self.chance.draw(kind, count, candidate)
    }
}

impl Driver for RandomPlay {
    fn choose(&mut self, count: usize) -> usize {
        self.chooser.choose(Bot::Random, count, Vec::new)
    }

    fn choose_for(
        &mut self,
        seat: Seat,
        count: usize,
        prospects: &mut dyn FnMut() -> Vec<i64>,
    ) -> usize {
        let bot = self.bots.get(seat.index()).copied().unwrap_or_default();
        self.chooser.choose(bot, count, prospects)
    }

    fn committed(&mut self) {
        self.commit += 1;
        self.chance = Seeded::new(self.seed, self.commit, &[]);
    }

    fn goes_on(&self, events: u64) -> bool {
        events < MOST_EVENTS
    }
}
