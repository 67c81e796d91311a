// The fields of a form for the options of a game: what each shows, and what was written there, by its JSON Schema alone.

const without = (schema, name) => Object.fromEntries(Object.entries(schema).filter(([known]) => known !== name));

/** A schema with its references put in, and what it says about null taken off. One of several forms has no type. */
export function resolve(schema, defs) {
  if (schema.$ref) return { ...resolve(defs[schema.$ref.split('/').at(-1)], defs), ...without(schema, '$ref') };
  const cases = schema.anyOf ?? schema.oneOf;
  if (cases) {
    const known = cases.filter((one) => one.type !== 'null');
    const form = known.length === 1 ? resolve(known[0], defs) : {};
    return { ...form, ...without(without(schema, 'anyOf'), 'oneOf'), nullable: known.length < cases.length };
  }
  if (Array.isArray(schema.type)) {
    const known = schema.type.filter((type) => type !== 'null');
    return { ...schema, type: known.length === 1 ? known[0] : undefined, nullable: known.length < schema.type.length };
  }
  return schema;
}

const PLAIN = ['string', 'integer', 'number'];

/** The fields for the options that this schema has, by name. */
export function fields(schema, defs) {
  const { properties = {} } = resolve(schema, defs);
  return Object.entries(properties).map(([name, property]) => {
    const option = { name, ...resolve(property, defs) };
    if (option.type === 'array') option.items = resolve(option.items ?? {}, defs);
    return { ...option, kind: kind(option) };
  });
}

/** A box to tick, a choice, a number, a text, a list with commas, or JSON. */
function kind({ type, enum: values, items }) {
  if (type === 'boolean') return 'truth';
  if (values) return 'choice';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string') return 'text';
  return type === 'array' && (items.enum || PLAIN.includes(items.type)) ? 'list' : 'json';
}

/** What a field shows before somebody writes there; `word` says a value. */
export function shown({ kind, items, default: given = null }, word) {
  if (given === null) return '';
  if (kind === 'list') return given.map((value) => (items.enum ? word(value) : value)).join(', ');
  return kind === 'json' ? JSON.stringify(given) : String(given);
}

/** The value of what is written in a field. What is none stays a text: the server says what is wrong. */
export function read({ kind, items, nullable, enum: values, default: given = null }, text, word) {
  if (text === '') return kind === 'text' && given !== null && !nullable ? '' : null;
  switch (kind) {
    case 'choice': return values.find((value) => String(value) === text) ?? text;
    case 'number': return number(text);
    case 'list': return text.split(',').map((part) => part.trim()).filter(Boolean).map((part) => item(items, part, word));
    case 'json': return parsed(text);
    default: return text;
  }
}

/** An item, as a word or as the server calls it. */
function item({ type, enum: values = [] }, part, word) {
  const same = (name) => String(name).toLowerCase() === part.toLowerCase();
  return values.find((value) => same(value) || same(word(value))) ?? (type === 'string' ? part : number(part));
}

const number = (text) => (Number.isFinite(Number(text)) ? Number(text) : text);

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
