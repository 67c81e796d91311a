// Völuspá auf Deutsch.

const TILES = {
  odin: 'Odin', thor: 'Thor', troll: 'Troll', dragon: 'Drache', fenrir: 'Fenrir', skadi: 'Skadi', valkyrie: 'Walküre', loki: 'Loki', hel: 'Hel',
  hermod: 'Hermod', jotunn: 'Jotunn', sea_serpent: 'Seeschlange', dwarf: 'Zwerg', freya: 'Freya', raven: 'Rabe', niohoggr: 'Niohoggr',
  lightning_bolt: 'Blitzschlag',
};
const SETS = {
  base: 'Grundspiel', saga_of_edda: 'Saga of Edda', in_the_order_of_the_gods: 'In der Ordnung der Götter', king_of_giants: 'König der Riesen',
  awakening_of_the_serpents: 'Erwachen der Schlangen', master_of_ravens: 'Herr der Raben', custom: 'gewählte Arten',
};
const WAYS = { left: 'nach links', right: 'nach rechts', up: 'nach oben', down: 'nach unten' };
const REASONS = { lines: 'V-504', solitary: 'V-506', sea_serpent: 'V-509', lightning_bolt: 'V-508', hel: 'V-507', dwarf: 'V-510' };
const tile = (id) => TILES[id] ?? 'ein Plättchen';
const at = ({ x, y }) => `(${x}, ${y})`;
const boosted = (boost) => (boost ? `, um ${boost} verstärkt` : '');
const points = (n) => (n === 1 ? '1 Punkt' : `${n} Punkte`);
const PARTS = {
  row: (p) => `Reihe mit ${p.count}`, column: (p) => `Spalte mit ${p.count}`, solitary: () => 'allein', neighbours: (p) => `${p.count} ringsum`,
  values: (p) => `die Hälfte von ${p.count}, den Werten daneben`,
};
const part = (p) => `${PARTS[p.kind](p)}${p.bonus ? ` + ${p.bonus} für Niohoggr` : ''}: ${p.points}`;

const placed = {
  lay: (c) => `legt ${tile(c.tile)} auf ${at(c.at)}`,
  cover: (c) => `überdeckt ${c.under ? tile(c.under) : 'das Plättchen'} auf ${at(c.at)} mit ${tile(c.tile)}`,
  exchange: (c) => `tauscht ${c.under ? tile(c.under) : 'das Plättchen'} auf ${at(c.at)} gegen ${tile(c.tile)}`,
  bump: (c) => `stößt ${c.under ? tile(c.under) : 'das Plättchen'} von ${at(c.at)}${c.bumped_to ? ` nach ${at(c.bumped_to)}` : ''} mit ${tile(c.tile)}`,
};

