// Runs a client through the cases of this kit. The runner is the server: it gives the recorded answers, and notes what the client does.
//
//     node runner.mjs [--case NAME]... [--jobs N] -- COMMAND [ARGUMENT]...
//
// Exits with 0 if the client follows the contract, with 1 if not, with 2 for wrong usage. README.md says what a client does.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** @typedef {any} Json whatever JSON has */
/** @typedef {{[name: string]: Json}} Fields */
/**
 * @typedef {object} Expected
 * @property {string} method
 * @property {string[]} paths
 * @property {{[name: string]: string}} query
 * @property {{[name: string]: string}} may parameters that may be there too; `*` is any value
 * @property {string | null} token null is none; `any` none, or one of the task
 * @property {number} [key] the fewest characters of its idempotency key
 * @property {number} [resume] the version from which a stream goes on
 * @property {Fields} [body]
 * @property {Fields} [body_may]
 */
/** @typedef {{status: number, headers: {[name: string]: string}, json?: Json, file?: string, stream?: string[], cut?: boolean, lost?: boolean}} Answer */
/** @typedef {{request: Expected, answers: Answer[], least: number, most?: number | null}} Exchange */
/** @typedef {{name: string, title: string, task: Fields, exchanges: Exchange[], result: Json}} Case */
/** @typedef {import('node:http').IncomingMessage} Incoming */
/** @typedef {import('node:http').ServerResponse} Outgoing */

const FORM = 1;
const SECONDS = 30;
const GRACE_SECONDS = 2;
const PIECE = 61;
const SHOWN = 160;

/**
 * By idempotency key: the case, and what came of the request in it, that had it first.
 * @type {Map<string, {name: string, came: object}>}
 */
const keys = new Map();

const folder = new URL('.', import.meta.url);

/** @param {string} name */
const read = (name) => readFileSync(new URL(name, folder), 'utf8');

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/**
 * A value, not too long.
 * @param {unknown} value
 */
function shown(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}

/**
 * Where what is there differs from what is expected; what else is there does not matter in the outermost object.
 * @param {Json} expected
 * @param {any} got
 * @param {string} place
 * @param {boolean} [more]
 * @returns {string | null}
 */
function difference(expected, got, place, more = false) {
  const told = `${place}: expected ${shown(expected)}, got ${shown(got)}`;
  if (expected === null || typeof expected !== 'object') return expected === got ? null : told;
  if (got === null || typeof got !== 'object' || Array.isArray(expected) !== Array.isArray(got)) return told;
  if (Array.isArray(expected) && expected.length !== got.length) return `${place}: expected ${expected.length} items, got ${got.length}: ${shown(got)}`;
  for (const [name, value] of Object.entries(expected)) {
    const found = difference(value, got[name], Array.isArray(expected) ? `${place}[${name}]` : `${place}.${name}`);
    if (found) return found;
  }
  const other = more ? undefined : Object.keys(got).find((name) => !(name in expected));
  return other === undefined ? null : `${place}.${other}: expected nothing, got ${shown(got[other])}`;
}

/** @param {Expected} request */
function described({ method, paths, query, resume }) {
  const parameters = new URLSearchParams(query).toString();
  return `${method} ${paths[0]}${parameters && `?${parameters}`}${resume === undefined ? '' : ` after version ${resume}`}`;
}

/**
 * Whether this is the request that is expected, whatever its headers and its body.
 * @param {Expected} expected
 * @param {Incoming} request
 * @param {URL} url
 */
function matches(expected, request, url) {
  const left = new Map(url.searchParams);
  if (expected.method !== request.method || !expected.paths.includes(url.pathname)) return false;
  if (expected.resume !== undefined) {
    const after = request.headers['last-event-id'] ?? left.get('after') ?? '0';
    left.delete('after');
    if (Number(after) !== expected.resume) return false;
  }
  for (const [name, value] of Object.entries(expected.query)) {
    if (left.get(name) !== value) return false;
    left.delete(name);
  }
  return [...left].every(([name, value]) => ['*', value].includes(expected.may[name] ?? ''));
}

/** A case that is run: what came, and what was wrong with it. */
class Run {
  /** @type {string[]} */
  mistakes = [];
  /** @type {Map<Exchange, {count: number, key?: string}>} */
  #came = new Map();
  #wait = { since: 0, seconds: 0 };

  /**
   * @param {Case} told
   * @param {() => void} over is called when the client can no longer pass
   */
  constructor(told, over) {
    this.case = told;
    this.over = over;
  }

  /** @param {string} text */
  wrong(text) {
    if (!this.mistakes.includes(text)) this.mistakes.push(text);
  }

