//! The table of codes: for the answers, for the OpenAPI document, and for the pages that `type` leads to.

/// A kind of problem.
#[derive(Debug)]
pub struct Kind {
    /// For programs, and the last part of `type`.
    pub code: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// The kind in words.
    pub title: &'static str,
    /// What it means. Between backticks stands what is code.
    pub meaning: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
    /// Does the same request help later?
    pub again: Again,
    /// A `detail` as it may look.
    pub detail: &'static str,
}

/// Whether the same request may be answered otherwise later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// It never helps: the request itself must change.
    Never,
    /// It helps when the match has changed meanwhile.
    WhenChanged,
    /// It helps after the time in the header Retry-After.
    Later,
    /// It helps when somebody has mended the store.
    WhenMended,
    /// With the same idempotency key it tells what became of it.
    SameKey,
}

impl Again {
    /// In a sentence.
    pub fn text(self) -> &'static str {
        match self {
            Again::Never => "No. The same request gets the same answer; change it first.",
            Again::WhenChanged => {
                "Not now. The same request may be accepted when the match has changed."
            }
            Again::Later => {
                "Yes, after the seconds in the header `Retry-After`. Nothing was stored."
            }
            Again::WhenMended => {
                "Not soon. Somebody has to restore the files; `Retry-After` says an hour, so that nobody asks on and on meanwhile."
            }
            Again::SameKey => {
                "Yes, with the same `Idempotency-Key`, after the seconds in the header `Retry-After`. It is carried out once."
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
        meaning: "The request is not of the form that the operation takes: the body is no JSON, a field is missing, unknown or \
            of another type, or a parameter or header has no meaning. The rules of the game were not asked.",
        remedy: "`errors` names each place by a JSON pointer into the body, or by the name of the parameter or header. Compare \
            the request with the operation's schema in `/openapi.json`; unknown fields are refused on purpose, so that a \
            misspelt one is noticed.",
        again: Again::Never,
        detail: "a limit is a number from 1 to 1000",
    },
    Kind {
        code: "token_required",
        status: 401,
        title: "A token is required",
        meaning: "Only somebody with a token may do this: act for a seat, see a private match, or see what a seat sees.",
        remedy: "Send `Authorization: Bearer` and the token of the seat, or of the owner, as it was given when the match was \
            opened or the seat was taken.",
        again: Again::Never,
        detail: "acting needs the token of a seat",
    },
    Kind {
        code: "token_invalid",
        status: 401,
        title: "The token is invalid",
        meaning: "This server never gave this token. A token is 64 hexadecimal digits, in lower case.",
        remedy: "Check that the token is whole, that the header is `Authorization: Bearer` followed by it, and that the match is \
            of this server. Tokens are shown once, when they are given; one that is lost cannot be shown again.",
        again: Again::Never,
        detail: "this token was never given by this server",
    },
    Kind {
        code: "not_yours",
        status: 403,
        title: "The token is not good for this",
        meaning: "The token is genuine, but belongs to another match, or may do other things: a seat's token does not close a \
            match, the owner's does not act for a seat.",
        remedy: "Use the token that was given for this match and this purpose.",
        again: Again::Never,
        detail: "this token belongs to another match",
    },
    Kind {
        code: "hidden",
        status: 403,
        title: "This is hidden",
        meaning: "What was asked for is hidden from the caller while the match goes on: the complete position, another seat's \
            view, the legal commands of a seat that is not the caller's.",
        remedy: "Ask for your own view, or as a spectator (`viewer=spectator`). When the match is finished everything is open to \
            everybody.",
        again: Again::WhenChanged,
        detail: "the complete position is shown when the match is finished",
    },
    Kind {
        code: "query_off",
        status: 403,
        title: "SQL is off",
        meaning: "This server answers no SQL: whoever runs it has not turned it on.",
        remedy: "Ask whoever runs the server for `--query on`, take the tables as files (`GET /v1/tables`) and ask those, or run \
            `muninn query` where the store is.",
        again: Again::Never,
        detail: "this server answers no SQL",
    },
    Kind {
        code: "query_forbidden",
        status: 403,
        title: "The query does more than read",
        meaning: "Only one `SELECT` over the tables is taken: nothing that writes, opens files, changes settings or loads code.",
        remedy: "Ask with one `SELECT` (or `WITH ... SELECT`) over the tables that `GET /v1/tables` lists.",
        again: Again::Never,
        detail: "only SELECT over the tables is allowed",
    },
    Kind {
        code: "not_found",
        status: 404,
        title: "Not found",
        meaning: "There is no such path, game, match or seat.",
        remedy: "Compare the path with `/openapi.json`; `GET /v1/games` lists the games. Ids are as the server gave them.",
        again: Again::Never,
        detail: "there is no match of this id",
    },
    Kind {
        code: "method_not_allowed",
        status: 405,
        title: "The method is not allowed here",
        meaning: "The path exists, but takes other methods.",
        remedy: "The header `Allow` lists the methods of the path.",
        again: Again::Never,
        detail: "DELETE is not allowed here, only GET, HEAD, OPTIONS",
    },
    Kind {
        code: "version_conflict",
        status: 409,
        title: "The match is at another version",
        meaning: "The request said at which version it was chosen, by `expected_version` or `If-Match`, and the match has \
            another one: somebody acted meanwhile. Nothing was stored.",
        remedy: "`current_version` is the present version, `missed` the commits since the expected one, as the caller sees them. \
            Show them, choose again from the legal commands, and send the new version. `missed` is a page like those of `GET \
            /v1/matches/{id}/commits`: where its `next` is not null, there are more to get with `after=next`.",
        again: Again::Never,
        detail: "the match is at version 9, not at 7",
    },
    Kind {
        code: "not_active_seat",
        status: 409,
        title: "Another seat is to act",
        meaning: "The command came from a seat whose turn it is not.",
        remedy: "`active_seat` of `GET /v1/matches/{id}` says whose turn it is; the stream says when it changes. `rule` is the \
            game's rule about it, where it has one.",
        again: Again::WhenChanged,
        detail: "seat 1 is to act",
    },
    Kind {
        code: "match_finished",
        status: 409,
        title: "The match is over",
        meaning: "The match is finished or abandoned, and takes no more commands.",
        remedy: "`GET /v1/matches/{id}` shows the standing and the seed. A finished match may be branched off from any version: \
            `POST /v1/matches/{id}/branches`.",
        again: Again::Never,
        detail: "the match is finished",
    },
    Kind {
        code: "match_not_started",
        status: 409,
        title: "The match has not started",
        meaning: "A seat is still open. Commands are accepted when all seats are taken.",
        remedy: "Wait until the `status` of the match is `running`, or take the open seat: `POST /v1/matches/{id}/seats/{seat}`.",
        again: Again::WhenChanged,
        detail: "the match has not started: a seat is open",
    },
    Kind {
        code: "seat_taken",
        status: 409,
        title: "The seat is taken",
        meaning: "Somebody sits there: it was not offered, or somebody was faster.",
        remedy: "`seats` of `GET /v1/matches/{id}` says which are open. `GET /v1/matches?status=open` lists matches with open \
            seats.",
        again: Again::Never,
        detail: "seat 1 is taken",
    },
    Kind {
        code: "idempotency_conflict",
        status: 409,
        title: "The idempotency key was used for another request",
        meaning: "The same `Idempotency-Key` came before, with another body. The first request was carried out; this one was not.",
        remedy: "Make a new key for each new request, and repeat a key only together with the same bytes.",
        again: Again::Never,
        detail: "this idempotency key was used for another request",
    },
    Kind {
        code: "too_large",
        status: 413,
        title: "The body is too large",
        meaning: "A body has at most 1 MiB.",
        remedy: "Send less: an analysis of many commands may be cut into several, each from the position that the one before \
            ended with.",
        again: Again::Never,
        detail: "a body has at most 1048576 bytes",
    },
    Kind {
        code: "unsupported_media_type",
        status: 415,
        title: "The media type is not supported",
        meaning: "Bodies are JSON, and say so.",
        remedy: "Send `Content-Type: application/json`.",
        again: Again::Never,
        detail: "the body must be application/json",
    },
    Kind {
        code: "illegal_command",
        status: 422,
        title: "A rule forbids the command",
        meaning: "The command breaks a rule of the game, or is no command of the game's form. Nothing changed.",
        remedy: "`rule` is the number of the first rule that is broken, `rule_text` what it says, `detail` how it applies here. \
            `GET /v1/matches/{id}/legal-commands` lists every command that would be accepted, ready to be sent. In an analysis \
            `step` is the index of the command.",
        again: Again::WhenChanged,
        detail: "the hand has 5 cards, no more can be drawn",
    },
    Kind {
        code: "invalid_position",
        status: 422,
        title: "A rule forbids the position",
        meaning: "The position cannot arise in the game, or is no position of the game's form.",
        remedy: "`rule` is the number of the first rule that is broken, `rule_text` what it says, `detail` what is wrong. `POST \
            /v1/games/{game}/positions` makes positions that are good; `schemas.position` of `GET /v1/games/{game}` is their \
            form.",
        again: Again::Never,
        detail: "the hand of seat 0 has 6 cards",
    },
    Kind {
        code: "invalid_options",
        status: 422,
        title: "A rule forbids the options",
        meaning: "The game is not played with these options, or with this number of seats.",
        remedy: "`rule` is the number of the first rule that is broken, `rule_text` what it says, `detail` what is wrong. \
            `schemas.options` of `GET /v1/games/{game}` is their form; an empty object takes the defaults.",
        again: Again::Never,
        detail: "the game is played with 2 seats, not with 3",
    },
    Kind {
        code: "chance_outcome",
        status: 422,
        title: "A forced outcome of chance does not fit",
        meaning: "An outcome in `chance.outcomes` is not possible there, one is missing, or some are left over.",
        remedy: "Give one outcome for each draw, in the order and with the values that the game's specification names; `step` is \
            the index of the command. With `chance: null` the outcomes are drawn, and the seed is returned.",
        again: Again::Never,
        detail: "1 of the outcomes were not drawn",
    },
    Kind {
        code: "version_unknown",
        status: 422,
        title: "There is no such version",
        meaning: "The match has no such version yet, or it lies inside of a commit where only the end of one will do.",
        remedy: "Versions are 1 to `current_version`. `last_version` of each commit is a version at its end.",
        again: Again::WhenChanged,
        detail: "there is no version 99: versions are 1 to 12",
    },
    Kind {
        code: "query_wrong",
        status: 422,
        title: "The query is wrong",
        meaning: "The statement is no SQL of SQLite's, or names a table or column that is not there.",
        remedy: "`errors` has the place, `GET /v1/tables` all tables and columns. Columns whose names are words of SQL stand in \
            quotes: `\"from\"`.",
        again: Again::Never,
        detail: "no such column: point, at byte 11",
    },
    Kind {
        code: "query_too_much",
        status: 422,
        title: "The query needs too much",
        meaning: "The query took longer, or needed more memory, than this server allows. It was ended, and nothing was changed.",
        remedy: "Narrow it: by `game`, by a span of `match_no`, by fewer columns, without sorting all rows. For more take the tables as \
            Parquet, and ask them where you are.",
        again: Again::Never,
        detail: "the query took longer than 10 s",
    },
    Kind {
        code: "rate_limited",
        status: 429,
        title: "Too many requests",
        meaning: "This address, or this token, asks more often than it may, or the address holds too many streams open.",
        remedy: "Wait as long as the header `Retry-After` says. `RateLimit` tells in every answer how much is left, \
            `RateLimit-Policy` how much there is. Watch a match by its stream instead of asking again and again.",
        again: Again::Later,
        detail: "this address may ask 200 times a second, and 1000 times at once",
    },
    Kind {
        code: "internal",
        status: 500,
        title: "Something went wrong in the server",
        meaning: "The server failed. The cause is in its log, under `request_id`, and is never part of an answer.",
        remedy: "Tell whoever runs the server the `request_id`. Before you repeat a command look whether it was accepted, or \
            repeat it with the same `Idempotency-Key`: then it is carried out once.",
        again: Again::Never,
        detail: "the cause is in the server's log, under the id of this request",
    },
    Kind {
        code: "unavailable",
        status: 503,
        title: "The server cannot do this now",
        meaning: "The store takes no writes, for instance because the disk is full, a part of it cannot be read, or the server is stopping. \
            Nothing was stored. Reads may still work.",
        remedy: "Wait as long as the header `Retry-After` says, then repeat the request with the same `Idempotency-Key`.",
        again: Again::Later,
        detail: "nothing was stored; try again later",
    },
    Kind {
        code: "damaged",
        status: 503,
        title: "The match is damaged in the store",
        meaning: "What is stored of this match cannot be read, or is not what its game decides: a disk has failed, or somebody has changed \
            the files. Nothing of it is shown, so that nothing wrong is; the match is set aside, and all others are served. `GET \
            /v1/damaged` lists what is set aside.",
        remedy: "Tell whoever runs the server: `detail` names the match and the commit, the server's log has the cause, and `muninn verify` \
            lists all that differs. The match comes back when the server starts on files that were restored from a copy.",
        again: Again::WhenMended,
        detail: "match 019b8f3a-5c00-7000-8000-000000000001, commit 7: its bytes are not those that were written",
    },
    Kind {
        code: "outcome_unknown",
        status: 503,
        title: "Nobody knows whether this was stored",
        meaning: "The disk failed while the request, or an earlier one with the same `Idempotency-Key`, was being stored. It may be there when \
            the server was restarted, or not; until then the match is shown without it.",
        remedy: "Ask again with the same `Idempotency-Key` until the answer is another one: then it is carried out once, whether it was stored \
            or not. Without a key look at the match's `version` after the restart, before you repeat the request.",
        again: Again::SameKey,
        detail: "this may have been stored or not: ask again with the same Idempotency-Key, or look at the version, when the server was restarted",
    },
];

/// The kind of a code of the table.
pub fn kind(code: &str) -> &'static Kind {
    let found = KINDS.iter().find(|kind| kind.code == code);
    found.expect("the code is in the table")
}
