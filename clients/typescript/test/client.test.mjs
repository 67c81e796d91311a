// @muninn/client against the real server: every game to its end, a stream that is cut, refusals, retries.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Choice, Muninn, Problem, Unreachable, follow } from '@muninn/client';
import { House, folder, until } from './server.mjs';
import { Way, homewards } from './house.mjs';

let house;
let muninn;

before(async () => {
  house = await new House(await folder()).start(['--bot-pause', '0']);
  muninn = new Muninn(house.address);
});

after(() => house?.close());

const rosenkoenig = (seats) => ({ game: 'rosenkoenig', options: { light: true }, seats });
const ADA_AND_BEN = [{ name: 'Ada' }, { name: 'Ben' }];

/** Plays by clicks as a person would, and knows no game: but ships sail home. */
async function play(match) {
  for await (const { choice } of match.turns()) {
    const { version } = match.state;
    for (let clicks = 0; match.state.version === version; clicks += 1) {
      assert.ok(clicks < 12, 'a choice ends');
      const now = clicks ? match.state.choice : choice;
      const spots = [...now.spots];
      const home = spots.find((spot) => spot === 'hex:0,0');
      const pick = Math.floor(Math.random() * (spots.length + now.buttons.length));
      if (home ?? pick < spots.length) await match.click(home ?? spots[pick]);
      else await match.choose(now.buttons[pick - spots.length]);
    }
  }
  return match.state;
}

test('every game to its end, by clicks', async (context) => {
  for (const { id: game } of (await muninn.get('/v1/games', {})).items) {
    await context.test(game, async () => {
      const position = game === 'delphi' ? { position: await homewards(muninn, 2) } : {};
      const { seats } = await muninn.open({ game, seats: ADA_AND_BEN, ...position });
      const ends = await Promise.all(seats.map(play));
      for (const { status, info, connection, problem } of ends) {
        assert.deepEqual([status, connection, problem], ['finished', 'over', null]);
        assert.equal(info.standing.length, 2);
      }
      assert.equal(ends[0].version, ends[1].version);
    });
  }
});

test('the bot of docs/clients.md plays to the end', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['test/twenty.mjs'], { env: { ...process.env, MUNINN: house.address } });
  assert.equal(stderr, '');
  assert.match(stdout, /rank: 1/);
});

test('a stream that is cut goes on behind the last commit', async () => {
  const way = await new Way().start(house.address);
  const { match, seats } = await muninn.open(rosenkoenig(ADA_AND_BEN));
  const seen = [];
  const connections = [];
  const ended = new AbortController();
  const watching = (async () => {
    const client = new Muninn(way.address);
    const onConnection = (connection) => connections.push(connection);
    for await (const commit of follow(client, match, { signal: ended.signal, onConnection })) seen.push(commit.commit);
  })();
  for (let commit = 1; commit <= 9; commit += 1) {
    if (commit > 1) {
      const at = seats[(await muninn.get('/v1/matches/{id}', { id: match })).active_seat];
      const { items } = await at.client.get('/v1/matches/{id}/legal-commands', { id: match });
      await at.submit(items[0]);
    }
    // Now and then the connection breaks, and some commits happen meanwhile.
    if (commit % 3 === 0) way.cut({ open: false });
    else if (commit % 3 === 2) way.cut({ open: true });
  }
  way.cut({ open: true });
  await until(() => seen.length >= 9, 'nine commits');
  ended.abort();
  await watching;
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.ok(connections.filter((one) => one === 'live').length > 1, `${connections}`);
  assert.ok(connections.includes('lost'));
  await way.close();
});

test('a store that is cut off says so, and catches up', async () => {
  const way = await new Way().start(house.address);
  const { match, seats: [ada, ben] } = await muninn.open(rosenkoenig(ADA_AND_BEN));
  const watched = new Muninn(way.address).match(match);
  const states = [];
  const unsubscribe = watched.subscribe(() => states.push(watched.state));
  await watched.until(({ connection }) => connection === 'live');
  way.cut({ open: false });
  await watched.until(({ connection }) => connection === 'lost');
  const [first] = await Promise.all([ada, ben].map((seat) => seat.until(({ activeSeat }) => activeSeat !== null)));
  const active = [ada, ben][first.activeSeat];
  const { choice } = await active.until((state) => state.choice.all.length > 0);
  const { version } = await active.submit(choice.all[0].command);
  assert.ok(watched.state.version < version);
  way.cut({ open: true });
  const caught = await watched.until((state) => state.version === version);
  assert.equal(caught.seat, null);
  assert.equal(caught.choice.all.length, 0);
  assert.equal(caught.commit.last_version, version);
  unsubscribe();
  assert.equal(watched.state.connection, 'idle');
  const heard = states.length;
  await active.until((state) => state.version === version);
  assert.equal(states.length, heard, 'nothing is told to who left');
  await way.close();
});