export default {
  events: {
    MatchStarted: (e) => `Die Plättchen werden für ${e.seats} Spieler gemischt (${SETS[e.options.set] ?? e.options.set}).`,
    HelDealt: (e, n) => [`${n.seat(e.seat)} bekommt ${e.count} Hel.`, { rule: 'V-104' }],
    TileDrawn: (e, n) => `${n.seat(e.seat)} zieht ${tile(e.tile)}.`,
    StartTilePlaced: (e) => [`${tile(e.tile)} liegt zu Beginn auf ${at(e.at)}.`, { rule: 'V-106' }],
    StartSeatChosen: (e, n) => [`${n.seat(e.seat)} beginnt, durch das Los bestimmt.`, { rule: 'V-107' }],
    TurnStarted: (e, n) => `${n.seat(e.seat)} ist am Zug.${e.passed.length ? ` Ohne Plättchen übersprungen: ${n.seats(e.passed)}.` : ''}`,
    FreyaDiscarded: (e, n) => [`${n.seat(e.seat)} legt Freya ab: das nächste Plättchen zählt ${e.boost} mehr.`, { rule: 'V-607' }],
    TilePlaced: (e, n) => `${n.seat(e.seat)} ${placed[e.mode](e)}${boosted(e.boost)}.`,
    FreyaReturned: (e, n) => `${e.count} Freya kommen zu ${n.seat(e.seat)} zurück.`,
    ScoreAwarded: (e, n) => [
      `${n.seat(e.seat)} bekommt ${points(e.points)} mit ${tile(e.tile)} auf ${at(e.at)}, insgesamt ${e.total}.`, { rule: REASONS[e.reason] },
      { lines: e.parts.map(part) },
    ],
    ExtraPlayGranted: (e, n) => [`${n.seat(e.seat)} darf ein weiteres Plättchen in die Linien von Hermod auf ${at(e.hermod)} legen.`, { rule: 'V-606' }],
    ExtraPlaySkipped: (e, n) => `${n.seat(e.seat)} legt kein weiteres Plättchen.`,
    RavenFlightGranted: (e, n) => [`Der Rabe von ${n.seat(e.seat)} darf weiterfliegen.`, { rule: 'V-603' }],
    RavenMoved: (e, n) => `Der Rabe von ${n.seat(e.seat)} fliegt von ${at(e.from)} nach ${at(e.at)}${e.under ? ` und überdeckt ${tile(e.under)}` : ''}.`,
    RavenKept: (e, n) => `Der Rabe von ${n.seat(e.seat)} bleibt.`,
    SurplusFound: (e, n) => [`${n.seat(e.seat)} hat ${e.count} Plättchen zu viel.`, { rule: 'V-208' }],
    TileDiscarded: (e, n) => [`${n.seat(e.seat)} legt ${tile(e.tile)} ab.`, { rule: e.reason === 'surplus' ? 'V-207' : 'V-204' }],
    HelRemoved: () => ['Der Vorrat ist leer: Hel verlässt die Partie.', { rule: 'V-210' }],
    MatchFinished: (e, n) => ['Vorrat und Hände sind leer: die Partie ist zu Ende.', { rule: 'V-701' },
      { lines: e.ranking.map((place) => `${place.rank}. ${n.seat(place.seat)}: ${place.display}`) }],
  },
  commands: {
    PlaceTile: (c) => `${tile(c.tile)} ${{ lay: 'legen auf', cover: 'überdeckt', exchange: 'tauscht', bump: 'stößt' }[c.mode]} ${at(c.at)}${c.bump ? `, ${WAYS[c.bump]}` : ''}`,
    DiscardFreya: () => 'Freya ablegen und das nächste Plättchen verstärken',
    DiscardTile: (c) => `${tile(c.tile)} ablegen`,
    SkipExtra: () => 'Kein weiteres Plättchen legen',
    MoveRaven: (c) => `Nach ${at(c.at)} fliegen${c.mode === 'cover' ? ' und das Plättchen dort überdecken' : ''}`,
    KeepRaven: () => 'Der Rabe bleibt',
  },
  fields: {
    PlaceTile: 'Plättchen legen', DiscardFreya: 'Freya ablegen', DiscardTile: 'Plättchen ablegen', SkipExtra: 'Kein weiteres', MoveRaven: 'Weiterfliegen', KeepRaven: 'Bleiben',
    tile: 'Welches Plättchen?', at: 'Wohin?', mode: 'Wie?', bump: 'In welche Richtung?',
  },
  options: { set: 'Zusammenstellung', custom_types: 'Arten (bei gewählten Arten)', lightning_bolt: 'Mit Blitzschlag', no_late_hel: 'Keine späte Hel' },
  value: (field, value) => {
    if (field === 'tile') return tile(value);
    if (field === 'set') return SETS[value];
    if (field === 'at') return at(value);
    if (field === 'mode') return { lay: 'legen', cover: 'überdecken', exchange: 'tauschen', bump: 'stoßen' }[value];
    if (field === 'bump') return WAYS[value];
    if (field !== 'spot') return undefined;
    const [kind, id] = value.split(':');
    return kind === 'cell' ? `(${id.replace(',', ', ')})` : TILES[id];
  },
  standing: (place, n) => `${n.seat(place.seat)}: ${points(place.score)}`,
};
