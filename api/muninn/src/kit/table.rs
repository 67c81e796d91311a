//! Matches that are recorded: sandboxes, the same each time, played on by bots.

use std::collections::BTreeMap;
use std::iter;

use journal::{Bytes32, canonical};
use kernel::Info;
use openapi::StandIns;
use serde_json::{Value, json};

use super::case::Exchange;
use super::house::{Ask, House, Wrong, get, post};
use crate::games::Games;

/// A match that was opened.
pub(crate) struct Table {
    pub(crate) id: String,
    /// Its path.
    pub(crate) path: String,
    /// The tokens of its seats.
    pub(crate) tokens: Vec<Value>,
}

impl Table {
    /// Opens a match of as few as may play, which bots play up to a version, or to the end; none where they do not come so far.
    pub(crate) fn open(
        house: &House,
        stand_ins: &mut StandIns,
        info: &Info,
        to: Option<u64>,
    ) -> Result<Option<Self>, Wrong> {
        let game = info.id;
        let seed = Table::seed(stand_ins, game);
        let names = ["Ada", "Grace"].iter().map(|name| json!({"name": name}));
        let least = usize::from(*info.seats.start());
        let seats: Vec<Value> = names.chain(iter::repeat(json!({}))).take(least).collect();
        let body = json!({
            "game": game,
            "seats": seats,
            "sandbox": {"seed": seed.hex(), "fast_forward": {"version": to}},
        });
        let opened = house.answer(&post("/v1/matches", &body))?;
        match opened.status {
            201 => Ok(Some(Self::of(&opened.json()?)?)),
            422 if opened.json()?["code"] == "not_reached" => Ok(None),
            status => Err(format!("{game} was opened with {status}: {}", opened.text).into()),
        }
    }

    /// A match of the first game that has one.
    pub(crate) fn first(
        house: &House,
        stand_ins: &mut StandIns,
        games: Games,
        to: Option<u64>,
    ) -> Result<Self, Wrong> {
        for game in games {
            if let Some(table) = Self::open(house, stand_ins, game.info(), to)? {
                return Ok(table);
            }
        }
        Err("no game is played so far".into())
    }

    /// The seed of all matches of a game.
    pub(crate) fn seed(stand_ins: &mut StandIns, game: &str) -> Bytes32 {
        let seed = Bytes32::hash(&[b"kit", game.as_bytes()]);
        stand_ins.keep(seed);
        stand_ins.keep(Bytes32::hash(&[&seed.0]));
        seed
    }

    /// The match that was opened with this answer.
    pub(crate) fn of(opened: &Value) -> Result<Self, Wrong> {
        let id = opened["match"].as_str().ok_or("a match has an id")?.to_owned();
        let tokens = opened["seat_tokens"].as_array().cloned().unwrap_or_default();
        Ok(Table { path: format!("/v1/matches/{id}"), id, tokens })
    }

    /// What the match says of itself.
    pub(crate) fn info(&self, house: &House) -> Result<Value, Wrong> {
        house.ask(&get(&self.path), 200)?.json()
    }

    /// Its version now.
    pub(crate) fn version(&self, house: &House) -> Result<u64, Wrong> {
        Ok(self.info(house)?["version"].as_u64().unwrap_or_default())
    }

    /// Who is to act.
    pub(crate) fn active(&self, house: &House) -> Result<usize, Wrong> {
        let active = self.info(house)?["active_seat"].as_u64().ok_or("nobody is to act")?;
        Ok(usize::try_from(active)?)
    }

    /// What a client may read of the match before it begins.
    pub(crate) fn exchange(&self, house: &House) -> Result<Exchange, Wrong> {
        let answer = house.ask(&get(&self.path), 200)?;
        Ok(Exchange::get(&self.path).optional().answer(&answer))
    }

    /// All commits as somebody sees them.
    pub(crate) fn commits(&self, house: &House, query: &str) -> Result<Vec<Value>, Wrong> {
        let path = format!("{}/commits?limit=1000{query}", self.path);
        let page = house.ask(&get(path), 200)?.json()?;
        Ok(page["items"].as_array().cloned().unwrap_or_default())
    }

    /// A read with the token of a seat, or none.
    pub(crate) fn read(&self, what: &str, seat: Option<usize>) -> Ask {
        get(format!("{}/{what}", self.path)).token(&self.token(seat))
    }

    /// The token of a seat; null for a spectator.
    pub(crate) fn token(&self, seat: Option<usize>) -> Value {
        seat.and_then(|seat| self.tokens.get(seat)).cloned().unwrap_or_default()
    }

    /// Stand-ins under which the chain of a finished match, and what it commits to, can be verified like that of any other.
    pub(crate) fn seal(&self, house: &House, stand_ins: &mut StandIns) -> Result<(), Wrong> {
        let info = self.info(house)?;
        for token in &self.tokens {
            let (old, new) = (bytes(token)?, bytes(&stand_ins.put_json(token)?)?);
            stand_ins.stand(Bytes32::hash(&[&old.0]), Bytes32::hash(&[&new.0]));
        }
        for seat in info["seats"].as_array().into_iter().flatten() {
            let salt = bytes(&stand_ins.put_json(&seat["name_salt"])?)?;
            let name = seat["name"].as_str().unwrap_or_default();
            let commitment = Bytes32::hash(&[&salt.0, name.as_bytes()]);
            stand_ins.stand(bytes(&seat["name_commitment"])?, commitment);
        }
        let header = canonical(&stand_ins.put(&info["header"].to_string()));
        let header = Bytes32::hash(&[header.as_bytes()]);
        let full = self.commits(house, "")?;
        let opened = full.first().and_then(|first| first["events"].as_array()?.last());
        let opened = opened.ok_or("a match begins with a commit")?;
        stand_ins.stand(bytes(&opened["header_commitment"])?, header);

        let seed = bytes(&info["seed"])?;
        let mut previous = Bytes32::default();
        for (full, public) in full.iter().zip(self.commits(house, "&viewer=spectator")?) {
            let number = full["commit"].as_u64().unwrap_or_default().to_be_bytes();
            let salt = Bytes32::hash(&[&seed.0, &number, b"salt"]);
            let sealed = Bytes32::hash(&[&salt.0, hashed(stand_ins, full).as_bytes()]);
            let open = Bytes32::hash(&[hashed(stand_ins, &public).as_bytes()]);
            let hash = Bytes32::hash(&[&previous.0, &open.0, &sealed.0]);
            stand_ins.stand(bytes(&full["sealed"])?, sealed);
            stand_ins.stand(bytes(&full["hash"])?, hash);
            previous = hash;
        }
        Ok(())
    }
}

/// What of a commit is hashed, with stand-ins, in canonical JSON.
fn hashed(stand_ins: &mut StandIns, commit: &Value) -> String {
    const FIELDS: [&str; 7] =
        ["commit", "first_version", "last_version", "seat", "recorded_at", "command", "events"];
    let fields: BTreeMap<&str, &Value> =
        FIELDS.iter().map(|field| (*field, &commit[*field])).collect();
    canonical(&stand_ins.put(&json!(fields).to_string()))
}

fn bytes(hex: &Value) -> Result<Bytes32, Wrong> {
    let bytes = hex.as_str().and_then(Bytes32::from_hex);
    bytes.ok_or_else(|| format!("{hex} is no hash").into())
}
