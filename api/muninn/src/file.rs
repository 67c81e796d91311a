//! The file of settings: TOML, and its keys are the flags of `muninn serve`.
//!
//! The flags are written down once, in `ServeArgs`. Here clap says which there are and what each takes, and what the file says takes the
//! place of their defaults. So a flag wins over its variable, and both win over the file.

use std::any::TypeId;
use std::ffi::OsString;
use std::fs;
use std::time::Duration;

use clap::{Arg, ArgAction, Command as Clap, CommandFactory, FromArgMatches, Parser};
use journal::Address;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::{Cli, Command, ServeArgs};
use crate::failure::{Failure, usage};
use crate::span::Span;

/// What a file says: flags, and what each is given.
type Given = Vec<(String, &'static str)>;

/// A mistake in the file, with the byte where it is.
#[derive(Debug)]
struct Mistake {
    at: usize,
    what: String,
}

/// Reads the command line, and the file that it names. Ends the process if the command line is wrong, as clap does.
pub(crate) fn parse(args: &[OsString]) -> Result<Cli, Failure> {
    let cli = Cli::parse_from(args);
    let Command::Serve(ServeArgs { config: Some(file), .. }) = &cli.command else {
        return Ok(cli);
    };
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| usage(format!("{name}: {error}")))?;
    let given = read(&text).map_err(|Mistake { at, what }| {
        let before = &text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        usage(format!("{name}:{line}:{column}: {what}"))
    })?;
    let matches = with_defaults(&given).get_matches_from(args);
    Cli::from_arg_matches(&matches).map_err(Failure::from)
}

/// The command line with what a file says as defaults.
fn with_defaults(given: &Given) -> Clap {
    Cli::command().mut_subcommand("serve", |serve| {
        serve.mut_args(|arg| {
            match given.iter().find(|(key, _)| Some(key.as_str()) == arg.get_long()) {
                Some((_, value)) => arg.default_value(*value),
                None => arg,
            }
        })
    })
}

fn read(text: &str) -> Result<Given, Mistake> {
    let table = DeTable::parse(text).map_err(|error| Mistake {
        at: error.span().map_or(0, |span| span.start.min(text.len())),
        what: error.message().to_owned(),
    })?;
    let cli = Cli::command();
    let serve = cli.find_subcommand("serve").expect("there is the command");
    table.get_ref().iter().map(|(key, value)| setting(serve, key, value)).collect()
}

/// The flags that may stand in a file: all but the one that names it.
fn flags(serve: &Clap) -> impl Iterator<Item = &Arg> {
    serve.get_arguments().filter(|arg| arg.get_long().is_some_and(|long| long != "config"))
}

fn setting(
    serve: &Clap,
    key: &Spanned<impl AsRef<str>>,
    value: &Spanned<DeValue<'_>>,
) -> Result<(String, &'static str), Mistake> {
    let name = key.as_ref().as_ref();
    let arg = flags(serve).find(|arg| arg.get_long() == Some(name)).ok_or_else(|| {
        let known: Vec<&str> = flags(serve).filter_map(Arg::get_long).collect();
        let what = format!("there is no setting `{name}`; the settings are {}", known.join(", "));
        Mistake { at: key.span().start, what }
    })?;
    let wrong = |what| Mistake { at: value.span().start, what };
    let text = text(arg, value.get_ref()).map_err(|expected| {
        let found = value.get_ref().type_str();
        wrong(format!("`{name}`: expected {expected}, found {found}"))
    })?;
    if arg.get_action().takes_values() {
        // The words of clap about one flag: those about usage do not fit a file.
        let said = serve.clone().try_get_matches_from(["serve", &format!("--{name}={text}")]);
        said.map_err(|error| {
            let words = error.to_string();
            let words = words.strip_prefix("error: ").unwrap_or(&words);
            let lines = words.lines().take_while(|line| !line.is_empty()).map(str::trim);
            wrong(lines.collect::<Vec<_>>().join(" "))
        })?;
    }
    if arg.get_value_parser().type_id() == TypeId::of::<Address>() {
        // A flag or a variable is told when the store is opened: clap would quote it, with a password in it.
        let checked = Address::from(text.clone()).check();
        checked.map_err(|what| wrong(format!("`{name}`: {what}")))?;
    }
    // Read once and kept as long as the process lives.
    Ok((name.to_owned(), text.leak()))
}

