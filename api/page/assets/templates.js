// Sentences from words as data: docs/contract.md, "Words". Uses nothing of the page, so that any client may take it.

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const isNothing = (value) => value === null || value === false || (Array.isArray(value) && value.length === 0);
const plain = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** What is at a path into a value. */
const at = (value, path) =>
  path.split('.').filter(Boolean).reduce((of, step) => (step === 'count' && Array.isArray(of) ? of.length : (of?.[step] ?? null)), value);

/** The template of an entry that fits a value. */
export function chosen(entry, value) {
  while (isObject(entry)) {
    const [field, cases] = isObject(value) ? Object.entries(entry)[0] : ['', entry];
    entry = cases[plain(at(value, field))] ?? cases.other;
  }
  return entry;
}

/** A value in words, by the table of this name. `words.names` has texts by table and value that are no templates: what players call themselves. */
export function say(words, table, value) {
  const name = isObject(value) ? undefined : words.names?.[table]?.[plain(value)];
  if (name !== undefined) return name;
  if (Array.isArray(value)) return list(words, table, value);
  const template = chosen(words.values[table], value);
  if (template !== undefined) return fill(words, template, value);
  return value === null ? '' : plain(value).replaceAll('_', ' ');
}

/** Items one after the other; equal ones that follow each other are counted. Two players of one name are two. */
function list(words, table, values) {
  const { none, join, last } = { ...words.lists.other, ...words.lists[table] };
  const groups = [];
  for (const value of values) {
    const same = JSON.stringify(value);
    if (groups.at(-1)?.same === same) groups.at(-1).count += 1;
    else groups.push({ same, count: 1, item: say(words, table, value) });
  }
  const all = groups.map(({ item, count }) => (count > 1 ? `${count} ${item}` : item));
  return all.length < 2 ? (all[0] ?? none) : all.slice(0, -1).join(join) + last + all.at(-1);
}

/** A template, filled with what it speaks of. */
export function fill(words, template, about) {
  const said = new Set();
  return template.replace(/\[([^\]]*)\]|[^[]+/g, (outside, inside) => {
    const now = [];
    let whole = true;
    const text = (inside ?? outside).replace(/\{([^:}]*):?([^}]*)\}/g, (_, path, table) => {
      const value = at(about, path);
      const by = table || path.split('.').at(-1);
      whole &&= !isNothing(value);
      now.push(`${by} ${JSON.stringify(value)}`);
      return say(words, by, value);
    });
    if (inside !== undefined && (!whole || now.some((value) => said.has(value)))) return '';
    now.forEach((value) => said.add(value));
    return text;
  });
}

/** A spot of the picture, `kind:parts`. */
export function spot(words, value) {
  const [kind, ...parts] = value.split(':');
  const template = words.spots[kind];
  return template === undefined ? undefined : fill(words, template, parts.join(':').split(/,|(?<=[\p{L}\p{N}])-/u));
}
