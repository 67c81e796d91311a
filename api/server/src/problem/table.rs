//! The table of problem codes, for the responses, for the OpenAPI document, and for the pages that `type` links to.

/// A kind of problem.
#[derive(Debug)]
pub struct Kind {
    /// The code for programs, also the last part of `type`.
    pub code: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// The title of the problem.
    pub title: &'static str,
    /// What it means. Code is between backticks.
    pub meaning: &'static str,
    /// What the client can do about it.
    pub remedy: &'static str,
    /// Whether repeating the same request helps.
    pub again: Again,
    /// An example of a `detail`.
    pub detail: &'static str,
}

/// Whether repeating the same request may lead to another answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// It does not help: the request itself must change.
    Never,
    /// It may help once the match has changed.
    WhenChanged,
    /// It may help, and does no harm: nothing was done.
    AtOnce,
    /// It may help after the time in the header Retry-After.
    Later,
    /// It helps once the store is repaired, or can be read again.
    WhenMended,
    /// With the same idempotency key the answer says what became of the request.
    SameKey,
    /// It may help; what writes is safe to repeat only with the same idempotency key.
    Perhaps,
}

impl Again {
    /// The answer in a sentence.
    pub fn text(self) -> &'static str {
        match self {
            Again::Never => "No. The same request gets the same answer, so change the request.",
            Again::WhenChanged => {
                "Not yet. The same request may be accepted once the match has changed."
            }
            Again::AtOnce => "Yes, at once. Nothing was done.",
            Again::Later => {
                "Yes, after the number of seconds in the header `Retry-After`. Nothing was stored."
            }
            Again::WhenMended => {
                "Not soon. Usually somebody has to restore the files. `Retry-After` is one hour, so that clients do not keep retrying."
            }
            Again::SameKey => {
                "Yes, a command or an opening with the same `Idempotency-Key`, after the number of seconds in the header `Retry-After`. It is carried out once."
            }
            Again::Perhaps => {
                "Perhaps. Repeat a request that writes only with the same `Idempotency-Key`, so that it is carried out once."
            }
        }
    }
}

