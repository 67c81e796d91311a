//! The words of games, for clients in any language.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get};
use engine::Engine;
use kernel::Lexicon;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};

use crate::answer::{in_language, text};
use crate::language::wished;
use crate::parameters::Query;
use crate::problem::{Problem, internal};

/// The words of each game.
#[derive(Clone)]
pub(crate) struct Lexicons(pub(crate) BTreeMap<&'static str, Lexicon>);

impl Lexicons {
    /// Those of a game.
    pub(crate) fn of(&self, game: &str) -> Result<&Lexicon, Problem> {
        self.0.get(game).ok_or_else(|| internal(&format!("no words of {game}")))
    }

    /// Says the title of a problem, and its rule, in the first of these languages that the platform speaks; returns that.
    pub(crate) fn explain(&self, problem: &mut Problem, wished: &[String]) -> Option<String> {
        // Rules of different games have different numbers, and titles of problems are the same in all.
        let of_rule = problem.rule.and_then(|rule| {
            self.0.values().find(|lexicon| lexicon.of(wished).entry(&["rules", rule]).is_some())
        });
        let words = of_rule.or(self.0.values().next())?.of(wished);
        let said = |path: &[&str]| words.entry(path).and_then(Value::as_str).map(str::to_owned);
        problem.rule_text = problem.rule.and_then(|rule| said(&["rules", rule]));
        problem.title = said(&["problems", problem.code]).map_or(problem.title.clone(), Cow::Owned);
        Some(words.language.clone())
    }
}

/// The words of a game in one language. docs/contract.md, "Words", says what is in each section and how templates are read.
#[derive(Serialize, ToSchema)]
struct GameWords<'a> {
    /// The game.
    game: &'static str,
    /// The language.
    language: &'a str,
    /// All available languages.
    languages: Vec<&'a str>,
    /// The name of the game.
    title: &'a str,
    /// A description in one or two sentences.
    text: &'a str,
    /// Labels of commands, by type.
    #[schema(value_type = Object)]
    commands: &'a Value,
    /// Events, by type.
    #[schema(value_type = Object)]
    events: &'a Value,
    /// What is listed below an event: `field:table`, by type.
    #[schema(value_type = Object)]
    below: &'a Value,
    /// The rules that an event follows, by type.
    #[schema(value_type = Object)]
    quotes: &'a Value,
    /// What to ask for a field of a command.
    #[schema(value_type = Object)]
    questions: &'a Value,
    /// Options: `name` and `help`.
    #[schema(value_type = Object)]
    options: &'a Value,
    /// Spots of the picture, by kind.
    #[schema(value_type = Object)]
    spots: &'a Value,
    /// How the items of a list are joined, by table.
    #[schema(value_type = Object)]
    lists: &'a Value,
    /// Tables with a name for each value.
    #[schema(value_type = Object)]
    values: &'a Value,
    /// The texts in pictures, by the English text; without an entry, pictures use the English text.
    #[schema(value_type = Object)]
    pictures: &'a Value,
    /// A sentence for each rule.
    #[schema(value_type = Object)]
    rules: &'a Value,
}

/// In which language.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct WordsQuery {
    /// The language, such as `de`. Default: the best match for `Accept-Language`. English if the game does not have that language.
    pub(crate) lang: Option<String>,
}

/// Get the words of a game
///
/// The names of its pieces, and templates for sentences about its events, commands and decisions, in the language of `Content-Language`. They are the
/// same for every match, and never show anything of one.
#[utoipa::path(
    operation_id = "getWords",
    tag = "games",
    extensions(("x-problems" = json!(["not_found"]))),
    params(("game" = String, Path, description = "The id of the game"), WordsQuery),
    responses((status = 200, description = "The words", body = GameWords))
)]
#[get("/v1/games/{game}/words")]
pub(crate) async fn get_words(
    request: HttpRequest,
    engine: Data<Engine>,
    lexicons: Data<Lexicons>,
    game: Path<String>,
    query: Query<WordsQuery>,
) -> Result<HttpResponse, Problem> {
    let game = engine.game(&game)?.info().id;
    let lexicon = lexicons.of(game)?;
    let words = lexicon.of(&wished(&request, query.into_inner().lang));
    let none = Value::Object(Map::new());
    let section = |name| words.table().get(name).unwrap_or(&none);
    let said = |name| section(name).as_str().unwrap_or_default();
    let body = text(&GameWords {
        game,
        language: &words.language,
        languages: lexicon.languages().collect(),
        title: said("title"),
        text: said("text"),
        commands: section("commands"),
        events: section("events"),
        below: section("below"),
        quotes: section("quotes"),
        questions: section("questions"),
        options: section("options"),
        spots: section("spots"),
        lists: section("lists"),
        values: section("values"),
        pictures: section("pictures"),
        rules: section("rules"),
    });
    Ok(in_language(&request, &words.language, body))
}
