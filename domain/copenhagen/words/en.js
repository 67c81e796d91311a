// Copenhagen in English.

import { drawn } from './shape.js';

const COLORS = { red: 'red', yellow: 'yellow', green: 'green', blue: 'blue', purple: 'purple' };
const ABILITIES = {
  any_cards: 'Any cards', additional_card: 'Additional card', construction_discount: 'Construction discount', change_of_colors: 'Change of colours',
  both_actions: 'Both actions',
};
const PHASES = {
  action: 'the action', second_card: 'the second card', third_card: 'a third card', discard: 'discarding down to 7', build: 'building', coat_of_arms: 'a coat of arms',
  finished: 'the end',
};
const color = (id) => COLORS[id] ?? id;
const ability = (id) => ABILITIES[id] ?? id;
const tile = (id) => (id === 'special' ? 'special tile' : `${color(id.split('_')[0])} tile of ${id.split('_')[1]}`);
const at = ({ x, y }) => `(${x}, ${y})`;
const points = (n) => (n === 1 ? '1 point' : `${n} points`);
const cards = (list) => {
  const counts = Object.entries(COLORS).map(([id, name]) => [list.filter((card) => card === id).length, name]).filter(([count]) => count);
  return counts.length ? counts.map(([count, name]) => `${count} ${name}`).join(' + ') : 'nothing';
};
const line = (l) => [`${l.kind === 'row' ? `row ${l.index}` : `column ${l.index}`}${l.all_windows ? ', all windows' : ''}: ${l.points}`, { rule: l.kind === 'row' ? 'C-801' : 'C-802' }];

export default {
  events: {
    MatchStarted: (e, n) => [`The harbor is filled; ${n.seat(e.position.active_seat ?? 0)} begins.`, { rule: 'C-201' }],
    CardTaken: (e, n) => `${n.seat(e.seat)} takes a ${color(e.color)} card from slot ${e.slot}.`,
    AbilityUsed: (e, n) => [`${n.seat(e.seat)} uses ${ability(e.ability)}${e.from_color ? `: ${color(e.from_color)} counts as ${color(e.to_color)}` : ''}.`, { rule: 'C-708' }],
    OptionDeclined: (e, n) => `${n.seat(e.seat)} ${e.option === 'third_card' ? 'takes no third card' : 'builds nothing'}.`,
    CardDiscarded: (e, n) => [`${n.seat(e.seat)} discards a ${color(e.color)} card.`, { rule: 'C-406' }],
    TilePlaced: (e, n) => [
      `${n.seat(e.seat)} puts a ${tile(e.tile)} on ${at(e)}${e.price ? `, for ${cards(e.payment)}` : ''}.`,
      ...(e.price ? [{ rule: 'C-507' }] : []),
      ...(e.price && e.price.same_color + e.price.construction_discount ? [{ lines: [`price: ${e.price.size}${e.price.same_color ? ` − ${e.price.same_color} beside its colour` : ''}${e.price.construction_discount ? ` − ${e.price.construction_discount} discount` : ''} = ${e.payment.length}`] }] : []),
    ],
    ScoreAwarded: (e, n) => [`${n.seat(e.seat)} scores ${points(e.points)}, ${e.total} in all.`, { rule: 'C-803' }, { lines: e.lines.map(line) }],
    CoatsOfArmsActivated: (e, n) => [`${n.seat(e.seat)} activates ${e.count === 1 ? 'a coat of arms' : `${e.count} coats of arms`}.`, { rule: 'C-601' }],
    AbilityTaken: (e, n) => [`${n.seat(e.seat)} gets ${ability(e.ability)}.`, { rule: 'C-604' }],
    AbilitiesReactivated: (e, n) => [`${n.seat(e.seat)} makes ${list(e.abilities.map(ability))} active again.`, { rule: 'C-605' }],
    CoatsOfArmsLapsed: (e, n) => [`${e.count === 1 ? 'A coat of arms' : `${e.count} coats of arms`} of ${n.seat(e.seat)} ${e.count === 1 ? 'lapses' : 'lapse'} unused.`, { rule: 'C-607' }],
    PhaseChanged: (e) => `The turn continues with ${PHASES[e.phase]}.`,
    DeckReshuffled: (e) => [`The deck has run out: ${e.cards} cards are shuffled anew, with the end card.`, { rule: 'C-904' }],
    HarborCardRevealed: (e) => `A ${color(e.color)} card comes to slot ${e.slot} of the harbor.`,
    EndCardRevealed: () => ['The end card is revealed.', { rule: 'C-902' }],
    TurnEnded: (e, n) => `${n.seat(e.next_seat)} to act: turn ${e.next_turn}.`,
    MatchFinished: (e, n) => [
      e.reason === 'twelve_points' ? `${n.seats(e.winners)} has 12 points: the match is over.` : `The end card ends the match: ${n.seats(e.winners)} first.`,
      { rule: e.reason === 'twelve_points' ? 'C-901' : 'C-905' },
      { lines: e.standing.map((place) => `${place.rank}. ${n.seat(place.seat)}: ${points(place.score)}, ${place.empty_spaces} empty spaces`) },
    ],
  },
  commands: {
    TakeCard: (c) => `Take the card from slot ${c.slot}`,
    EndTaking: () => 'Take no third card',
    DiscardCard: (c) => `Discard a ${color(c.color)} card`,
    PlaceTile: (c, n, data) => `${tile(c.tile)} on ${at(c)}, turned ${drawn(c.tile, c.orientation, data)}, for ${cards(c.payment)}`,
    EndTurn: () => 'Build nothing',
    PlaceSpecialTile: (c) => `Special tile on ${at(c)}`,
    TakeAbility: (c) => `Take ${ability(c.ability)}`,
    ReactivateAbilities: () => 'Make all used abilities active',
  },
  fields: {
    TakeCard: 'Take a card', EndTaking: 'No third card', DiscardCard: 'Discard a card', PlaceTile: 'Build a tile', EndTurn: 'Build nothing',
    PlaceSpecialTile: 'Special tile', TakeAbility: 'New ability', ReactivateAbilities: 'Reactivate abilities',
    slot: 'Which slot?', color: 'Which colour?', tile: 'Which tile?', orientation: 'Which way round?', x: 'Which column?', y: 'Which row?', payment: 'Paid with?', ability: 'Which ability?',
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
    if (kind === 'slot' || kind === 'harbor') return `slot ${Number(id)}`;
    if (kind === 'ability') return ability(id);
    if (kind === 'card' || kind === 'hand') return `${color(id)} card`;
    return kind === 'cell' ? at({ x: Number(id.split(',')[0]), y: Number(id.split(',')[1]) }) : undefined;
  },
  standing: (place, n) => `${n.seat(place.seat)}: ${points(place.score)}`,
};

function list(names) {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
