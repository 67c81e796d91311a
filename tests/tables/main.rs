//! Finished matches as tables: that they say what the matches say, and nothing that is hidden.

mod edited;
mod flips;
mod folder;
mod full;
mod harm;
mod hanging;
mod read;
mod recounted;
mod contents;
mod damaged;
mod dictionary;
mod drawn;
mod functions;
mod foreign;
mod http;
mod http_sql;
mod options;
mod otherwise;
mod refused;
mod resumed;
mod simulated;
mod sql;
mod states;
mod stored;