test('no commit is missed after a break, nor while nobody subscribes', async () => {
  const way = await new Way().start(house.address);
  const { match, seats } = await muninn.open(rosenkoenig(ADA_AND_BEN));
  const watched = new Muninn(way.address).match(match);
  const told = [];
  const watch = () => watched.subscribe(() => {
    const { commit } = watched.state;
    if (commit && told.at(-1) !== commit.commit) told.push(commit.commit);
  });
  const act = async () => {
    const at = seats[(await muninn.get('/v1/matches/{id}', { id: match })).active_seat];
    const { items } = await at.client.get('/v1/matches/{id}/legal-commands', { id: match });
    return at.submit(items[0]);
  };
  let leave = watch();
  await watched.until(({ connection }) => connection === 'live');
  await act();
  await until(() => told.length === 1, 'the commit of now');
  way.cut({ open: false });
  await watched.until(({ connection }) => connection === 'lost');
  await act();
  await act();
  way.cut({ open: true });
  await until(() => told.length === 3, 'those of the break');
  leave();
  await act();
  const { version } = await act();
  leave = watch();
  await until(() => told.length === 5, 'those of the time without subscribers');
  assert.deepEqual(told, [2, 3, 4, 5, 6]);
  assert.equal((await watched.until((state) => state.version === version)).commit.last_version, version);
  leave();
  await way.close();
});

test('a refusal has its code and its rule, and changes nothing', async () => {
  const { seats } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red' } });
  const [ada, ben] = seats;
  const { view } = await ada.until(({ choice }) => choice.all.length > 0);
  const refused = ada.submit({ type: 'DrawCard' });
  await assert.rejects(refused, (error) => error instanceof Problem && error.code === 'illegal_command' && error.rule === 'R-45' && error.status === 422);
  assert.equal(ada.state.problem.rule, 'R-45');
  assert.match(ada.state.problem.ruleText, /five cards/);
  assert.equal(ada.state.pending, null);
  assert.deepEqual(ada.state.view, view);
  await assert.rejects(ada.preview({ type: 'DrawCard' }), { rule: 'R-45' });
  await assert.rejects(ben.submit({ type: 'DrawCard' }), { code: 'not_active_seat', status: 409 });
  await assert.rejects(muninn.as('0'.repeat(64)).match(ada.id).until(() => false), { code: 'token_invalid' });
  await assert.rejects(muninn.open(rosenkoenig([{ name: 'Ada' }])), { code: 'invalid_options' });
  await assert.rejects(new Muninn('http://127.0.0.1:9').post('/v1/seeds', {}), Unreachable);
});

test('half a command is completed, or says what stands against it', async () => {
  const { seats: [ada] } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red' } });
  const { choice: { all }, version } = await ada.until(({ choice }) => choice.all.length > 0);
  const [spot] = all[0].spots;
  const { completions } = await ada.complete({ spot });
  assert.deepEqual(completions, all.filter(({ spots }) => spots.includes(spot)).map(({ command }) => command));
  const { refused } = await ada.complete({ type: 'PlayCard' });
  assert.ok(refused.some(({ rule }) => rule === 'R-35'));
  await assert.rejects(ada.complete({ type: 'PlayCard', card: all[0].command.card, hero: true }), { code: 'illegal_command', rule: 'R-35' });
  assert.equal(ada.state.version, version);
});

// Dealt alike each time: after Ada's first command Ben has one too, and does not pass.
const DEALT = { seed: '5'.repeat(64) };

test('what was previewed is shown at once, stays if it is accepted, and is one request', async () => {
  const { match, seat_tokens } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red' }, sandbox: DEALT });
  const asked = [];
  const counted = (address, init) => {
    asked.push(`${init.method} ${address.split(match)[1]}`);
    return fetch(address, init);
  };
  const ada = new Muninn(house.address, { token: seat_tokens[0], fetch: counted }).match(match, { confirm: true });
  const { choice, view } = await ada.until((state) => state.choice.all.length > 0);
  const option = choice.all[0];
  await ada.choose(option);
  assert.deepEqual(ada.state.choice.left, [option]);
  const { outcome } = ada.state.preview;
  assert.notDeepEqual(outcome.view.board, view.board);
  assert.deepEqual(ada.state.view, view, 'nothing happened yet');
  const shown = [];
  const unsubscribe = ada.subscribe(() => shown.push([ada.state.pending, ada.state.view]));
  await ada.until(({ connection }) => connection === 'live');
  // The points come with the same commands.
  await ada.hint(true);
  asked.length = 0;
  await ada.confirm();
  const { version } = ada.state;
  await ada.until(({ commit }) => commit?.last_version === version);
  assert.deepEqual(asked, ['POST /commands?include=spots,labels'.replace(',', '%2C')]);
  assert.deepEqual(shown.find(([pending]) => pending), [option.command, outcome.view]);
  assert.deepEqual(ada.state.view, outcome.view);
  assert.equal(ada.state.choice.all.length, 0);
  unsubscribe();
});

