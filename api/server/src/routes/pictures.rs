//! Pictures of tables: SVG, and text for terminals. What is drawn is the view and nothing else.

use actix_web::http::header::{self, HeaderValue};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};
use canvas::{Halt, Picture, Says, Shape, Style, Theme, Unreadable};
use engine::{Engine, PictureRequest, Scene};
use journal::{Bytes32, Status};
use kernel::Words;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

use crate::answer::{Kept, fitting, page, tagged};
use crate::forgotten::Begun;
use crate::language::wished;
use crate::parameters::Query;
use crate::problem::Problem;
use crate::request::{Access, Body, viewer};
use crate::routes::fixtures;
use crate::routes::legal::spoken;
use crate::routes::words::{Lexicons, WordsQuery};
use crate::tasks::{at_once, block};

/// The pictures of a server.
#[derive(Clone, Copy)]
pub(crate) struct Pictures(pub(crate) &'static [&'static Picture]);

const SVG: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";

/// An image runs nothing and loads nothing; its own style sheet is all it has.
const IMAGE_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/// The colours of a picture.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ThemeName {
    /// What the viewer's system prefers.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// The layout of a picture.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ShapeName {
    /// Panels beside the board: for screens.
    #[default]
    Wide,
    /// Panels below the board: for phones.
    Tall,
    /// The board alone: for previews.
    Board,
}

/// At which version, as whom, and how it looks.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct BoardQuery {
    /// The version. Default: the latest. If a commit ends there, what the commit changed is highlighted; in the middle of a commit, what
    /// the event changed.
    #[param(minimum = 1)]
    at: Option<u64>,
    /// The viewer: the number of a seat, or `spectator`. In a finished match any viewer, otherwise the caller's own seat or `spectator`.
    #[param(pattern = "^([0-7]|spectator)$")]
    viewer: Option<String>,
    /// The colours. Default: `auto`, as the viewer's system prefers.
    #[param(inline)]
    theme: Option<ThemeName>,
    /// Where the panels are. Default: `wide`, beside the board; `tall` puts them below it, `board` leaves them out.
    #[param(inline)]
    shape: Option<ShapeName>,
    /// Whether pieces have their ids, as `data-piece`.
    pieces: Option<bool>,
    /// The language, such as `de`. Default: the best match for `Accept-Language`. English if the game does not have that language.
    lang: Option<String>,
}

/// At which version, as whom, and in which language.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TextQuery {
    /// The version. Default: the latest.
    #[param(minimum = 1)]
    at: Option<u64>,
    /// The viewer: the number of a seat, or `spectator`. In a finished match any viewer, otherwise the caller's own seat or `spectator`.
    #[param(pattern = "^([0-7]|spectator)$")]
    viewer: Option<String>,
    /// The language, such as `de`. Default: the best match for `Accept-Language`. English if the game does not have that language.
    lang: Option<String>,
}

/// How it looks.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct StyleQuery {
    /// The colours. Default: `auto`, as the viewer's system prefers.
    #[param(inline)]
    theme: Option<ThemeName>,
    /// Where the panels are. Default: `wide`, beside the board; `tall` puts them below it, `board` leaves them out.
    #[param(inline)]
    shape: Option<ShapeName>,
    /// The language, such as `de`. Default: the best match for `Accept-Language`. English if the game does not have that language.
    lang: Option<String>,
}

fn style(theme: Option<ThemeName>, shape: Option<ShapeName>) -> Style {
    Style {
        theme: match theme.unwrap_or_default() {
            ThemeName::Auto => Theme::Auto,
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
        },
        shape: match shape.unwrap_or_default() {
            ShapeName::Wide => Shape::Wide,
            ShapeName::Tall => Shape::Tall,
            ShapeName::Board => Shape::Board,
        },
    }
}

impl Pictures {
    /// The picture of a game, if it has one.
    fn of(self, game: &str) -> Result<&'static Picture, Problem> {
        let found = self.0.iter().find(|picture| picture.game == game);
        let missing = || Problem::new("not_found", format!("there is no picture of {game}"));
        found.copied().ok_or_else(missing)
    }
}

