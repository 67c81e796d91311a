// The words of the page: events carry data, these files carry the language. Each has the same names in every language.

import { script } from './games.js';

const LANGUAGES = ['en', 'de'];

/** The first of the browser's languages that the page speaks. */
export function chooseLanguage(wished = navigator.languages ?? [navigator.language]) {
  for (const wish of wished) {
    const known = LANGUAGES.find((language) => wish.toLowerCase().startsWith(language));
    if (known) return known;
  }
  return 'en';
}

export const language = chooseLanguage();

/** The words of the page itself. */
export const page = (await import(`./words/${language}.js`)).default;

/** `PlaceTile` -> `Place tile`, `red_2` -> `red 2`: what is shown where a game has no words of its own. */
export const plain = (name) =>
  String(name)
    .replace(/_/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);

/** Any JSON in a line, without its punctuation. */
export function line(value) {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.length ? value.map(line).join(', ') : '–';
  if (typeof value !== 'object') return plain(value);
  const names = Object.keys(value);
  if (names.every((name) => 'xyqr'.includes(name) && name.length === 1)) return `(${names.map((name) => value[name]).join(', ')})`;
  return names.map((name) => `${plain(name)} ${line(value[name])}`).join(', ');
}

const rest = ({ type, ...fields }) => (Object.keys(fields).length ? `${plain(type)}: ${line(fields)}` : plain(type));

/**
 * The words of a game: `event(event, names)` and `command(command, names)` give a text or a list of parts (texts, `{rule}`, `{lines}`);
 * `value(field, value, about)` and `field(name)` the words of a command's fields and of places (`spot`); `about` has the command and the printed data. A game without words is told field by field.
 */
export async function ofGame(game) {
  const words = (await script(game, language))?.default ?? {};
  const tell = (table, thing, names, data) => {
    const known = Object.hasOwn(table ?? {}, thing.type) ? table[thing.type] : undefined;
    const told = known ? known(thing, names, data) : rest(thing);
    return Array.isArray(told) ? told : [told];
  };
  return {
    title: words.title,
    event: (event, names) => tell({ ...page.platformEvents, ...words.events }, event, names),
    command: (command, names, data) => tell({ ...words.commands }, command, names, data),
    value: (field, value, about) => words.value?.(field, value, about) ?? (field === 'spot' ? undefined : line(value)),
    field: (name) => words.fields?.[name] ?? page.fields[name] ?? plain(name),
    option: (name) => words.options?.[name] ?? plain(name),
    standing: (place, names) => words.standing?.(place, names) ?? line(place),
  };
}