/** A `fetch` that hands on what it gets when its `late` of then is over. */
function delayed() {
  const slow = {
    late: Promise.resolve(),
    async fetch(address, init) {
      const wait = slow.late;
      const response = await fetch(address, init);
      await wait;
      return response;
    },
  };
  return slow;
}

test('a preview that comes late does not replace that of what was chosen since', async () => {
  const { match, seat_tokens } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red' } });
  const slow = delayed();
  const ada = new Muninn(house.address, { token: seat_tokens[0], fetch: slow.fetch }).match(match, { confirm: true });
  const { choice } = await ada.until((state) => state.choice.all.length > 1);
  const [first, second] = choice.all;
  let arrive;
  slow.late = new Promise((resolve) => { arrive = resolve; });
  const asked = ada.choose(first);
  slow.late = Promise.resolve();
  ada.reset();
  await ada.choose(second);
  arrive();
  await asked;
  assert.deepEqual(ada.state.preview.command, second.command);
});

test('a browser whose query has no size sends it all the same', async () => {
  const size = Object.getOwnPropertyDescriptor(URLSearchParams.prototype, 'size');
  delete URLSearchParams.prototype.size;
  try {
    assert.match(muninn.address('/v1/matches/{id}/board.svg', { id: 'x', at: 3 }), /x\/board\.svg\?at=3$/);
  } finally {
    if (size) Object.defineProperty(URLSearchParams.prototype, 'size', size);
  }
});

test('a click beside the only legal command does not carry it out', async () => {
  const options = { start: 'red' };
  const { position } = await muninn.post('/v1/games/{game}/positions', { game: 'rosenkoenig' }, { seats: 2, options });
  position.draw_pile.push(...position.hands[0].splice(0));
  const { seats: [ada] } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options, position });
  const unsubscribe = ada.subscribe(() => {});
  const { choice, version } = await ada.until((state) => state.choice.all.length > 0);
  assert.deepEqual(choice.all.map(({ command }) => command), [{ type: 'DrawCard' }]);
  for (const spot of ['card:n1', 'cell:0,0', 'pile:none', '']) await ada.click(spot);
  assert.deepEqual([ada.state.version, ada.state.pending, ada.state.problem, ada.state.choice], [version, null, null, choice]);
  await ada.click('pile:draw');
  assert.ok(ada.state.version > version);
  unsubscribe();
});

test('a command whose answer is lost is carried out once', async () => {
  const way = await new Way().start(house.address);
  const { match, seats, seat_tokens } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red' } });
  const { version, choice } = await seats[0].until((state) => state.choice.all.length > 0);
  let lost = 0;
  const losing = async (address, init) => {
    const response = await fetch(address, init);
    if (init.method === 'POST' && (lost += 1) < 3) throw new TypeError('the answer was lost');
    return response;
  };
  const ada = new Muninn(way.address, { fetch: losing, token: seat_tokens[0] }).match(match);
  const done = await ada.submit(choice.all[0].command);
  assert.equal(lost, 3);
  const { items } = await muninn.get('/v1/matches/{id}/commits', { id: match });
  assert.deepEqual(items.map((commit) => commit.seat), [null, 0]);
  assert.ok(done.version > version);
  await way.close();
});

