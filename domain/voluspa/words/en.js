// Völuspá in English.

const TILES = {
  odin: 'Odin', thor: 'Thor', troll: 'Troll', dragon: 'Dragon', fenrir: 'Fenrir', skadi: 'Skadi', valkyrie: 'Valkyrie', loki: 'Loki', hel: 'Hel',
  hermod: 'Hermod', jotunn: 'Jotunn', sea_serpent: 'Sea Serpent', dwarf: 'Dwarf', freya: 'Freya', raven: 'Raven', niohoggr: 'Niohoggr',
  lightning_bolt: 'Lightning Bolt',
};
const SETS = {
  base: 'base game', saga_of_edda: 'Saga of Edda', in_the_order_of_the_gods: 'Order of the Gods', king_of_giants: 'King of the Giants',
  awakening_of_the_serpents: 'Rise of the Serpents', master_of_ravens: 'Master of Ravens', custom: 'chosen types',
};
const WAYS = { left: 'to the left', right: 'to the right', up: 'upwards', down: 'downwards' };
const REASONS = { lines: 'V-504', solitary: 'V-506', sea_serpent: 'V-509', lightning_bolt: 'V-508', hel: 'V-507', dwarf: 'V-510' };
const tile = (id) => TILES[id] ?? 'a tile';
const at = ({ x, y }) => `(${x}, ${y})`;
const boosted = (boost) => (boost ? `, boosted by ${boost}` : '');
const points = (n) => (n === 1 ? '1 point' : `${n} points`);
const PARTS = {
  row: (p) => `row of ${p.count}`, column: (p) => `column of ${p.count}`, solitary: () => 'alone', neighbours: (p) => `${p.count} around it`,
  values: (p) => `half of ${p.count}, the values beside it`,
};
const part = (p) => `${PARTS[p.kind](p)}${p.bonus ? ` + ${p.bonus} for Niohoggr` : ''}: ${p.points}`;

const placed = {
  lay: (c) => `lays ${tile(c.tile)} on ${at(c.at)}`,
  cover: (c) => `covers ${c.under ? tile(c.under) : 'the tile'} on ${at(c.at)} with ${tile(c.tile)}`,
  exchange: (c) => `exchanges ${c.under ? tile(c.under) : 'the tile'} on ${at(c.at)} for ${tile(c.tile)}`,
  bump: (c) => `bumps ${c.under ? tile(c.under) : 'the tile'} from ${at(c.at)}${c.bumped_to ? ` to ${at(c.bumped_to)}` : ''} with ${tile(c.tile)}`,
};

export default {
  events: {
    MatchStarted: (e) => `The tiles are shuffled for ${e.seats} players (${SETS[e.options.set] ?? e.options.set}).`,
    HelDealt: (e, n) => [`${n.seat(e.seat)} gets ${e.count} Hel.`, { rule: 'V-104' }],
    TileDrawn: (e, n) => `${n.seat(e.seat)} draws ${tile(e.tile)}.`,
    StartTilePlaced: (e) => [`${tile(e.tile)} is laid on ${at(e.at)} to begin with.`, { rule: 'V-106' }],
    StartSeatChosen: (e, n) => [`${n.seat(e.seat)} begins, chosen by lot.`, { rule: 'V-107' }],
    TurnStarted: (e, n) => `${n.seat(e.seat)} to act.${e.passed.length ? ` ${n.seats(e.passed)} had no tile and passed.` : ''}`,
    FreyaDiscarded: (e, n) => [`${n.seat(e.seat)} discards Freya: the next tile is worth ${e.boost} more.`, { rule: 'V-607' }],
    TilePlaced: (e, n) => `${n.seat(e.seat)} ${placed[e.mode](e)}${boosted(e.boost)}.`,
    FreyaReturned: (e, n) => `${e.count} Freya return to ${n.seat(e.seat)}.`,
    ScoreAwarded: (e, n) => [
      `${n.seat(e.seat)} scores ${points(e.points)} with ${tile(e.tile)} on ${at(e.at)}, ${e.total} in all.`, { rule: REASONS[e.reason] },
      { lines: e.parts.map(part) },
    ],
    ExtraPlayGranted: (e, n) => [`${n.seat(e.seat)} may place an extra tile in the lines of Hermod on ${at(e.hermod)}.`, { rule: 'V-606' }],
    ExtraPlaySkipped: (e, n) => `${n.seat(e.seat)} places no extra tile.`,
    RavenFlightGranted: (e, n) => [`The Raven of ${n.seat(e.seat)} may fly on.`, { rule: 'V-603' }],
    RavenMoved: (e, n) => `${n.seat(e.seat)}’s Raven flies from ${at(e.from)} to ${at(e.at)}${e.under ? ` and covers ${tile(e.under)}` : ''}.`,
    RavenKept: (e, n) => `${n.seat(e.seat)}’s Raven stays.`,
    SurplusFound: (e, n) => [`${n.seat(e.seat)} holds ${e.count} tiles too many.`, { rule: 'V-208' }],
    TileDiscarded: (e, n) => [`${n.seat(e.seat)} discards ${tile(e.tile)}.`, { rule: e.reason === 'surplus' ? 'V-207' : 'V-204' }],
    HelRemoved: () => ['The pile is empty: Hel leaves the match.', { rule: 'V-210' }],
    MatchFinished: (e, n) => ['The pile and all hands are empty: the match is over.', { rule: 'V-701' },
      { lines: e.ranking.map((place) => `${place.rank}. ${n.seat(place.seat)}: ${place.display}`) }],
  },
  commands: {
    PlaceTile: (c) => `${{ lay: 'Lay', cover: 'Cover with', exchange: 'Exchange for', bump: 'Bump with' }[c.mode]} ${tile(c.tile)} on ${at(c.at)}${c.bump ? `, ${WAYS[c.bump]}` : ''}`,
    DiscardFreya: () => 'Discard Freya to boost the next tile',
    DiscardTile: (c) => `Discard ${tile(c.tile)}`,
    SkipExtra: () => 'Place no extra tile',
    MoveRaven: (c) => `Fly to ${at(c.at)}${c.mode === 'cover' ? ' and cover the tile there' : ''}`,
    KeepRaven: () => 'Let the Raven stay',
  },
  fields: {
    PlaceTile: 'Place a tile', DiscardFreya: 'Discard Freya', DiscardTile: 'Discard a tile', SkipExtra: 'No extra tile', MoveRaven: 'Fly on', KeepRaven: 'Stay',
    tile: 'Which tile?', at: 'Where?', mode: 'How?', bump: 'Which way?',
  },
  options: { set: 'Set', custom_types: 'Types (with chosen types)', lightning_bolt: 'With Lightning Bolts', no_late_hel: 'No late Hel' },
  value: (field, value) => {
    if (field === 'tile') return tile(value);
    if (field === 'set') return SETS[value];
    if (field === 'at') return at(value);
    if (field === 'mode') return { lay: 'lay', cover: 'cover', exchange: 'exchange', bump: 'bump' }[value];
    if (field === 'bump') return WAYS[value];
    if (field !== 'spot') return undefined;
    const [kind, id] = value.split(':');
    return kind === 'cell' ? `(${id.replace(',', ', ')})` : TILES[id];
  },
  standing: (place, n) => `${n.seat(place.seat)}: ${points(place.score)}`,
};