  /**
   * @param {Incoming} request
   * @param {Outgoing} response
   */
  async answer(request, response) {
    let body = '';
    request.setEncoding('utf8');
    for await (const piece of request) body += piece;
    const url = new URL(request.url ?? '/', 'http://runner');
    const what = `${request.method} ${url.pathname}${url.search}`;
    const refuse = (/** @type {string} */ mistake) => {
      this.wrong(mistake);
      this.over();
      response.writeHead(501, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ type: 'about:blank', title: 'Not in the kit', status: 501, code: 'not_in_the_kit', detail: mistake, request_id: '' }));
    };
    const { since, seconds } = this.#wait;
    const passed = (Date.now() - since) / 1000;
    if (passed < seconds - 0.05) this.wrong(`${what}: expected a wait of ${seconds} s (Retry-After), it came after ${passed.toFixed(2)} s`);
    this.#wait.seconds = 0;
    const exchange = this.case.exchanges.find((one) => matches(one.request, request, url));
    if (!exchange) {
      const resumed = request.headers['last-event-id'];
      const known = this.case.exchanges.map((one) => described(one.request)).join('; ') || 'no request';
      refuse(`${what}${resumed ? ` after version ${resumed}` : ''}: not expected; expected is ${known}`);
      return;
    }
    const came = this.#came.get(exchange) ?? { count: 0 };
    this.#came.set(exchange, came);
    came.count += 1;
    this.#check(what, exchange.request, request, url, body, came);
    if (exchange.most && came.count > exchange.most) {
      refuse(`${what}: expected ${exchange.most} times at most, it came once more`);
      return;
    }
    const answer = exchange.answers[Math.min(came.count, exchange.answers.length) - 1];
    if (answer) await this.#send(answer, request, response);
  }

  /**
   * Parameters, headers and body of a request.
   * @param {string} what
   * @param {Expected} expected
   * @param {Incoming} request
   * @param {URL} url
   * @param {string} text
   * @param {{key?: string}} came
   */
  #check(what, { token, key, body, body_may: may = {} }, { headers }, url, text, came) {
    const names = [...url.searchParams.keys()].sort();
    for (const name of new Set(names)) {
      const times = names.filter((one) => one === name).length;
      if (times > 1) this.wrong(`${what}: expected one parameter ${name}, got ${times}`);
    }
    const sent = headers.authorization;
    const tokens = /** @type {Json[]} */ (this.case.task.tokens ?? []);
    if (token === null && sent !== undefined) this.wrong(`${what}: expected no token, got Authorization: ${shown(sent)}`);
    if (token === 'any' && sent !== undefined && !tokens.some((one) => sent === `Bearer ${one}`)) this.wrong(`${what}: expected a token of the task, got ${shown(sent)}`);
    if (token !== null && token !== 'any' && sent !== `Bearer ${token}`) this.wrong(`${what}: expected Authorization: "Bearer ${token}", got ${shown(sent)}`);
    if (key !== undefined) {
      const got = headers['idempotency-key'];
      if (typeof got !== 'string' || got.length < key || got.length > 255) this.wrong(`${what}: expected an Idempotency-Key of ${key} to 255 characters, got ${shown(got)}`);
      else if (came.key !== undefined && came.key !== got) this.wrong(`${what}: expected the Idempotency-Key of the first attempt, ${shown(came.key)}, got ${shown(got)}`);
      else came.key = got;
    }
    const own = headers['idempotency-key'];
    if (typeof own === 'string') {
      const owner = keys.get(own) ?? { name: this.case.name, came };
      keys.set(own, owner);
      if (owner.came !== came) this.wrong(`${what}: expected an Idempotency-Key of its own, got ${shown(own)}, which ${owner.name} had`);
    }
    if (body === undefined) return;
    const coding = headers['content-encoding'] ?? 'identity';
    if (coding.toLowerCase() !== 'identity') this.wrong(`${what}: expected no Content-Encoding, got ${shown(coding)}`);
    if (!headers['content-type']?.startsWith('application/json')) this.wrong(`${what}: expected Content-Type: application/json, got ${shown(headers['content-type'])}`);
    try {
      const got = JSON.parse(text);
      for (const [name, value] of Object.entries(may)) if (!(name in body) && (got[name] === value || got[name] === null)) delete got[name];
      const found = difference(body, got, 'body');
      if (found) this.wrong(`${what}: ${found}`);
    } catch {
      this.wrong(`${what}: expected JSON, got ${shown(text)}`);
    }
  }

  /**
   * @param {Answer} answer
   * @param {Incoming} request
   * @param {Outgoing} response
   */
  async #send(answer, request, response) {
    if (answer.lost) {
      request.socket.destroy();
      return;
    }
    this.#wait = { since: Date.now(), seconds: Number(answer.headers['retry-after'] ?? 0) };
    response.writeHead(answer.status, answer.headers);
    if (!answer.stream) {
      response.end(answer.file ? read(answer.file) : answer.json === undefined ? '' : JSON.stringify(answer.json));
      return;
    }
    // In small pieces: a client puts lines together, and characters too.
    const bytes = Buffer.from(answer.stream.join(''));
    for (let at = 0; at < bytes.length; at += PIECE) {
      response.write(bytes.subarray(at, at + PIECE));
      if (at % (PIECE * 16) === 0) await sleep(1);
    }
    await sleep(100);
    if (answer.cut) response.destroy();
    else response.end();
  }

  /**
   * What the client said in the end, and which requests are missing.
   * @param {string} text
   */
  finish(text) {
    const line = text.trim().split('\n').at(-1) ?? '';
    try {
      const found = difference(this.case.result, JSON.parse(line), 'result', true);
      if (found) this.wrong(found);
    } catch {
      this.wrong(`expected a line of JSON on standard output, got ${shown(line)}`);
    }
    for (const exchange of this.case.exchanges) {
      const { count } = this.#came.get(exchange) ?? { count: 0 };
      if (count < exchange.least) this.wrong(`${described(exchange.request)}: expected ${exchange.least} times, it came ${count} times`);
    }
  }
}