test('a page of a proxy is no answer of the server', async () => {
  // Like nginx while the server restarts.
  const games = (await muninn.get('/v1/games', {})).items.length;
  let pages = [];
  let [kind, text] = ['text/html', '<html>Bad Gateway</html>'];
  const proxy = createServer(async (request, response) => {
    const status = pages.shift();
    if (status) return response.writeHead(status, { 'content-type': kind }).end(text);
    const answer = await fetch(house.address + request.url, { method: request.method, headers: { 'content-type': 'application/json' }, ...(request.method === 'POST' && { body: request, duplex: 'half' }) });
    return response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') }).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const behind = new Muninn(`http://127.0.0.1:${proxy.address().port}`);
  pages = [502, 504, 503];
  assert.equal((await behind.get('/v1/games', {})).items.length, games);
  assert.deepEqual(pages, [], 'what only reads is repeated');
  pages = [502, 502];
  await assert.rejects(behind.post('/v1/seeds', {}), (error) => error instanceof Unreachable && !(error instanceof Problem));
  assert.deepEqual(pages, [502], 'what may have been done is not');
  pages = [500, 502];
  const { seats } = await behind.open(rosenkoenig(ADA_AND_BEN));
  assert.equal(seats.length, 2);
  pages = [403];
  await assert.rejects(behind.get('/v1/games', {}), (error) => error instanceof Problem && error.status === 403);
  // Of a 408 the server read nothing; a 429 is waited for.
  pages = [408, 429];
  assert.equal((await behind.get('/v1/games', {})).items.length, games);
  pages = [408, 408];
  assert.equal((await behind.open(rosenkoenig(ADA_AND_BEN))).seats.length, 2);
  pages = [408, 408];
  await assert.rejects(behind.post('/v1/seeds', {}), Unreachable);
  assert.deepEqual(pages, [408]);
  // Some say that it is a problem, and not which one.
  kind = 'application/problem+json';
  for (text of ['', '[]', '{"title": "Bad Gateway", "status": 502}', '{"code": 502}', '{"code": "internal"}']) {
    pages = [502];
    assert.equal((await behind.open(rosenkoenig(ADA_AND_BEN))).seats.length, 2, text);
    pages = [502];
    await assert.rejects(behind.post('/v1/seeds', {}), Unreachable, text);
  }
  proxy.close();
  proxy.closeAllConnections();
});

test('a problem of a later server is waited for like others', async () => {
  const told = JSON.stringify({ type: '/problems/moving', title: 'Moving', status: 503, code: 'moving', detail: 'in a moment', request_id: 'x' });
  const games = (await muninn.get('/v1/games', {})).items.length;
  let left = 2;
  const moving = async (address, init) => {
    left -= 1;
    return left < 0 ? fetch(address, init) : new Response(told, { status: 503, headers: { 'content-type': 'application/problem+json' } });
  };
  const behind = new Muninn(house.address, { fetch: moving });
  assert.equal((await behind.get('/v1/games', {})).items.length, games);
  left = 2;
  await assert.rejects(behind.post('/v1/seeds', {}), { code: 'moving', status: 503 });
  assert.equal(left, 1);
});

test('an answer that breaks off is none: what has a key is asked again, and carried out once', async (t) => {
  const told = [];
  const proxy = createServer(async (request, response) => {
    const answer = await fetch(house.address + request.url, { method: request.method, headers: request.headers, ...(request.method === 'POST' && { body: request, duplex: 'half' }) });
    const text = await answer.text();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type'), 'content-length': Buffer.byteLength(text) });
    if (told.push(text) > 1) return response.end(text);
    return response.write(text.slice(0, 10), () => response.destroy());
  }).listen(0, '127.0.0.1');
  // Also where it fails: nothing else would end it.
  t.after(() => proxy.close().closeAllConnections());
  await once(proxy, 'listening');
  const behind = new Muninn(`http://127.0.0.1:${proxy.address().port}`);
  const { match } = await behind.open(rosenkoenig(ADA_AND_BEN));
  assert.equal(told.length, 2);
  assert.deepEqual(told.map((text) => JSON.parse(text).match), [match, match]);
  told.length = 0;
  await assert.rejects(behind.post('/v1/seeds', {}), Unreachable, 'without a key it is not');
  assert.equal(told.length, 1);
});

test('waiting leaves no listeners behind, and ends with its signal', async () => {
  const ended = new AbortController();
  let lost = 0;
  const following = (async () => {
    const nowhere = new Muninn('http://127.0.0.1:9');
    for await (const commit of follow(nowhere, 'none', { signal: ended.signal, onConnection: () => { lost += 1; } })) assert.fail(commit);
  })();
  await until(() => lost >= 4, 'four attempts');
  assert.ok(getEventListeners(ended.signal, 'abort').length <= 1);
  // From now on it would wait for a second and more.
  const aborted = Date.now();
  ended.abort();
  await following;
  assert.ok(Date.now() - aborted < 500);
});

test('lines of JSON are text, and read once', async () => {
  let asked = 0;
  const lines = new Muninn('http://lines', { fetch: async () => { asked += 1; return new Response('{}\n{}\n', { headers: { 'content-type': 'application/x-ndjson' } }); } });
  assert.equal(await lines.get('/v1/events.ndjson', {}), '{}\n{}\n');
  assert.equal(asked, 1);
  const patch = new Muninn('http://patch', { fetch: async () => new Response('[]', { headers: { 'content-type': 'application/json-patch+json; charset=utf-8' } }) });
  assert.deepEqual(await patch.get('/v1/matches/{id}/view/patch', { id: 'x', since: 1 }), []);
});

test('bytes arrive as they are', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const kind of ['application/vnd.apache.parquet', 'application/x-tar']) {
    const tables = new Muninn('http://tables', { fetch: async () => new Response(bytes, { headers: { 'content-type': kind } }) });
    assert.deepEqual(new Uint8Array(await tables.get('/v1/tables.tar', {})), bytes, kind);
    assert.deepEqual(new Uint8Array(await tables.post('/v1/query.parquet', {}, { sql: 'SELECT 1' })), bytes, kind);
  }
});

