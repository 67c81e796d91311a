//! Which matches somebody asks about, and how they are to be grouped: the same words for HTTP and for the command line.

use std::collections::BTreeMap;

use journal::{Bot, looked_for};
use kernel::{AnyGame, Schemas};
use serde_json::Value;

use super::time::moment;

/// How many groupings go together.
pub(crate) const DIMENSIONS: usize = 3;
/// How many groups are told where nothing is said, and at most.
const GROUPS: usize = 100;
const GROUPS_MOST: usize = 1_000;

/// Whom statistics are of. A match has one of the first three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Population {
    /// Matches that only people play.
    #[default]
    People,
    /// Matches that only bots play.
    Bots,
    /// Matches that both play.
    Mixed,
    /// All matches.
    All,
}

impl Population {
    const EVERY: [Population; 4] =
        [Population::People, Population::Bots, Population::Mixed, Population::All];

    /// Its word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Population::People => "people",
            Population::Bots => "bots",
            Population::Mixed => "mixed",
            Population::All => "all",
        }
    }
}

/// What matches are grouped by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dimension {
    Players,
    Seats,
    Edition,
    Bot,
    Player,
    Loaded,
    Branched,
    Day,
    Month,
    Year,
    Option(String),
}

impl Dimension {
    const PLAIN: [(&'static str, Dimension); 10] = [
        ("players", Dimension::Players),
        ("seats", Dimension::Seats),
        ("edition", Dimension::Edition),
        ("bot", Dimension::Bot),
        ("player", Dimension::Player),
        ("loaded", Dimension::Loaded),
        ("branched", Dimension::Branched),
        ("day", Dimension::Day),
        ("month", Dimension::Month),
        ("year", Dimension::Year),
    ];

    pub(crate) fn name(&self) -> String {
        if let Dimension::Option(option) = self {
            return format!("option.{option}");
        }
        let plain = Self::PLAIN.iter().find(|(_, plain)| plain == self);
        plain.map(|(name, _)| (*name).to_owned()).unwrap_or_default()
    }

    /// Does it ask about bots, so that matches of people alone would say nothing?
    fn of_bots(&self) -> bool {
        matches!(self, Dimension::Players | Dimension::Bot)
    }
}

/// Which statistics somebody asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub(crate) players: Population,
    pub(crate) seats: Option<usize>,
    pub(crate) edition: Option<u32>,
    /// A bot, of this version alone if one is given.
    pub(crate) bot: Option<(Bot, Option<u32>)>,
    pub(crate) player: Option<String>,
    /// From this moment on,
    pub(crate) from: Option<String>,
    /// and before this one.
    pub(crate) until: Option<String>,
    pub(crate) loaded: Option<bool>,
    pub(crate) branched: Option<bool>,
    pub(crate) options: BTreeMap<String, String>,
    pub(crate) group_by: Vec<Dimension>,
    pub(crate) limit: usize,
    /// What was understood, by parameter, defaults among it.
    pub(crate) told: BTreeMap<String, String>,
}

/// A parameter that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unasked {
    /// Its name.
    pub name: String,
    /// Its value, if that is what is wrong.
    value: Option<String>,
    /// A sentence, behind the name alone without its subject.
    why: String,
}

impl Unasked {
    fn of(name: &str, why: impl Into<String>) -> Self {
        Unasked { name: name.to_owned(), value: None, why: why.into() }
    }

    /// What is wrong, in the words of a request.
    #[must_use]
    pub fn detail(&self) -> String {
        let Unasked { name, value, why } = self;
        value
            .as_ref()
            .map_or_else(|| format!("`{name}` {why}"), |value| format!("{name}={value}: {why}"))
    }

