//! The routes. Each is documented where it is, and registered once, here.

pub(crate) mod embed;
pub(crate) mod feed;
pub(crate) mod fixtures;
pub(crate) mod games;
pub(crate) mod history;
pub(crate) mod ledger;
pub(crate) mod matches;
pub(crate) mod operation;
pub(crate) mod pages;
pub(crate) mod pictures;
pub(crate) mod legal;
pub(crate) mod play;
pub(crate) mod problems;
pub(crate) mod query;
pub(crate) mod reports;
pub(crate) mod stats;
pub(crate) mod stream;
pub(crate) mod tables;
pub(crate) mod words;
pub(crate) mod view;

use actix_web::App;
use serde_json::Value;
use utoipa_actix_web::AppExt;
use utoipa_actix_web::service_config::ServiceConfig;

/// Registers every documented route.
pub(crate) fn register(config: &mut ServiceConfig<'_>) {
    config
        // The router tries one after the other: those that are asked for most come first.
        .service(view::get_view)
        .service(play::submit_command)
        .service(legal::list_legal_commands)
        .service(stream::get_stream)
        .service(view::get_fixed_view)
        .service(view::get_view_patch)
        .service(view::get_changing_view)
        .service(history::list_commits)
        .service(history::list_events)
        .service(history::get_replay)
        .service(ledger::get_ledger)
        .service(history::get_position)
        .service(play::take_back)
        .service(matches::get_match)
        .service(matches::draw_seed)
        .service(matches::open_match)
        .service(matches::list_matches)
        .service(matches::take_seat)
        .service(matches::close_match)
        .service(matches::create_branch)
        .service(games::list_games)
        .service(games::get_game)
        .service(words::get_words)
        .service(fixtures::list_fixtures)
        .service(games::create_position)
        .service(games::analyse)
        .service(pictures::get_board_svg)
        .service(pictures::get_board_text)
        .service(pictures::get_game_svg)
        .service(pictures::draw_svg)
        .service(pictures::draw_text)
        .service(stats::get_game_stats)
        .service(reports::get_game_report)
        .service(stats::list_game_players)
        .service(stats::get_player)
        .service(feed::list_feed)
        .service(feed::get_feed)
        .service(tables::list_tables)
        .service(tables::get_tables_tar)
        .service(tables::get_table_csv)
        .service(tables::get_table_ndjson)
        .service(tables::get_table_parquet)
        .service(query::query_schema)
        .service(query::run_query)
        .service(query::run_query_csv)
        .service(query::run_query_parquet)
        .service(operation::list_damaged)
        .service(operation::healthz)
        .service(operation::readyz)
        .service(operation::openapi_json)
        .service(operation::asyncapi_json);
}

/// What the routes declare: operations, parameters and schemas as utoipa writes them.
#[must_use]
pub fn declared() -> Value {
    let (_, api) = App::new().into_utoipa_app().configure(register).split_for_parts();
    serde_json::to_value(api).expect("a document is plain data, which always has JSON")
}