test('the fields of an object are parameters of the query', async () => {
  const options = { 'option.light': 'true', 'option.start': 'red' };
  const address = muninn.address('/v1/stats/{game}', { game: 'rosenkoenig', options, limit: 3, bot: undefined, seats: null });
  assert.ok(address.endsWith('/v1/stats/rosenkoenig?option.light=true&option.start=red&limit=3'), address);
  const list = muninn.address('/v1/matches/{id}/legal-commands', { id: 'x', include: ['spots', 'labels'] });
  assert.ok(list.endsWith('/x/legal-commands?include=spots%2Clabels'), list);
  const day = muninn.address('/v1/stats/{game}', { game: 'rosenkoenig', from: new Date(0) });
  assert.ok(day.includes('?from='), day);
  const { finished } = await muninn.get('/v1/stats/{game}', { game: 'rosenkoenig', options });
  assert.equal(finished.asked['option.light'], 'true');
});

test('who left is told no more, whatever came at once', async () => {
  const chunk = [1, 2, 3].map((version) => `data: {"last_version":${version}}\n\n`).join('');
  const ended = new AbortController();
  const seen = [];
  for await (const { last_version } of follow(new Muninn('http://stream', { fetch: async () => new Response(chunk) }), 'x', { signal: ended.signal })) {
    seen.push(last_version);
    ended.abort();
  }
  assert.deepEqual(seen, [1]);
  // The same in a store, which reads its match first.
  const answer = { viewer: 'spectator', status: 'running', version: 0, active_seat: null };
  const asking = async (address) => (address.includes('/stream') ? new Response(chunk) : Response.json(answer));
  const match = new Muninn('http://store', { fetch: asking }).match('x');
  const leave = match.subscribe(() => { if (match.state.commit) queueMicrotask(leave); });
  await until(() => match.state.connection === 'idle' && match.state.commit, 'the first commit');
  await new Promise((resolve) => { setTimeout(resolve, 100); });
  assert.equal(match.state.commit.last_version, 1);
});

test('an open seat is taken once, and the match begins', async () => {
  const { match, seats } = await muninn.open(rosenkoenig([{ name: 'Ada' }, { open: true }]));
  assert.equal(seats[1], null);
  const states = [];
  const unsubscribe = seats[0].subscribe(() => states.push(seats[0].state.status));
  await seats[0].until(({ connection }) => connection === 'live');
  const joined = await muninn.join(match, 1, { name: 'Grace' });
  assert.match(joined.token, /^[0-9a-f]{64}$/);
  await assert.rejects(muninn.join(match, 1), { code: 'seat_taken' });
  await seats[0].until(({ status }) => status === 'running');
  assert.equal(seats[0].state.info.seats[1].name, 'Grace');
  assert.equal((await joined.match.until(({ seat }) => seat !== null)).seat, 1);
  assert.ok(states.includes('open'));
  unsubscribe();
});

test('a command is taken back', async () => {
  const { seats: [ada, ben] } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red', light: true }, sandbox: DEALT });
  const unsubscribe = ada.subscribe(() => {});
  const { view, choice } = await ada.until((state) => state.choice.all.length > 0);
  await ada.submit(choice.all[0].command);
  assert.equal(ada.state.activeSeat, 1);
  await ada.takeBack();
  assert.equal(ada.state.activeSeat, 0);
  assert.deepEqual(ada.state.view.board, view.board);
  assert.equal(ada.state.choice.all.length, choice.all.length);
  await assert.rejects(ben.takeBack(), (error) => /^M-8/.test(error.rule));
  unsubscribe();
});

test('a choice that is begun just after taking back stays: the match is read once', async () => {
  const { match, seat_tokens } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red', light: true }, sandbox: DEALT });
  let views = 0;
  const counted = (address, init) => {
    views += /\/view\?/.test(address);
    return fetch(address, init);
  };
  const ada = new Muninn(house.address, { token: seat_tokens[0], fetch: counted }).match(match);
  const unsubscribe = ada.subscribe(() => {});
  const { choice } = await ada.until((state) => state.choice.all.length > 0 && state.connection === 'live');
  await ada.submit(choice.all[0].command);
  await ada.until(({ commit, version }) => commit?.last_version === version);
  views = 0;
  await ada.takeBack();
  const begun = ada.state.choice.click([...ada.state.choice.spots][0]);
  assert.ok(begun.narrowed);
  ada.narrow(begun);
  await ada.until(({ commit, version }) => commit?.last_version === version);
  // Long enough for another reading.
  await new Promise((resolve) => { setTimeout(resolve, 500); });
  assert.equal(views, 1);
  assert.equal(ada.state.choice, begun);
  unsubscribe();
});

