//! Pictures of real matches: of every game, at many versions, for every viewer.

mod copenhagen;
mod delphi;
mod german;
mod matches;
mod names;
mod pieces;
mod replays;
mod spots;
mod strange;
mod values;
mod voluspa;
mod well_formed;
mod words;