/**
 * Runs one case; returns what was wrong.
 * @param {Case} told
 * @param {string[]} command
 */
async function run(told, [program = '', ...parameters]) {
  const running = new Run(told, () => setTimeout(() => client.kill('SIGKILL'), GRACE_SECONDS * 1000).unref());
  const server = createServer((request, response) => {
    running.answer(request, response).catch((error) => running.wrong(`a request broke off: ${error.message}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const client = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'pipe'] });
  let out = '';
  let complaint = '';
  client.stdout.setEncoding('utf8').on('data', (text) => { out += text; });
  client.stderr.setEncoding('utf8').on('data', (text) => { complaint += text; });
  // A client that does not read its task tells so by its result.
  client.stdin.on('error', () => {});
  client.stdin.end(`${JSON.stringify({ case: told.name, server: `http://127.0.0.1:${port}`, task: told.task })}\n`);
  const timer = setTimeout(() => {
    running.wrong(`expected a result within ${SECONDS} s`);
    client.kill('SIGKILL');
  }, SECONDS * 1000);
  /** @type {number | null} */
  const code = await new Promise((resolve) => {
    client.on('error', (error) => { running.wrong(`${program}: ${error.message}`); resolve(1); });
    client.on('close', resolve);
  });
  clearTimeout(timer);
  server.closeAllConnections();
  server.close();
  running.finish(out);
  const last = complaint.trim().split('\n').at(-1);
  if (running.mistakes.length && code !== 0) running.wrong(`the client ended with ${code ?? 'a signal'}${last ? `: ${last}` : ''}`);
  return running.mistakes;
}

/** @param {string} message */
function usage(message) {
  process.stderr.write(`${message}\nusage: node runner.mjs [--case NAME]... [--jobs N] -- COMMAND [ARGUMENT]...\n`);
  process.exit(2);
}

const kit = JSON.parse(read('kit.json'));
const place = process.argv.indexOf('--');
const command = place < 0 ? [] : process.argv.slice(place + 1);
const options = process.argv.slice(2, place < 0 ? undefined : place);
/** @type {string[]} */
const wanted = [];
let jobs = 4;
for (let at = 0; at < options.length; at += 2) {
  if (options[at] === '--case') wanted.push(options[at + 1] ?? '');
  else if (options[at] === '--jobs' && /^[1-9]\d*$/.test(options[at + 1] ?? '')) jobs = Number(options[at + 1]);
  else usage(`${options[at]}: unknown, or without its value`);
}
if (!command.length) usage('no command of a client');
if (kit.form !== FORM) usage(`kit.json has the form ${kit.form}; this runner knows ${FORM}`);
for (const [name, sum] of Object.entries(kit.files)) {
  if (createHash('sha256').update(read(name)).digest('hex') !== sum) usage(`${name} is not the file that kit.json names`);
}
/** @type {{name: string, title: string, file: string}[]} */
const all = kit.cases;
const unknown = wanted.find((name) => !all.some((one) => one.name === name));
if (unknown !== undefined) usage(`--case ${unknown}: there is no such case`);
const chosen = all.filter(({ name }) => !wanted.length || wanted.includes(name));
const waiting = [...chosen];
let failed = 0;
await Promise.all(Array.from({ length: jobs }, async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const mistakes = await run(JSON.parse(read(next.file)), command);
    if (mistakes.length) failed += 1;
    process.stdout.write(`${mistakes.length ? 'FAIL' : 'ok  '} ${next.name}: ${next.title}\n${mistakes.map((mistake) => `       ${mistake}\n`).join('')}`);
  }
}));
process.stdout.write(`${chosen.length - failed} of ${chosen.length} cases\n`);
process.exitCode = failed ? 1 : 0;
