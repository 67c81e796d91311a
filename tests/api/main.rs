//! The API through the real server: a real store in a temporary folder, a real port, requests byte by byte.

mod positions;
mod analysis;
mod bots;
mod chance;
mod choices;
mod disconnects;
mod dry_run;
mod editions;
mod feed;
mod filters;
mod fixtures;
mod followers;
mod headers;
mod ledger;
mod limits;
mod lists;
mod loaded;
mod long;
mod malformed;
mod missed;
mod nim;
mod oversized;
mod own_words;
mod pages;
mod panics;
mod patches;
mod pictures;
mod pieces;
mod platform;
mod playing;
mod prefilled;
mod problem_pages;
mod refused;
mod replies;
mod report;
mod rules;
mod sandbox;
mod served;
mod slow;
mod stats;
mod strict;
mod take_back;
mod together;
mod tokens;
mod tongues;
mod turns;
mod wire;
mod words;

use acceptance::Client;
use acceptance::server::Server;
use tempfile::TempDir;

/// A server with the games of the catalogue, in a folder of its own.
fn server() -> (Server, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (Server::start(folder.path(), catalog::games()), folder)
}

/// A client of such a server, which runs as long as the second part is kept.
fn client() -> (Client, (Server, TempDir)) {
    let (server, folder) = server();
    (server.client(), (server, folder))
}

/// Stops a server, and starts it again in its folder.
fn restarted(server: Server, folder: &TempDir) -> Server {
    server.stop();
    Server::start(folder.path(), catalog::games())
}
