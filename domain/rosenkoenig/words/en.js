// Rosenkönig in English.

const SIDES = { n: 'north', ne: 'north-east', e: 'east', se: 'south-east', s: 'south', sw: 'south-west', w: 'west', nw: 'north-west' };
const card = (id) => `${id.toUpperCase()} (${id.at(-1)} ${SIDES[id.slice(0, -1)]})`;
const at = ({ x, y }) => `(${x}, ${y})`;
const stones = (n) => (n === 1 ? '1 stone' : `${n} stones`);
const points = (n) => (n === 1 ? '1 point' : `${n} points`);
const COLORS = { red: 'red', white: 'white' };

export default {
  events: {
    MatchStarted: (e, n) => [`Five cards lie open before each player; ${n.seat(e.start_seat)} begins.`, { rule: 'R-09' }],
    CardPlayed: (e, n) => `${n.seat(e.seat)} plays ${card(e.card)}.`,
    HeroSpent: (e, n) => [`${n.seat(e.seat)} spends a hero; ${e.heroes_left} left.`, { rule: 'R-39' }],
    StonePlaced: (e) => `A ${COLORS[e.color]} stone is laid on ${at(e.at)}; ${e.stones_left} are left.`,
    StoneFlipped: (e) => [`The stone on ${at(e.at)} is turned to ${COLORS[e.color]}.`, { rule: 'R-39' }],
    CrownMoved: (e) => `The crown moves from ${at(e.from)} to ${at(e.to)}.`,
    DrawPileReshuffled: (e) => [`The discard pile is shuffled and becomes the new draw pile of ${e.draw_pile.count ?? e.draw_pile.length} cards.`, { rule: 'R-47' }],
    CardDrawn: (e, n) => `${n.seat(e.seat)} draws ${card(e.card)}; ${e.draw_pile_left} are left in the pile.`,
    TurnPassed: (e, n) => [`${n.seat(e.seat)} has no legal command and passes.`, { rule: 'R-22' }],
    TurnStarted: (e, n) => `${n.seat(e.seat)} to act.`,
    ScoreAwarded: (e, n) => [
      `${n.seat(e.seat)} has ${points(e.points)}: each area counts the square of its stones.`, { rule: 'R-61' },
      { lines: e.breakdown.map((area) => `${stones(area.size)} around ${at(area.fields[0])}: ${area.size} × ${area.size} = ${area.points}`) },
    ],
    MatchFinished: (e, n) => [
      e.reason === 'last_stone' ? 'The last stone is laid: the match is over.' : 'Neither player can move: the match is over.',
      { rule: e.reason === 'last_stone' ? 'R-50' : 'R-51' },
      { lines: e.standing.map((place) => [`${place.rank}. ${n.seat(place.seat)}: ${points(place.points)}, largest area ${place.largest_area}, ${stones(place.stones)}`]) },
    ],
  },
  commands: {
    PlayCard: (c) => `Play ${card(c.card)}${c.hero ? ' with a hero' : ''}`,
    DrawCard: () => 'Draw a card',
  },
  fields: { PlayCard: 'Play a card', DrawCard: 'Draw a card', card: 'Which card?', hero: 'With a hero?' },
  options: { colors: 'Colours of seats 0 and 1', start: 'Who begins', show_draw_pile: 'Show the cards of the draw pile', light: 'Light: with take-back' },
  value: (field, value) => {
    if (field === 'card') return card(value);
    if (field === 'hero') return value ? 'with a hero' : 'without a hero';
    if (field === 'start') return { random: 'the lot decides', red: 'red' }[value];
    if (field !== 'spot') return undefined;
    const [kind, id] = value.split(':');
    if (kind === 'card') return card(id);
    if (kind === 'cell') return at({ x: Number(id.split(',')[0]), y: Number(id.split(',')[1]) });
    return kind === 'pile' ? 'draw pile' : undefined;
  },
  standing: (place, n) => `${n.seat(place.seat)}: ${points(place.points)}`,
};
