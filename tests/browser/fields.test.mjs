// Fields of the form for options that no game of this repository has yet: the functions alone, without a server.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';

const root = process.env.MUNINN_ROOT ?? path.join(import.meta.dirname, '../..');
const source = await readFile(path.join(root, 'api/page/assets/fields.js'), 'utf8');
const { fields, read, shown } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const SCHEMA = { $ref: '#/$defs/Options' };
const DEFS = {
  Color: { type: 'string', enum: ['red', 'dark_blue'] },
  Options: {
    type: 'object',
    properties: {
      light: { type: 'boolean' },
      first: { anyOf: [{ $ref: '#/$defs/Color' }, { type: 'null' }] },
      rounds: { type: 'integer', minimum: 1, default: 5 },
      level: { enum: [1, 2, 3], type: 'integer', default: 2 },
      colors: { type: ['array', 'null'], items: { $ref: '#/$defs/Color' } },
      heaps: { type: 'array', items: { type: 'integer' }, default: [3, 3] },
      motto: { type: 'string', default: 'Skål' },
      note: { type: ['string', 'null'] },
      weights: { type: 'object', default: { a: 1 } },
      either: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      grid: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    },
  },
};

const word = (value) => ({ dark_blue: 'Dunkelblau' })[value] ?? value;
const of = Object.fromEntries(fields(SCHEMA, DEFS).map((option) => [option.name, option]));

test('each type of an option has a field', () => {
  assert.deepEqual(Object.fromEntries(Object.entries(of).map(([name, { kind }]) => [name, kind])), {
    light: 'truth', first: 'choice', rounds: 'number', level: 'choice', colors: 'list', heaps: 'list', motto: 'text', note: 'text', weights: 'json', either: 'json', grid: 'json',
  });
});

test('what a field shows is what it reads, and nothing is the default where there is none', () => {
  for (const option of Object.values(of).filter(({ kind }) => kind !== 'truth')) {
    assert.deepEqual(read(option, shown(option, word), word), option.default ?? null, option.name);
  }
});

test('what is written has the type of its option', () => {
  for (const [name, text, value] of [
    ['rounds', '7', 7],
    ['level', '3', 3],
    ['first', 'dark_blue', 'dark_blue'],
    ['first', '', null],
    ['colors', 'dunkelblau, RED,', ['dark_blue', 'red']],
    ['colors', 'green', ['green']],
    ['heaps', '1, 20,1', [1, 20, 1]],
    ['heaps', 'many', ['many']],
    ['motto', 'Heil og sæl', 'Heil og sæl'],
    ['motto', '', ''],
    ['note', '', null],
    ['weights', '{"a": 2}', { a: 2 }],
    ['weights', '{"a": 2', '{"a": 2'],
    ['either', '"x"', 'x'],
    ['grid', '[[1], []]', [[1], []]],
  ]) assert.deepEqual(read(of[name], text, word), value, `${name}: ${text}`);
});
