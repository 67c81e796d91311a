// Are the rules in JavaScript those of RULES.md? Its counting sequences say so (section 13), and matches of random commands.
// node --test tests/peers/boardgame/rules.test.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { CARDS, decide, load, points, start } from './rules.mjs';

const RULES = readFileSync(process.env.PEERS_RULES ?? new URL('../../../domain/rosenkoenig/RULES.md', import.meta.url), 'utf8');
const never = () => assert.fail('no pile runs out here');

/** What RULES.md counts from each of its two positions: by name of the row, the numbers for d = 1, 2, ... */
function counted() {
  const positions = [...RULES.matchAll(/```json\n(\{"game".*?)```/gs)].map((match) => load(JSON.parse(match[1])));
  const tables = RULES.split('**count**').slice(1).filter((part) => part.startsWith(' |'));
  return tables.map((table, index) => {
    const rows = `count${table}`.split('\n').slice(0, 5).map((row) => row.replace(/^\| /, '').split('|').map((cell) => cell.trim()).filter(Boolean));
    return { position: positions[index], rows: Object.fromEntries(rows.map(([name, ...numbers]) => [name, numbers.map(Number)])) };
  });
}

function count(state, depth, found) {
  if (depth === 0) return;
  for (const command of state.legal) {
    const next = decide(state, command, never);
    if (depth === 1) {
      found.count += 1;
      found.hero += command.hero === true;
      found.draw += command.type === 'DrawCard';
      found.passed += next.passed;
      found.ended += next.over !== null;
    } else count(next, depth - 1, found);
  }
}

test('the counting sequences of RULES.md', () => {
  const tables = counted();
  assert.equal(tables.length, 2);
  for (const { position, rows } of tables) {
    assert.deepEqual(Object.keys(rows), ['count', 'hero', 'draw', 'passed', 'ended']);
    rows.count.forEach((_, index) => {
      const found = { count: 0, hero: 0, draw: 0, passed: 0, ended: 0 };
      count(position, index + 1, found);
      for (const [name, numbers] of Object.entries(rows)) assert.equal(found[name], numbers[index], `${name}, d = ${index + 1}`);
    });
  }
});

test('areas of 8, 2 and 1 stones score 69', () => {
  const board = 'rrrr.....rrrr....................rr...................r..........................';
  assert.equal(board.length, 81);
  assert.equal(points(board, 'r'), 69);
  assert.equal(points(board, 'w'), 0);
});

test('random matches end, and what is not listed is refused', () => {
  let seed = 1;
  const below = (most) => {
    seed = (seed * 48271) % 2147483647;
    return seed % most;
  };
  const shuffle = (cards) => {
    const pile = [...cards];
    for (let last = pile.length - 1; last > 0; last -= 1) {
      const other = below(last + 1);
      [pile[last], pile[other]] = [pile[other], pile[last]];
    }
    return pile;
  };
  const reasons = new Set();
  for (let match = 0; match < 300; match += 1) {
    let state = start(shuffle(CARDS), below(2));
    let commands = 0;
    while (state.over === null) {
      for (const card of CARDS) {
        for (const hero of [false, true]) {
          const listed = state.legal.some((one) => one.card === card && one.hero === hero);
          assert.equal(decide(state, { type: 'PlayCard', card, hero }, shuffle) !== null, listed);
        }
      }
      state = decide(state, state.legal[below(state.legal.length)], shuffle);
      commands += 1;
      assert.equal(new Set([...state.hands.flat(), ...state.discard, ...state.secret.pile]).size, CARDS.length);
    }
    assert.ok(commands <= 120);
    assert.equal([...state.board].filter((stone) => stone !== '.').length, 52 - state.stones);
    reasons.add(state.over.reason);
  }
  assert.deepEqual([...reasons].sort(), ['blocked', 'last_stone']);
});
