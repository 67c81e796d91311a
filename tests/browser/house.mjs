// What the tests stand on: the real program on a free port, a real browser, and people who click.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = process.env.MUNINN_PROGRAM ?? path.join(root, 'target/debug/muninn');
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** The folder with the page's files that are to be tried, so that nothing has to be built; otherwise those of the program. Those of @muninn/client are in the same tree. */
const assets = process.env.MUNINN_ASSETS;
const source = (name) => (name.startsWith('client/') ? path.join(assets, '../../../clients/typescript/client/src', name.slice('client/'.length)) : path.join(assets, name));
const args = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync',
];

/** Where the tests' folders are; each is removed when its server is closed. */
export async function folder() {
  return mkdtemp(path.join(os.tmpdir(), 'muninn-browser-'));
}

function run(parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`muninn ${parameters.join(' ')} ended with ${code}`))));
  });
}

/** Fills a store with finished matches. */
export const simulate = (data, game, { seats, matches = 1, seed = 1, bots } = {}) =>
  run(['simulate', '--game', game, '--matches', String(matches), '--seed', String(seed), '--keep', data, ...(seats ? ['--seats', String(seats)] : []), ...(bots ? ['--bot', bots] : [])]);

export const GAMES = ['rosenkoenig', 'voluspa', 'copenhagen', 'delphi'];

/** `muninn serve` as a process. */
export class House {
  constructor(data) {
    this.data = data;
    this.listen = '127.0.0.1:0';
  }

  async start(more = []) {
    const child = spawn(program, ['serve', '--listen', this.listen, '--data', this.data, '--log', 'warn', '--heartbeat', '1', ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.child = child;
    for await (const line of createInterface({ input: child.stdout })) {
      this.address = line.replace('listening on ', '');
      break;
    }
    // The same port again, should it be stopped and started.
    this.listen = this.address.replace('http://', '');
    return this;
  }

  async stop(signal = 'SIGTERM') {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    await ended;
  }

  async close() {
    await this.stop('SIGKILL');
    await rm(this.data, { recursive: true, force: true });
  }

  async api(address, { method = 'GET', token, body } = {}) {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) };
    const ask = () => fetch(this.address + address, { method, headers, body: body && JSON.stringify(body) });
    // Node may take an idle connection in the moment that the server closes it.
    const response = await ask().catch(() => ask());
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Opens a match; `{match, seat_tokens, owner_token}`. */
  open(body) {
    return this.api('/v1/matches', { method: 'POST', body });
  }

  /** Some legal commands over the API, for tests that watch: each the first that `choose` takes. */
  async play(match, tokens, count, choose = (items) => items[0]) {
    for (let done = 0; done < count; done += 1) {
      const info = await this.api(`/v1/matches/${match}`);
      if (info.status !== 'running') return done;
      const token = tokens[info.active_seat];
      const { items } = await this.api(`/v1/matches/${match}/legal-commands`, { token });
      await this.api(`/v1/matches/${match}/commands`, { method: 'POST', token, body: { command: choose(items) } });
    }
    return count;
  }

  /** The newest finished match of a game. */
  async finished(game) {
    const page = await this.api(`/v1/matches?game=${game}&status=finished&limit=1`);
    return this.api(`/v1/matches/${page.items[0].match}`);
  }
}

export const launch = () => chromium.launch({ executablePath, args });

/** A page in a context of its own. `complaints` are console errors, page errors and violations of the policy. */
export async function visit(browser, address, options = {}) {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.addresses = [];
  page.on('console', (message) => message.type() === 'error' && page.complaints.push(`${message.text()} ${message.location().url}`));
  page.on('pageerror', (error) => page.complaints.push(error.stack));
  page.on('request', (request) => page.addresses.push(request.url()));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  // What the program makes of several files comes from there.
  const made = (name) => ['words.json', 'example.html', 'example.js'].includes(name) || name.startsWith('docs/');
  if (assets) {
    await page.route('**/pages/**', (route) => {
      const name = new URL(route.request().url()).pathname.slice('/pages/'.length);
      return made(name) ? route.continue() : route.fulfill({ path: source(name) });
    });
  }
  await page.goto(address);
  return page;
}

/** Closes a page, and throws if it complained about anything else than `allowed`. */
export async function leave(page, allowed = /^$/) {
  const found = page.complaints.filter((complaint) => !allowed.test(complaint));
  await page.context().close();
  if (found.length) throw new Error(`the page complained:\n${found.join('\n')}`);
}

/** The version that the page shows. */
export const shown = async (page) => Number((await page.locator('muninn-controls output').innerText()).split('/')[0]);

/** Waits until something holds. */
export async function until(condition, what, patience = 15_000) {
  const end = Date.now() + patience;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A small generator, so that a failed run can be had again. */
export function dice(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Does one command on the page of the seat that is to act, as a person would: clicks places of the picture or entries of the list until
 * the command is done.
 */
export async function act(page, roll, prefer = 'board') {
  const list = page.locator('muninn-commands');
  const places = page.locator('muninn-picture .choosable:not(.chosen)');
  for (let click = 0; click < 12; click += 1) {
    const commands = list.locator('button[data-command]');
    const values = list.locator('button[data-value]');
    const [few, fields, spots] = [await commands.count(), await values.count(), prefer === 'board' ? await places.count() : 0];
    if (few === 1 || (few && (!spots || roll(3) === 0))) {
      await commands.nth(roll(few)).click();
      return;
    }
    if (spots) await places.nth(roll(spots)).click();
    else if (fields) await values.nth(roll(fields)).click();
    else throw new Error('there is nothing to click');
  }
  throw new Error('no command after twelve clicks');
}

/** Lets people play on their pages until the match is over, or `most` commands are done. Returns how many were. */
export async function playByClicks(house, match, pages, { seed = 1, most = Infinity, prefer } = {}) {
  const roll = dice(seed);
  for (let done = 0; ; done += 1) {
    const info = await house.api(`/v1/matches/${match}`);
    if (info.status !== 'running' || done >= most) return { done, info };
    const page = pages[info.active_seat];
    await page.locator(`muninn-commands[data-version="${info.version}"]`).waitFor();
    await act(page, roll, prefer);
    await until(async () => (await house.api(`/v1/matches/${match}`)).version > info.version, `command ${done + 1} of ${match}`);
  }
}