    /// What is wrong, in the words of the command line.
    #[must_use]
    pub fn of_flag(&self) -> String {
        let Unasked { name, value, why } = self;
        let value = value.as_deref();
        match (name.strip_prefix("option."), value) {
            (Some(option), Some(value)) => format!("--option {option}={value}: {why}"),
            (Some(option), None) => format!("--option {option} {why}"),
            (None, Some(value)) => format!("--{} {value}: {why}", name.replace('_', "-")),
            (None, None) => format!("--{} {why}", name.replace('_', "-")),
        }
    }
}

/// The parameters, but for those of options.
const NAMES: &str = "players, seats, edition, bot, player, from, until, loaded, branched, option.NAME, group_by, limit";

impl Asked {
    /// What the matches are grouped by: names of `group_by`.
    #[must_use]
    pub fn grouped_by(&self) -> Vec<String> {
        self.group_by.iter().map(Dimension::name).collect()
    }

    /// The same matches, in groups by bot.
    #[must_use]
    pub fn by_bot(&self) -> Self {
        self.grouped(Dimension::Bot)
    }

    /// The same matches and those that others play, in groups by who plays.
    #[must_use]
    pub fn of_everybody(&self) -> Self {
        let mut asked = self.grouped(Dimension::Players);
        asked.players = Population::All;
        asked.told.insert("players".to_owned(), Population::All.name().to_owned());
        asked
    }

    /// The same matches in other groups, as many as can be told.
    fn grouped(&self, by: Dimension) -> Self {
        let mut asked = self.clone();
        asked.told.remove("limit");
        asked.told.insert("group_by".to_owned(), by.name());
        asked.limit = GROUPS_MOST;
        asked.group_by = vec![by];
        asked
    }

    /// Understands parameters by name and value. A match that began from a position is left out unless `loaded` or `branched` is among them; `players`
    /// is `people` unless it is said, or the parameters ask about bots: then it is `all`.
    ///
    /// # Errors
    /// The first parameter that is unknown, comes twice, or has a value that cannot be.
    pub fn of(
        game: &dyn AnyGame,
        parameters: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Unasked> {
        let mut given = BTreeMap::new();
        for (name, value) in parameters {
            let twice = given.contains_key(&name);
            if twice {
                return Err(Unasked::of(&name, "is given twice"));
            }
            given.insert(name, value);
        }
        let mut reader = Reader { given, told: BTreeMap::new() };
        let group_by = reader.read("group_by", |text| {
            // Before any of them is looked up, which takes a while.
            if text.split(',').nth(DIMENSIONS).is_some() {
                return Err(format!("it takes at most {DIMENSIONS} names"));
            }
            text.split(',').map(|name| dimension(game, name)).collect::<Result<Vec<_>, _>>()
        })?;
        let group_by = group_by.unwrap_or_default();
        if (1..group_by.len()).any(|at| group_by[..at].contains(&group_by[at])) {
            return Err(Unasked::of("group_by", "names something twice"));
        }
        let bot = reader.read("bot", bot)?;
        let from = reader.read("from", moment)?;
        let loaded = reader.read("loaded", truth)?;
        let branched = reader.read("branched", truth)?;
        let by_start =
            |dimension: &Dimension| matches!(dimension, Dimension::Loaded | Dimension::Branched);
        let from_setup = loaded.is_none() && branched.is_none() && !group_by.iter().any(by_start);
        let loaded = if from_setup { Some(false) } else { loaded.flatten() };
        if from_setup {
            reader.told.insert("loaded".to_owned(), "false".to_owned());
        } else {
            reader.told.entry("loaded".to_owned()).or_insert("all".to_owned());
        }
        let players = reader.read("players", |text| {
            let known = Population::EVERY.into_iter().find(|known| known.name() == text);
            known.ok_or_else(|| "it is people, bots, mixed or all".to_owned())
        })?;
        let of_bots = bot.is_some() || group_by.iter().any(Dimension::of_bots);
        let fitting = if of_bots { Population::All } else { Population::People };
        let players = players.unwrap_or(fitting);
        reader.told.insert("players".to_owned(), players.name().to_owned());
        let asked = Asked {
            players,
            seats: reader.read("seats", |text| number(text, 1, 64))?,
            edition: reader.read("edition", |text| number(text, 1, u32::MAX))?,
            bot,
            player: reader.read("player", |text| match text {
                "" => Err("it is the name of a player".to_owned()),
                name => Ok(looked_for(name)),
            })?,
            until: reader.read("until", |text| {
                let until = moment(text)?;
                match &from {
                    Some(from) if *from > until => Err("it is before from".to_owned()),
                    Some(_) | None => Ok(until),
                }
            })?,
            from,
            loaded,
            branched: branched.flatten(),
            options: reader.options(game)?,
            group_by,
            limit: reader.read("limit", |text| number(text, 1, GROUPS_MOST))?.unwrap_or(GROUPS),
            told: BTreeMap::new(),
        };
        if let Some(player) = &asked.player {
            reader.told.insert("player".to_owned(), player.clone());
        }
        match reader.given.into_keys().next() {
            Some(name) => {
                Err(Unasked::of(&name, format!("is not a parameter; the parameters are {NAMES}")))
            }
            None => Ok(Asked { told: reader.told, ..asked }),
        }
    }
}

/// Parameters that are still to be read, and what was understood of the others.
struct Reader {
    given: BTreeMap<String, String>,
    told: BTreeMap<String, String>,
}

impl Reader {
    /// The value of a parameter, if it is given.
    fn read<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Unasked> {
        let Some(text) = self.given.remove(name) else { return Ok(None) };
        let wrong = |why| Unasked { name: name.to_owned(), value: Some(text.clone()), why };
        let value = read(&text).map_err(wrong)?;
        self.told.insert(name.to_owned(), text);
        Ok(Some(value))
    }