test('a choice is narrowed by what tells commands apart', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((type) => ({ type }));
  const choice = Choice.of({ items: [a, b, c, d], spots: [['x', 'y'], ['x', 'z'], ['w'], []], labels: ['A', 'B', 'C', 'D'] });
  assert.deepEqual([[...choice.spots], choice.buttons.map(({ label }) => label)], [['x', 'y', 'z', 'w'], ['D']]);
  const clicked = choice.click('x');
  assert.deepEqual([[...clicked.spots], clicked.left.length, clicked.narrowed], [['y', 'z'], 2, true]);
  assert.deepEqual([[...choice.chosen], [...clicked.chosen]], [[], ['x']]);
  assert.equal(clicked.click('x'), clicked, 'what both name changes nothing');
  assert.deepEqual(clicked.click('z').left.map(({ command }) => command), [b]);
  assert.deepEqual(clicked.reset().left.length, 4);
  assert.equal(choice.reset(), choice);
});

test('a choice is narrowed by fields too, and its steps are taken back', () => {
  const items = [['PlayCard', 'n1'], ['PlayCard', 'n2'], ['DrawCard']].map(([type, card]) => ({ type, ...(card && { card }) }));
  const choice = Choice.of({ items, spots: [['card:n1', 'cell:1'], ['card:n2', 'cell:1'], ['pile']], points: [3, 0, 0] });
  assert.deepEqual(choice.all.map(({ points }) => points), [3, 0, 0]);
  const plays = choice.with({ field: 'type', value: 'PlayCard' });
  assert.deepEqual([plays.left.length, plays.narrowed, [...plays.spots]], [2, true, ['card:n1', 'card:n2']]);
  const one = plays.click('card:n2');
  assert.deepEqual(one.left.map(({ command }) => command.card), ['n2']);
  assert.deepEqual(one.steps, [{ field: 'type', value: 'PlayCard' }, { spot: 'card:n2' }]);
  assert.deepEqual(one.without(1).left, plays.left);
  assert.deepEqual(one.without(0).left, one.left);
  assert.deepEqual(choice.with({ command: items[2] }).left, [choice.all[2]]);
});

test('a choice is put in the place of another, and nothing is carried out', async () => {
  const { seats: [ada] } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red' } });
  const unsubscribe = ada.subscribe(() => {});
  const { choice, version } = await ada.until((state) => state.choice.all.length > 0);
  ada.narrow(choice.with({ command: choice.all[0].command }));
  assert.equal(ada.state.choice.left.length, 1);
  await ada.hint(true);
  assert.ok(ada.state.choice.all.every(({ points }) => Number.isInteger(points)));
  assert.equal(ada.state.choice.left.length, 1, 'what was chosen stays');
  await ada.confirm();
  assert.ok(ada.state.version > version);
  unsubscribe();
});

test('points are told at every decision, where they are asked for', async () => {
  const { match, seat_tokens } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red', light: true }, sandbox: DEALT });
  const [ada, ben] = seat_tokens.map((token) => muninn.as(token).match(match, { points: true }));
  for (const seat of [ada, ben, ada]) {
    const { choice } = await seat.until((state) => state.choice.all.length > 0);
    assert.ok(choice.all.every(({ points }) => Number.isInteger(points)));
    await seat.submit(choice.all[0].command);
  }
});

test('the rule against a spot is told', async () => {
  // With five cards no sixth is drawn.
  const { seats: [red] } = await muninn.open({ game: 'rosenkoenig', options: { start: 'red' }, seats: ADA_AND_BEN });
  const leave = red.subscribe(() => {});
  const { choice } = await red.until((state) => state.choice.all.length > 0);
  assert.equal(await red.why(choice.all[0].spots[0]), null, 'nothing stands against what is legal');
  assert.equal(await red.why('nothing:here'), null, 'no rule speaks of what does not exist');
  const against = await red.why('pile:draw');
  assert.equal(against.rule, 'R-45');
  assert.match(against.reason, /five cards|5 cards/);
  leave();
});

test('an address is for images, which send no token', async () => {
  const { match } = await muninn.open(rosenkoenig(ADA_AND_BEN));
  const address = muninn.address('/v1/matches/{id}/board.svg', { id: match, at: 1, shape: null });
  assert.equal(address, `${house.address}/v1/matches/${match}/board.svg?at=1`);
  assert.equal((await fetch(address)).headers.get('content-type').split(';')[0], 'image/svg+xml');
});

