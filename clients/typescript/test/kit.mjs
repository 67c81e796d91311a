// A client for the conformance kit, made of @muninn/client. With MISTAKE=name it does one thing wrong: the kit has to notice.

import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Choice, Muninn, Problem, follow } from '@muninn/client';

const MISTAKE = process.env.MISTAKE ?? '';

/** A number for each place in a pointer, unescaped: `~1` first (RFC 6901). */
const unescaped = (part) => (MISTAKE === 'escapes' ? part.replaceAll('~0', '~').replaceAll('~1', '/') : part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** RFC 6902: a new document. */
function patched(document, patch) {
  const root = { '': structuredClone(document) };
  const place = (pointer) => {
    const way = ['', ...pointer.split('/').slice(1).map(unescaped)];
    const last = way.pop();
    const parent = way.reduce((value, name) => value[name], root);
    return [parent, Array.isArray(parent) ? (last === '-' ? parent.length : Number(last)) : last];
  };
  const take = ([parent, name]) => {
    const value = parent[name];
    if (Array.isArray(parent)) parent.splice(name, 1);
    else delete parent[name];
    return value;
  };
  const put = ([parent, name], value) => {
    if (Array.isArray(parent)) parent.splice(name, 0, value);
    else parent[name] = value;
  };
  for (const { op, path, from, value } of patch) {
    if (op === 'add') put(place(path), value);
    else if (op === 'remove') take(place(path));
    else if (op === 'replace') { const [parent, name] = place(path); parent[name] = value; }
    else if (op === 'move') { const moved = take(place(from)); put(place(path), moved); }
    else if (op === 'copy') { const [parent, name] = place(from); put(place(path), structuredClone(parent[name])); }
    else { const [parent, name] = place(path); if (JSON.stringify(parent[name]) !== JSON.stringify(value)) throw new Error(`${path} is another value`); }
  }
  return root[''];
}

/** RFC 8785, for the values that commits have: no fractions. */
function canonical(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const names = MISTAKE === 'order' ? Object.keys(value) : Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

const sha = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** The chain, from what a spectator sees. */
function verified(commits, head) {
  let previous = Buffer.alloc(32);
  for (const { commit, first_version, last_version, seat, recorded_at, command, events, sealed, prev_hash, hash } of commits) {
    const seen = canonical({ events, commit, first_version, last_version, seat, recorded_at, command });
    const hashed = sha(previous, sha(seen), Buffer.from(sealed, 'hex'));
    if (MISTAKE !== 'no-hash' && (prev_hash !== previous.toString('hex') || hash !== hashed.toString('hex'))) return false;
    previous = hashed;
  }
  return MISTAKE === 'no-hash' || previous.toString('hex') === head;
}

/** Every page, up to the one without a next: all items, and the position of the last page. */
async function all(muninn, path, parameters) {
  const items = [];
  for (let after; ;) {
    const page = await muninn.get(path, { ...parameters, after });
    items.push(...page.items);
    after = page.next;
    const short = page.items.length < parameters.limit;
    const position = MISTAKE === 'last-event' ? items.at(-1)?.position : page.position;
    if (after === null || MISTAKE === 'first-page' || (MISTAKE === 'short-page' && short)) return { items, position };
  }
}

/** The requests as they go out, spoilt where a mistake is asked for. */
function spoilt(send) {
  let retried = 0;
  let first;
  return async (address, init) => {
    const headers = { ...init.headers };
    if (MISTAKE === 'new-key' && headers['idempotency-key']) { retried += 1; headers['idempotency-key'] += retried; }
    if (MISTAKE === 'one-key' && headers['idempotency-key']) headers['idempotency-key'] = 'the-key-of-all-requests';
    if (MISTAKE === 'coded' && init.body) headers['content-encoding'] = 'gzip';
    let to = new URL(address);
    if (MISTAKE === 'twice') for (const [name, value] of [...to.searchParams]) to.searchParams.append(name, value);
    if (MISTAKE === 'no-resume' && to.pathname.endsWith('/stream')) {
      first ??= address;
      to = new URL(first);
    }
    // No mistake: a body may come in pieces.
    const pieces = MISTAKE === 'pieces' && init.body ? { body: new Blob([init.body]).stream(), duplex: 'half' } : {};
    const response = await send(to, { ...init, headers, ...pieces });
    if (MISTAKE === 'conflict' && response.status === 409) return Response.json(await response.json(), { status: 201 });
    if (MISTAKE === 'impatient' && response.headers.has('retry-after')) {
      return new Response(response.body, { status: response.status, headers: { 'content-type': 'application/problem+json', 'retry-after': '0.01' } });
    }
    return response;
  };
}

const KNOWN = ['TilePlaced', 'TileDrawn', 'TurnStarted', 'ScoreAwarded', 'MatchFinished'];

async function followed(muninn, id, { after, patch }) {
  if (patch) {
    let view = await muninn.get('/v1/matches/{id}/view', { id, at: after });
    for await (const commit of follow(muninn, id, { after, patch })) {
      view = patched(view, commit.patch);
      if (MISTAKE === 'patch-twice') view = patched(view, commit.patch);
    }
    return { view };
  }
  const commits = [];
  for await (const commit of follow(muninn, id, { after })) {
    commits.push(commit);
    for (const { type } of commit.events) if (MISTAKE === 'unknown-event' && !KNOWN.includes(type)) throw new Error(`unknown event ${type}`);
  }
  return { commits: commits.map((commit) => commit.last_version), events: commits.flatMap(({ events }) => events.map(({ type }) => type)) };
}

async function brought(muninn, id, task) {
  let since = task.from;
  let view = await muninn.get('/v1/matches/{id}/view', { id, at: since });
  for (const at of task.to) {
    try {
      const patch = await muninn.get('/v1/matches/{id}/view/patch', { id, since, at });
      view = patched(view, patch);
      if (MISTAKE === 'patch-twice') view = patched(view, patch);
    } catch (error) {
      if (error.code !== 'version_gone' || MISTAKE === 'gone') throw error;
      view = await muninn.get('/v1/matches/{id}/view', { id, at });
    }
    since = at;
  }
  return { view };
}

async function chosen(muninn, id, task) {
  const page = await muninn.get('/v1/matches/{id}/legal-commands', { id, include: task.include });
  // With names that are compared as far as the click goes, a spot that begins with it counts as the same.
  const same = (spot) => (MISTAKE === 'prefix' && task.clicks.find((click) => spot.startsWith(click))) || spot;
  let choice = Choice.of({ ...page, spots: page.spots.map((spots) => [...new Set(spots.map(same))]) });
  const left = [];
  for (const spot of task.clicks) {
    choice = choice.click(spot);
    left.push(choice.left.length);
  }
  const [{ command }] = MISTAKE === 'no-clicks' ? choice.all : choice.left;
  const { version } = await muninn.match(id).submit(command);
  return { left, command, version };
}

async function done(server, task) {
  const { match: id, seat } = task;
  const anybody = new Muninn(server, { fetch: spoilt(fetch) });
  const token = task.tokens?.[seat ?? (MISTAKE === 'token' ? 0 : -1)];
  const muninn = token ? anybody.as(token) : anybody;
  switch (task.do) {
    case 'open': {
      const { match, seat_tokens } = await anybody.open(task.request);
      return { match, seat_tokens };
    }
    case 'join': return { seat_token: (await anybody.join(id, seat, { name: task.name })).token };
    case 'submit': {
      const { command, expected_version } = task;
      const key = crypto.randomUUID();
      return muninn.post('/v1/matches/{id}/commands', { id }, { command, ...(expected_version && { expected_version }) }, { key });
    }
    case 'view': return { view: await muninn.get('/v1/matches/{id}/view', { id, at: task.at }) };
    case 'patch': return brought(muninn, id, task);
    case 'apply': return { documents: task.patches.map(({ document, patch }) => patched(document, patch)) };
    case 'commits': return { commits: (await all(anybody, '/v1/matches/{id}/commits', { id, limit: task.limit })).items.map(({ commit }) => commit) };
    case 'feed': {
      const { items, position } = await all(anybody, '/v1/events', { limit: task.limit, type: task.type });
      return { events: items.map((entry) => [entry.position, entry.version, entry.event.type]), position };
    }
    case 'verify': {
      const { head_hash: head } = await anybody.get('/v1/matches/{id}', { id });
      return { verified: verified((await all(anybody, '/v1/matches/{id}/commits', { id, limit: task.limit, viewer: 'spectator' })).items, head) };
    }
    case 'follow': return followed(muninn, id, task);
    case 'choose': return chosen(muninn, id, task);
    case 'spots': {
      const picture = await muninn.get('/v1/matches/{id}/board.svg', { id });
      return { spots: [...new Set([...picture.matchAll(/data-spot="([^"]*)"/g)].map(([, spot]) => spot))].sort() };
    }
    default: throw new Error(`the task ${task.do} is unknown`);
  }
}

/** What a client tells of a problem. */
function told({ body }) {
  const fields = ['status', 'code', 'rule', 'current_version'].filter((name) => body[name] !== undefined);
  const problem = Object.fromEntries(fields.map((name) => [name, body[name]]));
  if (body.missed) problem.missed = body.missed.items.map((commit) => commit.last_version);
  return { problem };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { server, task } = JSON.parse(line);
  const result = await done(server, task).catch((error) => {
    if (error instanceof Problem) return told(error);
    throw error;
  });
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
