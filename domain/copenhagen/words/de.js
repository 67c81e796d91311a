// Copenhagen auf Deutsch.

import { drawn } from './shape.js';

const COLORS = { red: 'rot', yellow: 'gelb', green: 'grün', blue: 'blau', purple: 'lila' };
const INFLECTED = { red: 'rote', yellow: 'gelbe', green: 'grüne', blue: 'blaue', purple: 'lila' };
const ABILITIES = {
  any_cards: 'Beliebige Karten', additional_card: 'Zusätzliche Karte', construction_discount: 'Baurabatt', change_of_colors: 'Farbwechsel',
  both_actions: 'Beide Aktionen',
};
const PHASES = {
  action: 'der Aktion', second_card: 'der zweiten Karte', third_card: 'einer dritten Karte', discard: 'dem Ablegen auf 7', build: 'dem Bauen', coat_of_arms: 'einem Wappen',
  finished: 'dem Ende',
};
const color = (id) => COLORS[id] ?? id;
const ability = (id) => ABILITIES[id] ?? id;
const tile = (id) => (id === 'special' ? 'Sonderteil' : `Fassadenteil ${color(id.split('_')[0])} ${id.split('_')[1]}`);
const at = ({ x, y }) => `(${x}, ${y})`;
const points = (n) => (n === 1 ? '1 Punkt' : `${n} Punkte`);
const cards = (list) => {
  const counts = Object.entries(COLORS).map(([id, name]) => [list.filter((card) => card === id).length, name]).filter(([count]) => count);
  return counts.length ? counts.map(([count, name]) => `${count} ${name}`).join(' + ') : 'nichts';
};
const line = (l) => [`${l.kind === 'row' ? `Reihe ${l.index}` : `Spalte ${l.index}`}${l.all_windows ? ', nur Fenster' : ''}: ${l.points}`, { rule: l.kind === 'row' ? 'C-801' : 'C-802' }];
const list = (names) => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} und ${names.at(-1)}`);

export default {
  events: {
    MatchStarted: (e, n) => [`Der Hafen ist gefüllt; ${n.seat(e.position.active_seat ?? 0)} beginnt.`, { rule: 'C-201' }],
    CardTaken: (e, n) => `${n.seat(e.seat)} nimmt eine ${INFLECTED[e.color]} Karte von Platz ${e.slot}.`,
    AbilityUsed: (e, n) => [`${n.seat(e.seat)} nutzt „${ability(e.ability)}“${e.from_color ? `: ${color(e.from_color)} gilt als ${color(e.to_color)}` : ''}.`, { rule: 'C-708' }],
    OptionDeclined: (e, n) => `${n.seat(e.seat)} ${e.option === 'third_card' ? 'nimmt keine dritte Karte' : 'baut nichts'}.`,
    CardDiscarded: (e, n) => [`${n.seat(e.seat)} legt eine ${INFLECTED[e.color]} Karte ab.`, { rule: 'C-406' }],
    TilePlaced: (e, n) => [
      `${n.seat(e.seat)} baut ${tile(e.tile)} auf ${at(e)}${e.price ? `, für ${cards(e.payment)}` : ''}.`,
      ...(e.price ? [{ rule: 'C-507' }] : []),
      ...(e.price && e.price.same_color + e.price.construction_discount ? [{ lines: [`Preis: ${e.price.size}${e.price.same_color ? ` − ${e.price.same_color} neben seiner Farbe` : ''}${e.price.construction_discount ? ` − ${e.price.construction_discount} Rabatt` : ''} = ${e.payment.length}`] }] : []),
    ],
    ScoreAwarded: (e, n) => [`${n.seat(e.seat)} bekommt ${points(e.points)}, insgesamt ${e.total}.`, { rule: 'C-803' }, { lines: e.lines.map(line) }],
    CoatsOfArmsActivated: (e, n) => [`${n.seat(e.seat)} aktiviert ${e.count === 1 ? 'ein Wappen' : `${e.count} Wappen`}.`, { rule: 'C-601' }],
    AbilityTaken: (e, n) => [`${n.seat(e.seat)} bekommt „${ability(e.ability)}“.`, { rule: 'C-604' }],
    AbilitiesReactivated: (e, n) => [`${n.seat(e.seat)} reaktiviert ${list(e.abilities.map(ability))}.`, { rule: 'C-605' }],
    CoatsOfArmsLapsed: (e, n) => [`${e.count === 1 ? 'Ein Wappen verfällt' : `${e.count} Wappen verfallen`}: ${n.seat(e.seat)} kann damit nichts tun.`, { rule: 'C-607' }],
    PhaseChanged: (e) => `Der Zug geht weiter mit ${PHASES[e.phase]}.`,
    DeckReshuffled: (e) => [`Der Stapel ist leer: ${e.cards} Karten werden mit der Endkarte neu gemischt.`, { rule: 'C-904' }],
    HarborCardRevealed: (e) => `Eine ${INFLECTED[e.color]} Karte kommt auf Platz ${e.slot} des Hafens.`,
    EndCardRevealed: () => ['Die Endkarte wird aufgedeckt.', { rule: 'C-902' }],
    TurnEnded: (e, n) => `${n.seat(e.next_seat)} ist am Zug: Zug ${e.next_turn}.`,
    MatchFinished: (e, n) => [
      e.reason === 'twelve_points' ? `${n.seats(e.winners)} hat 12 Punkte: die Partie ist zu Ende.` : `Die Endkarte beendet die Partie, vorn: ${n.seats(e.winners)}.`,
      { rule: e.reason === 'twelve_points' ? 'C-901' : 'C-905' },
      { lines: e.standing.map((place) => `${place.rank}. ${n.seat(place.seat)}: ${points(place.score)}, ${place.empty_spaces} leere Felder`) },
    ],
  },
  commands: {
    TakeCard: (c) => `Karte von Platz ${c.slot} nehmen`,
    EndTaking: () => 'Keine dritte Karte nehmen',
    DiscardCard: (c) => `Eine ${INFLECTED[c.color]} Karte ablegen`,
    PlaceTile: (c, n, data) => `${tile(c.tile)} auf ${at(c)}, Lage ${drawn(c.tile, c.orientation, data)}, für ${cards(c.payment)}`,
    EndTurn: () => 'Nichts bauen',
    PlaceSpecialTile: (c) => `Sonderteil auf ${at(c)}`,
    TakeAbility: (c) => `„${ability(c.ability)}“ nehmen`,
    ReactivateAbilities: () => 'Alle genutzten Fähigkeiten reaktivieren',
  },
  fields: {
    TakeCard: 'Karte nehmen', EndTaking: 'Keine dritte Karte', DiscardCard: 'Karte ablegen', PlaceTile: 'Bauen', EndTurn: 'Nichts bauen',
    PlaceSpecialTile: 'Sonderteil', TakeAbility: 'Neue Fähigkeit', ReactivateAbilities: 'Fähigkeiten reaktivieren',
    slot: 'Welcher Platz?', color: 'Welche Farbe?', tile: 'Welches Teil?', orientation: 'Welche Lage?', x: 'Welche Spalte?', y: 'Welche Reihe?', payment: 'Womit bezahlen?', ability: 'Welche Fähigkeit?',
  },
  value: (field, value, about) => {
    if (field === 'color') return color(value);
    if (field === 'tile') return tile(value);
    if (field === 'ability') return ability(value);
    if (field === 'payment') return cards(value);
    if (field === 'orientation') return about?.data ? drawn(about.command.tile, value, about.data) : undefined;
    if (field !== 'spot') return undefined;
    const [kind, id] = value.split(':');
    if (kind === 'tile') return tile(id);
    if (kind === 'slot' || kind === 'harbor') return `Platz ${Number(id)}`;
    if (kind === 'ability') return ability(id);
    if (kind === 'card' || kind === 'hand') return `${INFLECTED[id]} Karte`;
    return kind === 'cell' ? at({ x: Number(id.split(',')[0]), y: Number(id.split(',')[1]) }) : undefined;
  },
  standing: (place, n) => `${n.seat(place.seat)}: ${points(place.score)}`,
};
