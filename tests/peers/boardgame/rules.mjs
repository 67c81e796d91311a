// Rosenkönig as one would write it for boardgame.io, from domain/rosenkoenig/RULES.md: plain objects that nobody changes once they are made,
// and text where text is short. `rules.test.mjs` holds it to the counts in RULES.md.

const SIDE = 9;
const STONES = 52;
const HAND = 5;
const DIRECTIONS = { n: [0, -1], ne: [1, -1], e: [1, 0], se: [1, 1], s: [0, 1], sw: [-1, 1], w: [-1, 0], nw: [-1, -1] };

/** The 24 cards in card order. */
export const CARDS = Object.keys(DIRECTIONS).flatMap((direction) => [1, 2, 3].map((distance) => direction + distance));
const ORDER = new Map(CARDS.map((card, index) => [card, index]));

/** By card, then field: the field that the crown reaches, or -1 off the board. */
const TARGETS = new Map(CARDS.map((card) => {
  const [dx, dy] = DIRECTIONS[card.slice(0, -1)].map((step) => step * Number(card.slice(-1)));
  return [card, Array.from({ length: SIDE * SIDE }, (_, from) => {
    const [x, y] = [(from % SIDE) + dx, Math.floor(from / SIDE) + dy];
    return x >= 0 && x < SIDE && y >= 0 && y < SIDE ? y * SIDE + x : -1;
  })];
}));

const DRAW = Object.freeze({ type: 'DrawCard' });

const sorted = (cards) => [...cards].sort((a, b) => ORDER.get(a) - ORDER.get(b));

/** The start from a shuffled pile of all cards. Red begins, or whoever `first` says; seat 0 is red. */
export function start(shuffled, first) {
  const state = {
    board: '.'.repeat(SIDE * SIDE), colors: 'rw', crown: 40, heroes: [4, 4], stones: STONES, discard: [], passed: false, over: null,
    hands: [sorted(shuffled.slice(0, HAND)), sorted(shuffled.slice(HAND, 2 * HAND))],
    left: CARDS.length - 2 * HAND, secret: { pile: shuffled.slice(2 * HAND) },
    seat: first,
  };
  return { ...state, legal: legal(state, first) };
}

/** The plays of a seat in card order, then the draw. */
export function legal(state, seat) {
  const { board, colors, crown, hands, heroes } = state;
  const commands = [];
  for (const card of hands[seat]) {
    const target = TARGETS.get(card)[crown];
    if (target < 0 || board[target] === colors[seat]) continue;
    if (board[target] === '.') commands.push({ type: 'PlayCard', card, hero: false });
    else if (heroes[seat] > 0) commands.push({ type: 'PlayCard', card, hero: true });
  }
  if (hands[seat].length < HAND) commands.push(DRAW);
  return commands;
}

/** The state after a command of the seat to act, or null if it is not legal. `shuffle` shuffles the discard pile when a card is due. */
export function decide(state, command, shuffle) {
  const { seat } = state;
  const listed = state.over === null && state.legal.some((one) => one.type === command.type && one.card === command.card && one.hero === command.hero);
  if (!listed) return null;
  return after(command.type === 'DrawCard' ? draw(state, seat, shuffle) : play(state, seat, command), seat);
}

function play(state, seat, { card, hero }) {
  const target = TARGETS.get(card)[state.crown];
  return {
    ...state,
    board: state.board.slice(0, target) + state.colors[seat] + state.board.slice(target + 1),
    crown: target,
    hands: state.hands.map((hand, owner) => (owner === seat ? hand.filter((one) => one !== card) : hand)),
    heroes: hero ? state.heroes.map((left, owner) => (owner === seat ? left - 1 : left)) : state.heroes,
    stones: hero ? state.stones : state.stones - 1,
    discard: [card, ...state.discard],
  };
}

function draw(state, seat, shuffle) {
  const empty = state.secret.pile.length === 0;
  const [card, ...pile] = empty ? shuffle(sorted(state.discard)) : state.secret.pile;
  return {
    ...state,
    hands: state.hands.map((hand, owner) => (owner === seat ? sorted([...hand, card]) : hand)),
    discard: empty ? [] : state.discard,
    left: pile.length,
    secret: { pile },
  };
}

/** Who is to act next, or the end. */
function after(state, seat) {
  if (state.stones === 0) return end(state, 'last_stone');
  for (const next of [1 - seat, seat]) {
    const commands = legal(state, next);
    if (commands.length > 0) return { ...state, seat: next, passed: next === seat, legal: commands };
  }
  return end(state, 'blocked');
}

function end(state, reason) {
  return { ...state, seat: null, passed: false, legal: [], over: { reason, points: [...state.colors].map((color) => points(state.board, color)) } };
}

/** The sum over the areas of a colour of size times size. */
export function points(board, color) {
  const seen = new Set();
  let sum = 0;
  for (let first = 0; first < board.length; first += 1) {
    if (board[first] !== color || seen.has(first)) continue;
    const area = [first];
    seen.add(first);
    for (const field of area) {
      const x = field % SIDE;
      for (const next of [x > 0 && field - 1, x < SIDE - 1 && field + 1, field - SIDE, field + SIDE]) {
        if (next !== false && board[next] === color && !seen.has(next)) {
          seen.add(next);
          area.push(next);
        }
      }
    }
    sum += area.length * area.length;
  }
  return sum;
}

/** A position in the form of RULES.md, section 3. */
export function load(position) {
  const { board, crown, hands, heroes, stones_left, draw_pile, discard_pile, active_seat, options } = position;
  const state = {
    board: board.join(''), colors: options.colors.map((color) => color[0]).join(''), crown: crown.y * SIDE + crown.x, heroes, stones: stones_left,
    discard: discard_pile, passed: false, over: null, hands, left: draw_pile.length, secret: { pile: draw_pile }, seat: active_seat,
  };
  return { ...state, legal: legal(state, active_seat) };
}