    /// The options that are asked for, each with its value.
    fn options(&mut self, game: &dyn AnyGame) -> Result<BTreeMap<String, String>, Unasked> {
        let names: Vec<String> =
            self.given.keys().filter(|name| name.starts_with("option.")).cloned().collect();
        let mut options = BTreeMap::new();
        for name in names {
            let option = name.strip_prefix("option.").unwrap_or(&name).to_owned();
            let value = self.read(&name, |value| {
                known_option(game, &option)?;
                option_value(game, &option, value)
            })?;
            options.extend(value.map(|value| (option, value)));
        }
        Ok(options)
    }
}

fn dimension(game: &dyn AnyGame, name: &str) -> Result<Dimension, String> {
    if let Some(option) = name.strip_prefix("option.") {
        known_option(game, option)?;
        return Ok(Dimension::Option(option.to_owned()));
    }
    let mut plain = Dimension::PLAIN.into_iter();
    let found = plain.find(|(known, _)| *known == name).map(|(_, dimension)| dimension);
    found.ok_or_else(|| {
        let known = Dimension::PLAIN.map(|(known, _)| known).join(", ");
        format!("it takes names separated by commas: {known}, option.NAME")
    })
}

/// The game has such an option.
fn known_option(game: &dyn AnyGame, option: &str) -> Result<(), String> {
    let schemas = game.schemas();
    let schema = schemas.roles.get("options").and_then(|name| schemas.components.get(name));
    let known = schema.and_then(|schema| schema["properties"].as_object());
    if known.is_some_and(|known| known.contains_key(option)) {
        return Ok(());
    }
    let known: Vec<&str> =
        known.into_iter().flat_map(|known| known.keys()).map(String::as_str).collect();
    let title = game.info().title;
    Err(match known.as_slice() {
        [] => format!("{title} has no options"),
        known => format!("{title} has no option {option}; its options are {}", known.join(", ")),
    })
}

/// A value of an option as the statistics know it: its JSON in the one form that it has there. A string may be without its quotes.
fn option_value(game: &dyn AnyGame, option: &str, text: &str) -> Result<String, String> {
    let schemas = game.schemas();
    let schema = schemas.roles.get("options").and_then(|name| schemas.components.get(name));
    let schema = schema.map_or(&Value::Null, |schema| &schema["properties"][option]);
    let values = [serde_json::from_str(text).ok(), Some(Value::from(text))];
    let mut values = values.into_iter().flatten();
    let value = values.find(|value| admits(schema, value, &schemas));
    value.map(|value| value.to_string()).ok_or_else(|| "the option has no such value".to_owned())
}

/// Whether a value can be what a schema of options says.
fn admits(schema: &Value, value: &Value, schemas: &Schemas) -> bool {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return schemas.components.get(name).is_some_and(|named| admits(named, value, schemas));
    }
    if let Some(ways) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
        return ways.iter().any(|way| admits(way, value, schemas));
    }
    if let Some(known) = schema["enum"].as_array() {
        return known.contains(value);
    }
    let is_of = |name: &Value| match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.as_array().is_some_and(|items| {
            let (least, most) = (schema["minItems"].as_u64(), schema["maxItems"].as_u64());
            let count = items.len() as u64;
            let repeats = || (1..items.len()).any(|at| items[..at].contains(&items[at]));
            least.is_none_or(|least| count >= least)
                && most.is_none_or(|most| count <= most)
                && !(schema["uniqueItems"] == true && repeats())
                && (schema["items"].is_null()
                    || items.iter().all(|item| admits(&schema["items"], item, schemas)))
        }),
        Some("object") => value.is_object(),
        _ => true,
    };
    let is_within =
        |bound: &str, fits: fn(f64, f64) -> bool| match (schema[bound].as_f64(), value.as_f64()) {
            (Some(bound), Some(value)) => fits(value, bound),
            (_, _) => true,
        };
    let kind = &schema["type"];
    let fits = kind.as_array().map_or_else(|| is_of(kind), |kinds| kinds.iter().any(is_of));
    fits && is_within("minimum", |value, least| value >= least)
        && is_within("maximum", |value, most| value <= most)
}

