//! What a server promises, under faults: it is killed, its disk fails or is full, its files are damaged. `FAULTS_ROUNDS` and `FAULTS_SEED` ask for
//! more rounds and for others; a round that fails names its seed.

mod damaged;
mod failing_disk;
mod full_disk;
mod kill;
mod players;
mod stop;
mod tables_killed;
mod trouble;
mod watchers;

/// How many rounds, and the seed of the first one.
pub(crate) fn rounds(default: usize) -> (usize, u64) {
    let number = |name| std::env::var(name).ok().map(|text| text.parse().expect("a number"));
    let seed = number("FAULTS_SEED").unwrap_or(1);
    (number("FAULTS_ROUNDS").map_or(default, |n| usize::try_from(n).expect("a number")), seed)
}