/// Every kind, by status.
pub const KINDS: &[Kind] = &[
    Kind {
        code: "malformed",
        status: 400,
        title: "The request is malformed",
        meaning: "The request does not have the form that the operation expects: the body is not JSON, a field is missing, unknown or \
            of the wrong type, or a parameter or header is invalid. The rules of the game were not checked.",
        remedy: "`errors` names each place by a JSON pointer into the body, or by the name of the parameter or header. Compare \
            the request with the operation's schema in `/openapi.json`. Unknown fields are refused on purpose, so that a \
            misspelt one is noticed.",
        again: Again::Never,
        detail: "a limit must be a number from 1 to 1000",
    },
    Kind {
        code: "token_required",
        status: 401,
        title: "A token is required",
        meaning: "This needs a token: acting for a seat, closing a match, seeing a private match, or seeing what a seat sees.",
        remedy: "Send `Authorization: Bearer` and the token of the seat, or of the owner, that was issued when the match was \
            opened or the seat was taken.",
        again: Again::Never,
        detail: "acting needs the token of a seat",
    },
    Kind {
        code: "token_invalid",
        status: 401,
        title: "The token is invalid",
        meaning: "This server never issued this token. A token is 64 lower-case hexadecimal digits.",
        remedy: "Check that the token is complete, that the header is `Authorization: Bearer` followed by it, and that the match is \
            on this server. A token is shown once, or, to whoever repeats the request that opened the match with the same `Idempotency-Key`, for 24 \
            hours; otherwise a lost one cannot be recovered.",
        again: Again::Never,
        detail: "this server never issued this token",
    },
    Kind {
        code: "not_yours",
        status: 403,
        title: "The token does not permit this",
        meaning: "The token is valid, but belongs to another match or permits other things: a seat's token cannot close a \
            match, and the owner's cannot act for a seat.",
        remedy: "Use the token that was issued for this match and this purpose.",
        again: Again::Never,
        detail: "this token belongs to another match",
    },
    Kind {
        code: "hidden",
        status: 403,
        title: "This is hidden",
        meaning: "The request asks for something that is hidden from the caller until the match is finished, and for ever in a match that was closed \
            before: the complete position, another seat's view, or, for the owner, the legal commands of a seat.",
        remedy: "Ask for your own view, or for that of a spectator (`viewer=spectator`). When the match is finished, it is open to \
            everybody who may see the match.",
        again: Again::WhenChanged,
        detail: "the complete position is shown only when the match is finished",
    },
    Kind {
        code: "query_off",
        status: 403,
        title: "SQL queries are disabled",
        meaning: "This server does not answer SQL queries: its operator has not enabled them.",
        remedy: "Ask the operator of the server for `--query on`, download the tables as files (`GET /v1/tables`) and query those, or run \
            `muninn query` where the store is.",
        again: Again::Never,
        detail: "this server does not answer SQL queries",
    },
    Kind {
        code: "query_forbidden",
        status: 403,
        title: "The query does more than read",
        meaning: "A query must be a single `SELECT` over the tables. It must not write, open files, read or change settings, read internal data of the database, or load code.",
        remedy: "Send one `SELECT` (or `WITH ... SELECT`) over the tables that `GET /v1/query/schema` lists.",
        again: Again::Never,
        detail: "only SELECT over the tables is allowed",
    },
    Kind {
        code: "not_found",
        status: 404,
        title: "Not found",
        meaning: "There is no such path, game, match or seat.",
        remedy: "Compare the path with `/openapi.json`; `GET /v1/games` lists the games. Use ids exactly as the server returned them.",
        again: Again::Never,
        detail: "there is no match with this id",
    },
    Kind {
        code: "method_not_allowed",
        status: 405,
        title: "The method is not allowed here",
        meaning: "The path exists, but supports other methods.",
        remedy: "The header `Allow` lists the methods of the path.",
        again: Again::Never,
        detail: "DELETE is not allowed here, only GET, HEAD, OPTIONS",
    },
    Kind {
        code: "version_conflict",
        status: 409,
        title: "The match is at another version",
        meaning: "The request gave the version for which it was made, in `expected_version` or `If-Match`, and the match is at \
            another one: usually somebody has acted since. Nothing was stored.",
        remedy: "`current_version` is the current version. If the expected version was an earlier one, `missed` has the commits since, as the caller \
            sees them. Show them, choose again from the legal commands, and send the new version. `missed` is a page like those of `GET \
            /v1/matches/{id}/commits`: if its `next` is not null, get the rest with `after=next`.",
        again: Again::Never,
        detail: "the match is at version 9, not at 7",
    },
    Kind {
        code: "not_active_seat",
        status: 409,
        title: "Another seat is to act",
        meaning: "The command came from a seat that is not to act now.",
        remedy: "`active_seat` of `GET /v1/matches/{id}` says which seat is to act; follow the stream to see it change. `rule` is the \
            game's rule about turns, if it has one.",
        again: Again::WhenChanged,
        detail: "seat 1 is to act",
    },
    Kind {
        code: "match_finished",
        status: 409,
        title: "The match is over",
        meaning: "The match is finished or abandoned, and accepts no more commands.",
        remedy: "`GET /v1/matches/{id}` shows how it ended, and, if it was played to its end, the standing and the seed. A finished match \
            can be branched off at any version: `POST /v1/matches/{id}/branches`.",
        again: Again::Never,
        detail: "the match is finished",
    },
    Kind {
        code: "match_not_started",
        status: 409,
        title: "The match has not started",
        meaning: "A seat is still open. Commands are accepted once all seats are taken.",
        remedy: "Wait until the `status` of the match is `running`, or take the open seat: `POST /v1/matches/{id}/seats/{seat}`.",
        again: Again::WhenChanged,
        detail: "the match has not started: a seat is open",
    },
    Kind {
        code: "seat_taken",
        status: 409,
        title: "The seat is taken",
        meaning: "The seat is not open: it was never offered, or somebody else has taken it.",
        remedy: "`seats` of `GET /v1/matches/{id}` says which are open. `GET /v1/matches?status=open` lists matches with open \
            seats.",
        again: Again::Never,
        detail: "seat 1 is taken",
    },
    Kind {
        code: "idempotency_conflict",
        status: 409,
        title: "The idempotency key was used for another request",
        meaning: "The same `Idempotency-Key` was sent before with another body. The first request was carried out, this one was not.",
        remedy: "Create a new key for each new request, and repeat a key only with exactly the same body.",
        again: Again::Never,
        detail: "this idempotency key was used for another request",
    },
    Kind {
        code: "ticket_used",
        status: 409,
        title: "The ticket was used",
        meaning: "A match was opened with this ticket before: each is good for one match.",
        remedy: "Get a new ticket by `POST /v1/seeds`. A request that is repeated with the same `Idempotency-Key` gets the first match.",
        again: Again::Never,
        detail: "this ticket was used for another match",
    },
    Kind {
        code: "request_timeout",
        status: 408,
        title: "The request did not arrive in time",
        meaning: "The body of the request did not arrive within 8 seconds, for instance because the network failed in the middle of it.",
        remedy: "Send the request again, on another connection.",
        again: Again::AtOnce,
        detail: "the body did not arrive within 8 seconds",
    },
    Kind {
        code: "version_gone",
        status: 410,
        title: "The version is too old",
        meaning: "A patch from this version of the view to the requested one would go back too far.",
        remedy: "Get the whole view, which the header `Link` names, and continue from its `version`.",
        again: Again::Never,
        detail: "version 3 is too far behind version 400: a patch goes back 256 versions; get the view as a whole: /v1/matches/019b8f3a-5c00-7000-8000-000000000001/view",
    },
    Kind {
        code: "too_large",
        status: 413,
        title: "Too large",
        meaning: "A request body may have at most 1 MiB, and a response in one piece 8 MiB.",
        remedy: "Send less, or request less. An analysis of many commands can be split into several, each starting from the position at the end of \
            the one before.",
        again: Again::Never,
        detail: "a body has at most 1048576 bytes",
    },
    Kind {
        code: "unsupported_media_type",
        status: 415,
        title: "The media type is not supported",
        meaning: "A request body must be JSON, be labelled as JSON, and not be compressed.",
        remedy: "Send `Content-Type: application/json`, and do not compress the body.",
        again: Again::Never,
        detail: "the body must be application/json",
    },
    Kind {
        code: "illegal_command",
        status: 422,
        title: "A rule forbids the command",
        meaning: "The command breaks a rule of the game, or does not have the form of a command. Nothing changed.",
        remedy: "`rule` is the number of the first rule that is broken, `rule_text` is its text, and `detail` says how it applies here. \
            `GET /v1/matches/{id}/legal-commands` lists every command that would be accepted, ready to be sent. In an analysis, \
            and in what a sandbox plays when it is opened, `step` is the index of the command.",
        again: Again::WhenChanged,
        detail: "the hand has 5 cards, no more can be drawn",
    },
    Kind {
        code: "invalid_position",
        status: 422,
        title: "A rule forbids the position",
        meaning: "The position cannot arise in the game, or does not have the form of a position. Or a picture was requested of a \
            position or view that cannot be drawn.",
        remedy: "`rule` is the number of the first rule that is broken, `rule_text` is its text, and `detail` says what is wrong; what only cannot be drawn \
            breaks no rule, and has neither. `POST \
            /v1/games/{game}/positions` creates valid positions; `schemas.position` of `GET /v1/games/{game}` is their \
            schema.",
        again: Again::Never,
        detail: "the hand of seat 0 has 6 cards",
    },
    Kind {
        code: "invalid_options",
        status: 422,
        title: "A rule forbids the options",
        meaning: "The game cannot be played with these options, or with this number of seats.",
        remedy: "`rule` is the number of the first rule that is broken, `rule_text` is its text, and `detail` says what is wrong. \
            `schemas.options` of `GET /v1/games/{game}` is their schema; an empty object means the defaults.",
        again: Again::Never,
        detail: "the game is played with 2 seats, not with 3",
    },
    Kind {
        code: "chance_outcome",
        status: 422,
        title: "A forced outcome of chance does not fit",
        meaning: "An outcome in `chance.outcomes`, or in `sandbox.outcomes` when a sandbox is opened, is impossible at its draw, or some are left over. Of \
            `chance.outcomes` one may also be missing.",
        remedy: "Give one outcome for each draw, in the order and with the values that the game's specification names; in `sandbox.outcomes` null leaves a \
            draw to the seed, and so does the end of the list. `step` is the index of the command, if one was drawing. With `chance: null` all outcomes \
            are drawn, and the seed is returned.",
        again: Again::Never,
        detail: "not all outcomes were drawn: 1 left over",
    },
    Kind {
        code: "not_reached",
        status: 422,
        title: "The sandbox did not get so far",
        meaning: "The match ended before the version or the moment that `sandbox.fast_forward` asks for, or would need more commands than one request may play.",
        remedy: "Ask for less, or choose another seed or another bot. Nothing was opened.",
        again: Again::Never,
        detail: "the match ends at version 131, before it gets so far",
    },
    Kind {
        code: "version_unknown",
        status: 422,
        title: "There is no such version",
        meaning: "The match does not have this version yet, or the version is inside a commit where only the end of a commit is allowed.",
        remedy: "Versions are 1 to `current_version`. The `last_version` of each commit is the version at its end.",
        again: Again::WhenChanged,
        detail: "there is no version 99: versions are 1 to 12",
    },
    Kind {
        code: "query_wrong",
        status: 422,
        title: "The query is invalid",
        meaning: "The statement is not valid SQL for SQLite, names a table or column that does not exist, has a parameter without a value, or has no \
            parameter for a value that was sent.",
        remedy: "`errors` says where the error is, and `GET /v1/query/schema` lists all tables and columns. Columns whose names are SQL keywords need \
            quotes: `\"from\"`.",
        again: Again::Never,
        detail: "no such column: point, at byte 11",
    },
    Kind {
        code: "query_too_much",
        status: 422,
        title: "The query needs too many resources",
        meaning: "The query took longer, or needed more memory, than this server allows, or needed a value of more than 1 MiB: it was stopped. Or the \
            statement has more than 20,000 bytes: it was not run. Nothing was changed.",
        remedy: "Narrow it down: by `game`, by a range of `match_no`, to fewer columns, without sorting all rows. For larger queries, download the tables as \
            Parquet, and query them on your own machine.",
        again: Again::Never,
        detail: "the query took longer than 10 s",
    },
    Kind {
        code: "rate_limited",
        status: 429,
        title: "Too many requests",
        meaning: "This address or this token has used more than it may; or the address holds too many streams open, or has two downloads of tables \
            running already; or bodies in transit have 16 MiB for this address, or 128 MiB for all. `detail` says which.",
        remedy: "Wait as long as the header `Retry-After` says. In every response but those of `/healthz`, `/readyz` and preflights, if there is a limit, \
            `RateLimit` says how much is left and `RateLimit-Policy` what the limits are. Follow a match by its stream instead of polling.",
        again: Again::Later,
        detail: "this address may use 200 units a second, and 1000 at once",
    },
    Kind {
        code: "quota_reached",
        status: 429,
        title: "The quota is reached",
        meaning: "This address has as many open and running matches as it may have at once, or as many of those that only bots play: `detail` says which. \
            Nothing was stored.",
        remedy: "One of them must end first: play it out, or, if you opened it, close it with its owner token by `POST /v1/matches/{id}/close`. Bots play theirs to the end by themselves. A match that nobody touches \
            for a long time is closed by the server.",
        again: Again::Later,
        detail: "this address has 100 open and running matches, which is the limit: one must end first, by being played out or closed with its owner token",
    },
    Kind {
        code: "internal",
        status: 500,
        title: "Internal server error",
        meaning: "The server failed. The cause is in its log, under `request_id`, and is never part of a response.",
        remedy: "Report the `request_id` to the operator of the server. Before you repeat a command, check whether it was accepted, or \
            repeat it with the same `Idempotency-Key`, so that it is carried out once.",
        again: Again::Perhaps,
        detail: "the cause is in the server's log, under the id of this request",
    },
    Kind {
        code: "format_unknown",
        status: 501,
        title: "The format is not offered",
        meaning: "`format` of `GET /oembed` names another format than `json`, which is the only one.",
        remedy: "Send `format=json`, or leave it out.",
        again: Again::Never,
        detail: "only json is offered, not xml",
    },
    Kind {
        code: "unavailable",
        status: 503,
        title: "The server cannot do this now",
        meaning: "The store accepts no writes, for instance because the disk is full, a part of the store cannot be read, or the server is stopping. \
            Or this server is at a limit of its own (open and running matches, downloads, queries), or the list of matches, statistics or tables are being \
            made, or it has not caught up with another server, or the database does not answer, or a name was forgotten while the response \
            was made; `detail` says which. Nothing was stored. Reads may still work.",
        remedy: "Wait as long as the header `Retry-After` says, then repeat the request with the same `Idempotency-Key`.",
        again: Again::Later,
        detail: "nothing was stored; try again later",
    },
    Kind {
        code: "damaged",
        status: 503,
        title: "The match is damaged in the store",
        meaning: "What is stored of this match, or of something else that the response needs, cannot be read, or is not what was written: a disk has \
            failed, somebody has changed it, or a newer program wrote it. A damaged match is set aside and not shown, since it could be \
            wrong; all others are served. `GET /v1/damaged` lists what is set aside.",
        remedy: "Report it to the operator of the server: `detail` names what, as far as it is known, the server's log has the cause, and `muninn verify` \
            lists everything that differs. What a disk could not read for a moment is tried again by itself; otherwise the match is available again when the \
            server is started with files restored from a copy.",
        again: Again::WhenMended,
        detail: "match 019b8f3a-5c00-7000-8000-000000000001, commit 7: its bytes are not those that were written",
    },
    Kind {
        code: "outcome_unknown",
        status: 503,
        title: "It is unknown whether this was stored",
        meaning: "The request, or an earlier one with the same `Idempotency-Key`, may be stored or not. If the store is on one disk, the disk failed while it \
            was being stored: this is unknown until the server is restarted, and until then the match is shown without it. If the store is in a database, \
            it was not confirmed for 30 seconds, or the server that received it ended before it answered: a repeated request shows it, without a restart. \
            It is also told in place of a large response to what was stored, if too much that was sent before is still unread.",
        remedy: "Repeat a command, or the opening of a match, with the same `Idempotency-Key` until the answer is a different one: it is carried out once, \
            whether or not it was stored the first time. Other requests take no key. For them, and without a key, look at the match before you repeat the \
            request: after the restart, or as soon as the match is shown again. The tokens of a seat that was taken, or of a branch, cannot be recovered if \
            the answer with them was lost.",
        again: Again::SameKey,
        detail: "this may or may not have been stored: repeat a command or an opening with the same Idempotency-Key; without one, look at the match once the server or its database is back",
    },
];

/// The kind of a code of the table.
pub fn kind(code: &str) -> &'static Kind {
    let found = KINDS.iter().find(|kind| kind.code == code);
    found.expect("the code is in the table")
}