/// The scene as this crate of pictures takes it, in the language of these words.
#[must_use]
pub fn seen<'a>(scene: &'a Scene, words: &'a Words) -> canvas::Scene<'a> {
    let Scene { game: _, title, viewer, version, status, view, events, pieces, names, fixed: _ } =
        scene;
    let (viewer, version) = (*viewer, *version);
    let halt = match status {
        Some(Status::Open) => Some(Halt::Waiting),
        Some(Status::Abandoned) => Some(Halt::Closed),
        Some(Status::Running | Status::Finished) | None => None,
    };
    let title = words.entry(&["title"]).and_then(Value::as_str).unwrap_or(title);
    let says = Says::new(words);
    canvas::Scene { says, title, view, events, names, viewer, version, halt, pieces, room: &[] }
}

/// The words of a game in the language that is wished for.
fn words_of(
    request: &HttpRequest,
    lexicons: &Lexicons,
    game: &str,
    lang: Option<String>,
) -> Result<Arc<Words>, Problem> {
    Ok(Arc::clone(lexicons.of(game)?.of(&wished(request, lang))))
}

fn unreadable(Unreadable(detail): Unreadable) -> Problem {
    Problem::new("invalid_position", detail)
}

/// Something of a match: the tag is that of the bytes, since names may be forgotten while the version stays. So what shows one is kept for a
/// day at most.
fn of_match(
    request: &HttpRequest,
    scene: &Scene,
    kind: &'static str,
    (words, body): (&Words, String),
) -> HttpResponse {
    let hash = Bytes32::hash(&[words.language.as_bytes(), b"\n", body.as_bytes()]).hex();
    let version = scene.version.map(|version| format!("{version}.")).unwrap_or_default();
    let tag = format!("{version}{}", &hash[..32]);
    let is_named = scene.names.iter().any(Option::is_some);
    let kept = if scene.fixed && is_named { Kept::Day } else { scene.fixed.into() };
    let mut response = tagged(request, &tag, kept, kind, body);
    spoken(&mut response, &words.language);
    guard(&mut response, kind);
    response
}

/// Something that a client described.
fn of_request(kind: &'static str, (words, body): (&Words, String)) -> HttpResponse {
    let mut response = fitting(&mut HttpResponse::Ok(), kind, body);
    spoken(&mut response, &words.language);
    guard(&mut response, kind);
    response
}

fn guard(response: &mut HttpResponse, kind: &str) {
    if kind == SVG {
        response
            .headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(IMAGE_POLICY));
    }
}

/// Get a picture of the table
///
/// The whole table as an SVG image, as the caller sees it, at any version: the board, hands, piles, scores and whose turn it is. It contains no
/// script and loads nothing. Everything that a command can name has an attribute `data-spot`; see docs/pictures.md.
#[utoipa::path(
    operation_id = "getBoardSvg",
    tag = "play",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found",
        "too_large", "version_unknown", "invalid_position", "unavailable", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match"), BoardQuery),
    responses((status = 200, description = "The picture", body = String, content_type = "image/svg+xml")),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/board.svg")]
pub(crate) async fn get_board_svg(
    request: HttpRequest,
    access: Access,
    pictures: Data<Pictures>,
    lexicons: Data<Lexicons>,
    query: Query<BoardQuery>,
) -> Result<HttpResponse, Problem> {
    let BoardQuery { at, viewer, theme, shape, pieces, lang } = query.into_inner();
    let style = style(theme, shape);
    let words = words_of(&request, &lexicons, access.slot.game().info().id, lang)?;
    let told = Arc::clone(&words);
    let draw = move |picture: &Picture, scene: &Scene| (picture.svg)(&seen(scene, &told), style);
    let wanted = (at, viewer.as_deref(), pieces == Some(true));
    let (scene, svg) = drawn(access, &pictures, wanted, draw).await?;
    Ok(of_match(&request, &scene, SVG, (&words, svg)))
}