/// `greedy`, or `greedy@1`.
fn bot(text: &str) -> Result<(Bot, Option<u32>), String> {
    let (name, version) = text.split_once('@').map_or((text, None), |(n, v)| (n, Some(v)));
    let version = version.map(|version| number(version, 1, u32::MAX)).transpose()?;
    Ok((name.parse()?, version))
}

/// `all` is neither.
fn truth(text: &str) -> Result<Option<bool>, String> {
    match text {
        "true" => Ok(Some(true)),
        "false" => Ok(Some(false)),
        "all" => Ok(None),
        _ => Err("it is true, false or all".to_owned()),
    }
}

fn number<T>(text: &str, least: T, most: T) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    let number = text.parse().ok().filter(|number| plain && *number >= least && *number <= most);
    number.ok_or_else(|| format!("it is a number from {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What a list may hold is for the game to say.
    #[test]
    fn a_list_of_an_option_is_what_its_schema_says() {
        let schemas = Schemas { roles: BTreeMap::new(), components: BTreeMap::new() };
        let plain = json!({"type": ["array", "null"], "items": {"type": "integer", "minimum": 1}});
        let mut narrow = plain.clone();
        narrow["uniqueItems"] = json!(true);
        narrow["minItems"] = json!(2);
        narrow["maxItems"] = json!(3);
        for (value, by_plain, by_narrow) in [
            (json!(null), true, true),
            (json!([3, 3]), true, false),
            (json!([1]), true, false),
            (json!([1, 2]), true, true),
            (json!([3, 2, 1]), true, true),
            (json!([1, 2, 3, 4]), true, false),
            (json!([0, 1]), false, false),
            (json!(3), false, false),
        ] {
            assert_eq!(admits(&plain, &value, &schemas), by_plain, "{value}");
            assert_eq!(admits(&narrow, &value, &schemas), by_narrow, "{value}");
        }
    }
}