/// A value as it would be written on the command line, or which type it ought to have.
fn text(arg: &Arg, value: &DeValue<'_>) -> Result<String, &'static str> {
    let numbers =
        [TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>(), TypeId::of::<Duration>()];
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return value.as_bool().map(|on| on.to_string()).ok_or("boolean");
    }
    let kind = arg.get_value_parser().type_id();
    let number = || {
        let number = value.as_integer().map(|it| i64::from_str_radix(it.as_str(), it.radix()));
        number.and_then(Result::ok).map(|number| number.to_string())
    };
    if numbers.iter().any(|number| kind == *number) {
        return number().ok_or("integer");
    }
    let days = if kind == TypeId::of::<Span>() { number() } else { None };
    let several = || {
        let between = arg.get_value_delimiter()?.to_string();
        let values: Option<Vec<&str>> =
            value.as_array()?.iter().map(|value| value.get_ref().as_str()).collect();
        Some(values?.join(&between))
    };
    value.as_str().map(str::to_owned).or_else(several).or(days).ok_or("string")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn serve() -> Clap {
        Cli::command().find_subcommand("serve").unwrap().clone()
    }

    #[test]
    fn every_flag_of_serve_is_a_key() {
        let serve = serve();
        assert!(flags(&serve).count() > 15);
        for arg in flags(&serve) {
            let long = arg.get_long().unwrap();
            // The first of these that the flag takes, and that is not its default.
            let values = [
                "17",
                "\"127.0.0.1:17\"",
                "\"on\"",
                "\"off\"",
                "\"json\"",
                "true",
                "\"postgres://db/muninn\"",
                "\"http://127.0.0.1:17\"",
            ];
            let given = values.iter().find_map(|value| {
                let given = read(&format!("{long} = {value}")).ok()?;
                let default = arg.get_default_values().first();
                default.is_none_or(|default| default != given[0].1).then_some(given)
            });
            let given = given.unwrap_or_else(|| panic!("{long} takes no value from a file"));
            let matches = with_defaults(&given).get_matches_from(["muninn", "serve"]);
            let serve = matches.subcommand_matches("serve").unwrap();
            let mut raw = serve.get_raw(arg.get_id().as_str()).unwrap();
            assert_eq!((long, raw.next().unwrap().to_str()), (&*given[0].0, Some(given[0].1)));
        }
    }

    #[track_caller]
    fn wrong(text: &str, at: usize, what: &str) {
        let mistake = read(text).unwrap_err();
        assert_eq!(mistake.at, at, "{}", mistake.what);
        assert!(mistake.what.starts_with(what), "{}", mistake.what);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        wrong("a = 1", 0, "there is no setting `a`; the settings are listen, ");
        wrong("config = \"x\"", 0, "there is no setting `config`");
        wrong("[limits]\nworkers = 1", 1, "there is no setting `limits`");
        wrong("workers = 1\nworkers = 2", 12, "duplicate key");
        wrong("workers = \"4\"", 10, "`workers`: expected integer, found string");
        wrong("workers = 4.5", 10, "`workers`: expected integer, found float");
        wrong("data = 4", 7, "`data`: expected string, found integer");
        wrong("query = true", 8, "`query`: expected string, found boolean");
        wrong("query = \"yes\"", 8, "invalid value 'yes' for '--query <QUERY>' [possible values");
        wrong("workers = -1", 10, "invalid value '-1' for '--workers <WORKERS>': invalid digit");
        wrong(
            "heartbeat = 0",
            12,
            "invalid value '0' for '--heartbeat <HEARTBEAT>': expected 1 to",
        );
        wrong(
            "heartbeat = 41",
            12,
            "invalid value '41' for '--heartbeat <HEARTBEAT>': expected 1 to 40 seconds: clients give up",
        );
        wrong("\n\nlisten = nonsense", 11, "");
    }

    #[test]
    fn a_heartbeat_comes_ten_seconds_before_anybody_gives_up_a_stream() {
        let page = include_str!("../../../clients/typescript/client/src/stream.js");
        let python = include_str!("../../../clients/python/src/muninn/_async.py");
        let nginx = include_str!("../../../deploy/nginx.conf");
        let caddy = include_str!("../../../deploy/Caddyfile");
        let balancer = include_str!("../../../deploy/cluster/balancer.cfg");
        for (text, before, of_a_second) in [
            (page, "SILENCE_MS = ", 1000),
            (python, "\nSILENCE = ", 1),
            (nginx, " proxy_read_timeout ", 1),
            (caddy, "\tread_timeout ", 1),
            (balancer, " timeout server ", 1),
        ] {
            let (_, rest) = text.split_once(before).unwrap();
            let digits = rest.chars().take_while(|digit| digit.is_ascii_digit() || *digit == '_');
            let silence: String = digits.filter(|digit| *digit != '_').collect();
            let silence = silence.parse::<u64>().unwrap() / of_a_second;
            let late = format!("heartbeat = {}", silence - 9);
            assert!(read(&late).is_err(), "{before}{silence}: {late}");
        }
    }

    #[cfg(feature = "postgres")]
    #[test]
    fn an_address_that_cannot_be_understood_is_told_without_a_password() {
        wrong("store = \"hunter2\"", 8, "`store`: its address cannot be understood (postgres://");
        let mode = "store = \"postgres://me:hunter2@db/muninn?sslmode=never\"";
        wrong(mode, 8, "`store`: sslmode is disable, prefer, require or verify-full");
        assert!(!read(mode).unwrap_err().what.contains("hunter2"));
    }

    #[test]
    fn several_values_are_a_list() {
        let given = read("operator-listen = [\"unix:/run/door\", \"127.0.0.1:9091\"]").unwrap();
        assert_eq!(given[0].1, "unix:/run/door,127.0.0.1:9091");
        let matches = with_defaults(&given).get_matches_from(["muninn", "serve"]);
        let serve = matches.subcommand_matches("serve").unwrap();
        assert_eq!(serve.get_many::<server::Listen>("operator_listen").unwrap().count(), 2);
        wrong("listen = [\"127.0.0.1:1\"]", 9, "`listen`: expected string, found array");
    }

    #[test]
    fn numbers_may_be_written_as_toml_writes_them() {
        let given = read("matches-mib = 0x1_00\nquery-rows = 20_000").unwrap();
        let all: Vec<&str> = given.iter().map(|(_, value)| *value).collect();
        assert_eq!(all, ["256", "20000"]);
    }
}
