//! What a server promises, under faults: it is killed, its disk fails or is full, its files are damaged. `FAULTS_ROUNDS` and `FAULTS_SEED` ask for
//! more rounds and for others; a round that fails names its seed.

mod counted;
mod crowd;
mod damaged;
mod derived_files;
mod disk;
mod failing_disk;
mod follower;
mod full_disk;
mod kill;
mod large_store;
mod list_killed;
mod players;
mod power_cut;
mod power_cut_ext4;
mod recorded;
mod stop;
mod tables_killed;
mod thin_device;
mod threads;
mod trouble;
mod watchers;

/// How many rounds, and the seed of the first one.
pub(crate) fn rounds(default: usize) -> (usize, u64) {
    let number = |name| std::env::var(name).ok().map(|text| text.parse().expect("a number"));
    let seed = number("FAULTS_SEED").unwrap_or(1);
    (number("FAULTS_ROUNDS").map_or(default, |n| usize::try_from(n).expect("a number")), seed)
}

/// What is under way; it is said should that panic.
pub(crate) struct Round(pub(crate) String);

impl Drop for Round {
    #[expect(
        clippy::print_stderr,
        reason = "who reads of a failure must be able to bring it about again"
    )]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("it was in {}", self.0);
        }
    }
}
