// The words: those of the page are files here, one for each language with the same names, those of games come from the server.

import { chosen, fill, say, spot } from './templates.js';

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
 * The words of a game: `event(event, names)` gives a list of parts (texts, `{rule}`, `{lines}`), `question(field)` what to ask for it, `value(field, value, type)` says
 * a value of a command. What the server has no words for is told field by field.
 */
export async function ofGame(client, game) {
  const words = await client.get('/v1/games/{game}/words', { game, lang: language });
  const known = ({ called }) => ({ ...words, names: { seat: called } });
  const event = (event, names) => {
    const here = known(names);
    const template = chosen(words.events[event.type], event);
    const quoted = chosen(words.quotes[event.type], event) ?? '';
    const [field, table] = (words.below[event.type] ?? ':').split(':');
    const lines = (event[field] ?? []).map((item) => say(here, table, item));
    return [
      template === undefined ? rest(event) : fill(here, template, event),
      ...quoted.split(' ').filter(Boolean).map((rule) => ({ rule })),
      ...(lines.length ? [{ lines }] : []),
    ];
  };
  // How a command says a field is how it is said on its own too.
  const table = (field, type) => JSON.stringify(words.commands[type] ?? '').match(new RegExp(`\\{${field}:(\\w+)\\}`))?.[1] ?? field;
  return {
    title: words.title,
    text: words.text,
    event,
    rule: (number) => words.rules[number],
    question: (field) => words.questions[field] ?? plain(field),
    value: (field, value, type) => (field === 'type' ? say(words, 'command', value) : say(words, table(field, type), value) || '–'),
    spot: (value) => spot(words, value) ?? plain(value.replace(':', ' ')),
    option: (name) => ({ name: plain(name), help: '', ...words.options[name] }),
    optionValue: (name, value) => say(words, words.options[name]?.table ?? name, value),
    standing: (place, names) => say(known(names), 'place', place),
  };
}
