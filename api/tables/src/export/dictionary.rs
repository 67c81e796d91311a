//! What an export says of its tables, for readers: those of games without a match have no file.

use serde::Serialize;

use crate::catalogue::{Catalogue, VERSION};
use crate::column::{Column, Table};

/// `_dictionary.json`, as `GET /v1/tables` tells it.
#[derive(Serialize)]
pub(super) struct Dictionary<'a> {
    version: u32,
    items: Vec<Item<'a>>,
}

/// A table.
#[derive(Serialize)]
struct Item<'a> {
    name: &'a str,
    about: &'a str,
    games: Vec<&'static str>,
    columns: Vec<ItemColumn<'a>>,
}

#[derive(Serialize)]
struct ItemColumn<'a> {
    name: &'a str,
    r#type: &'static str,
    nullable: bool,
    about: &'a str,
}

impl<'a> Dictionary<'a> {
    /// The tables of all games, or of one.
    pub(super) fn new(catalogue: &'a Catalogue, game: Option<&str>) -> Self {
        let tables = catalogue.all().map(|(table, mut games)| {
            games.retain(|id| game.is_none_or(|game| game == *id));
            (table, games)
        });
        let tables = tables.filter(|(_, games)| !games.is_empty());
        let items = tables.map(|(table, games)| Item::new(table, games)).collect();
        Dictionary { version: VERSION, items }
    }

    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).expect("a dictionary is plain data, which always has JSON")
    }
}

impl<'a> Item<'a> {
    fn new(table: &'a Table, games: Vec<&'static str>) -> Self {
        let columns = [const { &Column::GAME }].into_iter().chain(&table.columns);
        Item {
            name: &table.name,
            about: &table.about,
            games,
            columns: columns.map(ItemColumn::new).collect(),
        }
    }
}

impl<'a> ItemColumn<'a> {
    fn new(column: &'a Column) -> Self {
        ItemColumn {
            name: &column.name,
            r#type: column.kind.name(),
            nullable: column.nullable,
            about: &column.about,
        }
    }
}