const closed = (match, owner) => fetch(`${house.address}/v1/matches/${match}/close`, { method: 'POST', headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' }, body: '{}' });

test('a link that is slower than the match reads only the latest, and tells every commit', async () => {
  const { match, seat_tokens } = await muninn.open(rosenkoenig(ADA_AND_BEN));
  let views = 0;
  const slow = async (address, init) => {
    if (address.includes('/view')) {
      views += 1;
      await new Promise((resolve) => { setTimeout(resolve, 400); });
    }
    return fetch(address, init);
  };
  const watched = new Muninn(house.address, { fetch: slow }).match(match);
  const told = [];
  const leave = watched.subscribe(() => {
    const { commit } = watched.state;
    if (commit && told.at(-1) !== commit.commit) told.push(commit.commit);
  });
  await watched.until(({ connection }) => connection === 'live');
  views = 0;
  await house.play(match, seat_tokens, 8);
  const { version, commit } = await house.api(`/v1/matches/${match}`);
  const state = await watched.until((one) => one.version === version);
  assert.deepEqual([told.length, told.at(-1), state.commit.commit, state.view.active_seat], [commit - 1, commit, commit, state.activeSeat]);
  assert.ok(views < 6, `${views} readings`);
  leave();
});

test('a reading that fails is made up for', { timeout: 20_000 }, async () => {
  const { match, seat_tokens } = await muninn.open(rosenkoenig(ADA_AND_BEN));
  let failing = 0;
  const breaking = (address, init) => {
    if (!address.includes('/view') || !failing) return fetch(address, init);
    failing -= 1;
    return Promise.reject(new TypeError('nothing came'));
  };
  const watched = new Muninn(house.address, { fetch: breaking }).match(match);
  const connections = [];
  const leave = watched.subscribe(() => connections.push(watched.state.connection));
  await watched.until(({ connection }) => connection === 'live');
  // As often as a request is tried.
  failing = 5;
  await house.play(match, seat_tokens, 1);
  const { version } = await house.api(`/v1/matches/${match}`);
  await watched.until((state) => state.version === version && state.connection === 'live' && state.commit?.last_version === version);
  assert.ok(connections.includes('lost'), `${connections}`);
  leave();
});

test('a reading that does not end is given up, and made up for', { timeout: 20_000 }, async (t) => {
  const limit = AbortSignal.timeout.bind(AbortSignal);
  t.mock.method(AbortSignal, 'timeout', (ms) => limit(ms / 50));
  const { match, seat_tokens } = await muninn.open(rosenkoenig(ADA_AND_BEN));
  // The ends of the addresses that get no answer, each once.
  const hanging = [];
  const stuck = (address, init) => {
    if (!hanging.length || !new URL(address).pathname.endsWith(hanging[0])) return fetch(address, init);
    hanging.shift();
    return new Promise((_, reject) => { init.signal?.addEventListener('abort', () => reject(init.signal.reason)); });
  };
  const watched = new Muninn(house.address, { fetch: stuck }).match(match);
  const connections = [];
  const leave = watched.subscribe(() => connections.push(watched.state.connection));
  await watched.until(({ connection }) => connection === 'live');
  // The view, and then what is read first to make up for it.
  hanging.push('/view', `/v1/matches/${match}`);
  await house.play(match, seat_tokens, 1);
  const { version } = await house.api(`/v1/matches/${match}`);
  await watched.until((state) => state.version === version && state.connection === 'live' && state.commit?.last_version === version);
  assert.deepEqual([hanging, connections.includes('lost')], [[], true], `${connections}`);
  leave();
});

test('what was done before somebody subscribes leaves a choice', { timeout: 20_000 }, async () => {
  // Who draws cards in Copenhagen draws two: after the first it is still one's turn.
  const { match, seat_tokens } = await muninn.open({ game: 'copenhagen', seats: ADA_AND_BEN });
  const { active_seat } = await house.api(`/v1/matches/${match}`);
  const { items } = await house.api(`/v1/matches/${match}/legal-commands`, { token: seat_tokens[active_seat] });
  const first = muninn.as(seat_tokens[active_seat]).match(match);
  const done = await first.submit(items[0]);
  assert.deepEqual([done.active_seat, first.state.version, first.state.seat], [active_seat, done.version, active_seat]);
  assert.ok(first.state.choice.all.length > 0);
  for await (const { choice } of first.turns()) {
    assert.ok(choice.all.length > 0);
    break;
  }
  const taking = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red', light: true }, sandbox: DEALT });
  await house.play(taking.match, taking.seat_tokens, 1);
  const [ada] = taking.seats;
  await ada.takeBack();
  assert.ok((await ada.until(({ connection }) => connection === 'live')).choice.all.length > 0);
});

test('what was done after the open seat was taken leaves a choice, though nobody told of it', { timeout: 20_000 }, async () => {
  const { match, seats: [ada] } = await muninn.open({ game: 'copenhagen', seats: [{ name: 'Ada' }, { open: true }] });
  const { status } = await ada.until(({ connection }) => connection === 'live');
  assert.deepEqual([status, ada.state.connection], ['open', 'idle']);
  await muninn.join(match, 1, { name: 'Ben' });
  // The first of two cards, by seat 0, which begins.
  const { items } = await ada.client.get('/v1/matches/{id}/legal-commands', { id: match });
  const done = await ada.submit(items[0]);
  assert.deepEqual([done.active_seat, ada.state.version, ada.state.status], [0, done.version, 'running']);
  assert.ok(ada.state.choice.all.length > 0);
  for await (const { choice } of ada.turns()) {
    assert.ok(choice.all.length > 0);
    break;
  }
});

test('a turn comes again after a refusal', { timeout: 20_000 }, async () => {
  const { seats: [ada] } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red' } });
  const given = [];
  for await (const { version } of ada.turns()) {
    given.push(version);
    if (given.length === 3) break;
    await assert.rejects(ada.submit({ type: 'DrawCard' }), { rule: 'R-45' });
  }
  assert.equal(new Set(given).size, 1);
});

test('nothing is waited for after the end, and a closed match is nobody’s turn', { timeout: 20_000 }, async () => {
  const { match, seats: [ada, ben], owner_token } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red' } });
  const leave = ada.subscribe(() => {});
  await ada.until(({ choice }) => choice.all.length > 0);
  // A refusal of before is not why the waiting ends.
  await assert.rejects(ada.submit({ type: 'DrawCard' }), { rule: 'R-45' });
  const waiting = ada.until(({ status }) => status === 'finished');
  await closed(match, owner_token);
  await assert.rejects(waiting, /over/);
  const { status, connection, activeSeat, choice, info } = ada.state;
  assert.deepEqual([status, connection, activeSeat, choice.all.length, info.active_seat], ['abandoned', 'over', null, 0, null]);
  await assert.rejects(ada.until(() => false), /over/);
  for await (const turn of ben.turns()) assert.fail(turn);
  assert.equal(ben.state.activeSeat, null);
  leave();
});

test('a condition that throws ends the waiting, and nothing else', { timeout: 20_000 }, async () => {
  const { match } = await muninn.open(rosenkoenig(ADA_AND_BEN));
  const watched = muninn.match(match);
  // Before the match was read there is no `info`.
  await assert.rejects(watched.until(({ info }) => info.status === 'running'), TypeError);
  assert.equal(watched.state.connection, 'idle');
  assert.equal((await watched.until(({ connection }) => connection === 'live')).status, 'running');
});

test('of two wishes for hints the later one holds, whichever is answered first', async () => {
  const { match, seat_tokens } = await muninn.open({ ...rosenkoenig(ADA_AND_BEN), options: { start: 'red' } });
  const slow = delayed();
  const ada = new Muninn(house.address, { token: seat_tokens[0], fetch: slow.fetch }).match(match);
  await ada.until(({ choice }) => choice.all.length > 0);
  let arrive;
  slow.late = new Promise((resolve) => { arrive = resolve; });
  const without = ada.hint(false);
  slow.late = Promise.resolve();
  await ada.hint(true);
  arrive();
  await without;
  assert.ok(ada.state.choice.all.every(({ points }) => Number.isInteger(points)));
});

test('a request that is aborted throws the reason', async (t) => {
  // The second one begins a refusal, and does not end it.
  const begun = (_, response) => response.writeHead(404, { 'content-type': 'application/problem+json' }).write('{"code":');
  for (const answer of [() => {}, begun]) {
    const silent = createServer(answer).listen(0, '127.0.0.1');
    t.after(() => silent.close().closeAllConnections());
    await once(silent, 'listening');
    const nobody = new Muninn(`http://127.0.0.1:${silent.address().port}`);
    const ask = [(options) => nobody.get('/v1/games', {}, options), (options) => nobody.post('/v1/seeds', {}, undefined, options), (options) => nobody.post('/v1/seeds', {}, undefined, { ...options, key: 'x' })];
    for (const asked of ask) {
      await assert.rejects(asked({ signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
      const ended = new AbortController();
      setTimeout(() => ended.abort(new RangeError('enough')), 50);
      await assert.rejects(asked({ signal: ended.signal }), RangeError);
      await assert.rejects(asked({ signal: AbortSignal.abort() }), { name: 'AbortError' });
    }
  }
});
