// The words: those of the page come in one file for all languages, those of games from the server.

import { chosen, fill, say, spot } from './templates.js';

/** By language, the first of them complete. What has no name is the program's own first language, if a folder has changed it. */
const { '': OWN, ...WORDS } = await (await fetch(new URL('words.json', import.meta.url))).json();

/** The first of the browser's languages that the page speaks; one may have a region, `de-AT`. */
function chooseLanguage(wished = navigator.languages ?? [navigator.language]) {
  const known = new Map(Object.keys(WORDS).map((language) => [language.toLowerCase(), language]));
  const found = wished.map((wish) => wish.toLowerCase()).map((wish) => known.get(wish) ?? known.get(wish.split('-')[0]));
  return found.find(Boolean) ?? Object.keys(WORDS)[0];
}

/**
 * An entry that names parts becomes a function that puts them in, in the order in which the program's own first language names them; all others
 * stay texts. What there is no entry for is said in the first language.
 */
function spoken(first, own, built = first) {
  const template = built.other?.includes('{') ? built.other : built;
  if (typeof template === 'object') return Object.fromEntries(Object.entries(first).map(([name, entry]) => [name, spoken(entry, own?.[name], built[name])]));
  const entry = own ?? first;
  const names = [...new Set(template.match(/(?<=\{)\w+(?=\})/g))];
  if (!names.length) return entry;
  return (...parts) => {
    const said = typeof entry === 'object' ? (entry[parts[0]] ?? entry.other ?? first.other) : entry;
    return said.replace(/\{(\w+)\}/g, (whole, name) => parts[names.indexOf(name)] ?? whole);
  };
}

export const language = chooseLanguage();

/** The words of the page itself. */
export const page = spoken(Object.values(WORDS)[0], WORDS[language], OWN);

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
  // The table of a field's own name has its names; a sentence may decline them. What that table lacks is called as its command calls it.
  const told = (field, type) => JSON.stringify(words.commands[type] ?? '').match(new RegExp(`\\{${field}:(\\w+)\\}`))?.[1] ?? field;
  const table = (field, value, type) => (chosen(words.values[field], Array.isArray(value) ? value[0] : value) === undefined ? told(field, type) : field);
  return {
    title: words.title,
    text: words.text,
    event,
    rule: (number) => words.rules[number],
    question: (field) => words.questions[field] ?? plain(field),
    value: (field, value, type) => (field === 'type' ? say(words, 'command', value) : say(words, table(field, value, type), value) || '–'),
    spot: (value) => spot(words, value) ?? plain(value.replace(':', ' ')),
    option: (name) => ({ name: plain(name), help: '', ...words.options[name] }),
    optionValue: (name, value) => say(words, words.options[name]?.table ?? name, value),
    standing: (place, names) => say(known(names), 'place', place),
  };
}
