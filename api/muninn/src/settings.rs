//! The settings of a running server, by the names of their flags.

use std::net::SocketAddr;
use std::path;

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::config::{LimitArgs, ServeArgs, SqlArgs};

/// All settings as they are in effect; none of them is secret. What to log changes while the server runs, and only the operator's door knows
/// where it was opened: these two are not among them.
pub(crate) fn effective(args: &ServeArgs, address: SocketAddr) -> Value {
    let ServeArgs {
        config,
        listen: _,
        operator_listen: _,
        data,
        store,
        log: _,
        log_format,
        #[cfg(feature = "otel")]
        otlp,
        workers,
        matches_mib,
        cache_mib,
        heartbeat,
        bot_pause,
        demo,
        wait_for_projections,
        limits,
        words,
        pages,
        sql: SqlArgs { query, query_seconds, query_rows, query_mib, query_program: _ },
    } = args;
    let LimitArgs {
        rate_limit_address,
        rate_limit_token,
        streams_per_address,
        connections_per_address,
        connections,
        matches_per_address,
        bot_matches_per_address,
        live_matches,
        match_events,
        idle_open,
        idle_running,
        send_timeout,
        trusted_proxies,
    } = limits;
    let data = path::absolute(data).unwrap_or_else(|_| data.clone());
    #[cfg_attr(not(feature = "otel"), expect(unused_mut, reason = "one setting more with it"))]
    let mut settings = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "config": config,
        "listen": address,
        "data": data,
        "store": store.as_ref().map(ToString::to_string),
        "log-format": name(*log_format),
        "workers": workers,
        "matches-mib": matches_mib,
        "cache-mib": cache_mib,
        "heartbeat": heartbeat.as_secs(),
        "bot-pause": u64::try_from(bot_pause.as_millis()).unwrap_or(u64::MAX),
        "demo": demo,
        "wait-for-projections": wait_for_projections,
        "rate-limit-address": rate_limit_address,
        "rate-limit-token": rate_limit_token,
        "streams-per-address": streams_per_address,
        "connections-per-address": connections_per_address,
        "connections": connections,
        "matches-per-address": matches_per_address,
        "bot-matches-per-address": bot_matches_per_address,
        "live-matches": live_matches,
        "match-events": match_events,
        "idle-open": idle_open.to_string(),
        "idle-running": idle_running.to_string(),
        "send-timeout": send_timeout.as_secs(),
        "trusted-proxies": trusted_proxies,
        "words": words,
        "pages": name(*pages),
        "query": name(*query),
        "query-seconds": query_seconds,
        "query-rows": query_rows,
        "query-mib": query_mib,
    });
    #[cfg(feature = "otel")]
    {
        settings["otlp"] = json!(otlp);
    }
    settings
}

fn name(value: impl ValueEnum) -> Option<String> {
    value.to_possible_value().map(|value| value.get_name().to_owned())
}