/// Get the table as text
///
/// The whole table as text for a terminal, as the caller sees it, at any version.
#[utoipa::path(
    operation_id = "getBoardText",
    tag = "play",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found",
        "too_large", "version_unknown", "invalid_position", "unavailable", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match"), TextQuery),
    responses((status = 200, description = "The table", body = String, content_type = "text/plain")),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/board.txt")]
pub(crate) async fn get_board_text(
    request: HttpRequest,
    access: Access,
    pictures: Data<Pictures>,
    lexicons: Data<Lexicons>,
    query: Query<TextQuery>,
) -> Result<HttpResponse, Problem> {
    let TextQuery { at, viewer, lang } = query.into_inner();
    let words = words_of(&request, &lexicons, access.slot.game().info().id, lang)?;
    let told = Arc::clone(&words);
    let draw = move |picture: &Picture, scene: &Scene| (picture.text)(&seen(scene, &told));
    let wanted = (at, viewer.as_deref(), false);
    let (scene, text) = drawn(access, &pictures, wanted, draw).await?;
    Ok(of_match(&request, &scene, TEXT, (&words, text)))
}

/// Which fixture, and how it looks.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct FixtureQuery {
    /// The `name` of a fixture. Default: the last one, the end of a match.
    fixture: Option<String>,
    /// The colours. Default: `auto`, as the viewer's system prefers.
    #[param(inline)]
    theme: Option<ThemeName>,
    /// Where the panels are. Default: `wide`, beside the board; `tall` puts them below it, `board` leaves them out.
    #[param(inline)]
    shape: Option<ShapeName>,
    /// The language, such as `de`. Default: the best match for `Accept-Language`. English if the game does not have that language.
    lang: Option<String>,
}

/// Get a picture of the game
///
/// A table of real play, as a spectator sees it: one of the game's fixtures, as an SVG image.
#[utoipa::path(
    operation_id = "getGameSvg",
    tag = "games",
    extensions(("x-problems" = json!(["not_found"]))),
    params(("game" = String, Path, description = "The id of the game"), FixtureQuery),
    responses((status = 200, description = "The picture", body = String, content_type = "image/svg+xml"))
)]
#[get("/v1/games/{game}/board.svg")]
pub(crate) async fn get_game_svg(
    request: HttpRequest,
    engine: Data<Engine>,
    game: Path<String>,
    pictures: Data<Pictures>,
    lexicons: Data<Lexicons>,
    query: Query<FixtureQuery>,
) -> Result<HttpResponse, Problem> {
    let FixtureQuery { fixture, theme, shape, lang } = query.into_inner();
    let position = fixtures::position(&engine, &game, fixture.as_deref())?;
    let asked =
        PictureRequest { position: Some(position), view: None, viewer: None, names: Vec::new() };
    let style = style(theme, shape);
    let words = words_of(&request, &lexicons, &game, lang)?;
    let told = Arc::clone(&words);
    let draw = move |picture: &Picture, scene: &Scene| (picture.svg)(&seen(scene, &told), style);
    let svg = described(engine, &game, &pictures, asked, draw).await?;
    let mut response = page(&request, SVG, IMAGE_POLICY, svg);
    spoken(&mut response, &words.language);
    Ok(response)
}

/// Draw a position
///
/// Draws a position as a viewer sees it, or a view, as an SVG image. Nothing is stored.
#[utoipa::path(
    operation_id = "drawSvg",
    tag = "analysis",
    extensions(("x-problems" = json!(["not_found", "too_large", "unsupported_media_type", "invalid_position"]))),
    params(("game" = String, Path, description = "The id of the game"), StyleQuery),
    request_body = PictureRequest,
    responses((status = 200, description = "The picture", body = String, content_type = "image/svg+xml"))
)]
#[post("/v1/games/{game}/board.svg")]
pub(crate) async fn draw_svg(
    request: HttpRequest,
    engine: Data<Engine>,
    game: Path<String>,
    (pictures, lexicons): (Data<Pictures>, Data<Lexicons>),
    query: Query<StyleQuery>,
    body: Body<PictureRequest>,
) -> Result<HttpResponse, Problem> {
    let StyleQuery { theme, shape, lang } = query.into_inner();
    let style = style(theme, shape);
    let words = words_of(&request, &lexicons, engine.game(&game)?.info().id, lang)?;
    let told = Arc::clone(&words);
    let draw = move |picture: &Picture, scene: &Scene| (picture.svg)(&seen(scene, &told), style);
    let svg = described(engine, &game, &pictures, body.value, draw).await?;
    Ok(of_request(SVG, (&words, svg)))
}

/// Draw a position as text
///
/// Draws a position as a viewer sees it, or a view, as text for a terminal. Nothing is stored.
#[utoipa::path(
    operation_id = "drawText",
    tag = "analysis",
    extensions(("x-problems" = json!(["not_found", "too_large", "unsupported_media_type", "invalid_position"]))),
    params(("game" = String, Path, description = "The id of the game"), WordsQuery),
    request_body = PictureRequest,
    responses((status = 200, description = "The table", body = String, content_type = "text/plain"))
)]
#[post("/v1/games/{game}/board.txt")]
pub(crate) async fn draw_text(
    request: HttpRequest,
    engine: Data<Engine>,
    game: Path<String>,
    (pictures, lexicons): (Data<Pictures>, Data<Lexicons>),
    query: Query<WordsQuery>,
    body: Body<PictureRequest>,
) -> Result<HttpResponse, Problem> {
    let lang = query.into_inner().lang;
    let words = words_of(&request, &lexicons, engine.game(&game)?.info().id, lang)?;
    let told = Arc::clone(&words);
    let draw = move |picture: &Picture, scene: &Scene| (picture.text)(&seen(scene, &told));
    let text = described(engine, &game, &pictures, body.value, draw).await?;
    Ok(of_request(TEXT, (&words, text)))
}

/// Draws a match at a version for a viewer, with the ids of the pieces or without.
async fn drawn<F>(
    access: Access,
    pictures: &Pictures,
    (at, asked, pieces): (Option<u64>, Option<&str>, bool),
    draw: F,
) -> Result<(Scene, String), Problem>
where
    F: FnOnce(&Picture, &Scene) -> Result<String, Unreadable> + Send + 'static,
{
    let asked = viewer(asked)?;
    let Access { engine, slot, caller } = access;
    let picture = pictures.of(slot.game().info().id)?;
    let is_at_hand = engine.has_at_hand(&slot, at);
    let is_quick = is_at_hand && (!pieces || engine.has_pieces_at_hand(&slot));
    let own = Arc::clone(&engine);
    let draw = move || {
        let begun = Begun::now(&own);
        let mut scene = own.scene(&slot, caller, at, asked)?;
        if let Some(version) = scene.version.filter(|_| pieces) {
            scene.pieces = own.pieces(&slot, version)?;
        }
        let drawn = draw(picture, &scene);
        Ok((scene, drawn, begun))
    };
    let (scene, drawn, begun) = if is_quick { at_once(draw).await? } else { block(draw).await? };
    begun.unforgotten(&engine)?;
    Ok((scene, drawn.map_err(unreadable)?))
}

/// Draws what a client described.
async fn described<F>(
    engine: Data<Engine>,
    game: &str,
    pictures: &Pictures,
    request: PictureRequest,
    draw: F,
) -> Result<String, Problem>
where
    F: FnOnce(&Picture, &Scene) -> Result<String, Unreadable> + Send + 'static,
{
    let game = engine.game(game)?.info().id;
    let picture = pictures.of(game)?;
    let place = if request.view.is_some() { "/view" } else { "/position" };
    let drawn = block(move || {
        let scene = engine.scene_of(game, request)?;
        Ok(draw(picture, &scene))
    })
    .await?;
    drawn.map_err(|unfit| unreadable(unfit).at(place))
}
