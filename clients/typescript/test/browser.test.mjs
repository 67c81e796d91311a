// @muninn/react and <muninn-board> in a real browser, against the real server.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { Muninn } from '@muninn/client';
import { House, dice, folder, launch, leave, until, visit } from './server.mjs';

let house;
let browser;
let site;
let origin;

const client = '/node_modules/@muninn/client/src';

/** The pages, and the files of @muninn/client as they are, without a build. */
async function serve() {
  const { outputFiles } = await build({ entryPoints: ['test/table.jsx'], bundle: true, format: 'iife', jsx: 'automatic', write: false, define: { 'process.env.NODE_ENV': '"development"' } });
  const html = (body) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${body}`;
  const pages = {
    '/react': html('<div id="root"></div><script src="/table.js"></script>'),
    '/table.js': outputFiles[0].text,
    '/favicon.ico': '',
    '/page.html': (await readFile('test/page.html', 'utf8')).replaceAll('http://127.0.0.1:8080', house.address),
    '/element': html(`<script type="module" src="${client}/element.js"></script>`),
  };
  site = createServer(async ({ url }, response) => {
    const script = url.endsWith('.js');
    const text = pages[url] ?? (url.startsWith(client) ? await readFile(`.${url}`, 'utf8') : null);
    response.writeHead(text === null ? 404 : 200, { 'content-type': script ? 'text/javascript' : 'text/html' }).end(text);
  });
  await new Promise((resolve) => { site.listen(0, '127.0.0.1', resolve); });
  origin = `http://127.0.0.1:${site.address().port}`;
}

before(async () => {
  [house, browser] = await Promise.all([new House(await folder()).start(['--bot-pause', '0']), launch()]);
  await serve();
});

after(async () => {
  await browser?.close();
  site?.close();
  await house?.close();
});

const open = (game, seats, options = {}, more = {}) => new Muninn(house.address).open({ game, seats, options, ...more });

/** Clicks what can be clicked until the seat's commands are done and the match is over. */
async function playByClicks(page, roll, over) {
  for (let clicks = 0; !(await over()); clicks += 1) {
    assert.ok(clicks < 2000, 'the match ends');
    const done = await page.evaluate((pick) => {
      const root = document.querySelector('muninn-board')?.shadowRoot ?? document;
      const spots = [...root.querySelectorAll('.choosable')];
      const buttons = [...root.querySelectorAll('.choice, [part=choices] button:not([data-reset])')];
      const all = [...spots, ...buttons];
      all[pick % all.length]?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
      return all.length;
    }, roll(10_000));
    if (!done) await page.waitForTimeout(15);
  }
}

test('a table in React is played to its end by clicks, with a bot', { timeout: 120_000 }, async () => {
  const { match, seat_tokens } = await open('rosenkoenig', [{ name: 'Ada' }, { bot: 'greedy' }], { start: 'red' });
  const page = await visit(browser, `${origin}/react`);
  const show = (place) => page.evaluate((one) => window.show(one), place);
  await show({ server: house.address, match, token: seat_tokens[0] });
  const table = page.locator('main');
  await page.locator('.board svg .choosable').first().waitFor();
  // A refusal is told with its rule.
  await page.locator('#wrong').click();
  await page.locator('[role=alert]', { hasText: 'R-45' }).waitFor();
  // A component that goes and comes back follows the match again.
  await show(null);
  assert.equal(await table.count(), 0);
  await show({ server: house.address, match, token: seat_tokens[0] });
  await playByClicks(page, dice(3), async () => (await table.getAttribute('data-connection')) === 'over');
  assert.equal(await table.getAttribute('data-status'), 'finished');
  assert.equal(await page.locator('.choosable').count(), 0);
  await leave(page, /status of 422/);
});

test('a choice in React waits for its confirmation', async () => {
  // One deal: after a first move at random, the other can sometimes only pass.
  const { match, seat_tokens } = await open('rosenkoenig', [{ name: 'Ada' }, { name: 'Ben' }], { start: 'red' }, { sandbox: { seed: '5'.repeat(64) } });
  const page = await visit(browser, `${origin}/react`);
  await page.evaluate((place) => window.show(place), { server: house.address, match, token: seat_tokens[0], confirm: true });
  const field = page.locator('.choosable[data-spot^="cell:"]').first();
  await field.waitFor();
  const before = await page.locator('main').getAttribute('data-version');
  await field.dispatchEvent('click');
  await page.locator('#confirm').waitFor();
  await page.locator('#reset').click();
  assert.equal(await page.locator('#confirm').count(), 0);
  await page.locator('.choosable[data-spot^="card:"]').first().dispatchEvent('click');
  assert.equal(await page.locator('main').getAttribute('data-version'), before);
  await page.locator('#confirm').click();
  await page.locator(`main:not([data-version="${before}"])`).waitFor();
  await until(async () => !(await page.locator('.choosable').count()), 'it is the turn of the other');
  await leave(page);
});

test('two clicks on the same render are one command', async () => {
  const { match, seat_tokens } = await open('rosenkoenig', [{ name: 'Ada' }, { name: 'Ben' }], { start: 'red' }, { sandbox: { seed: '5'.repeat(64) } });
  const page = await visit(browser, `${origin}/react`);
  await page.evaluate((place) => window.show(place), { server: house.address, match, token: seat_tokens[0], confirm: true });
  await page.locator('.choosable[data-spot^="cell:"]').first().dispatchEvent('click');
  await page.locator('#confirm').waitFor();
  const sent = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  const before = await page.locator('main').getAttribute('data-version');
  await page.evaluate(() => { for (const one of [1, 2]) document.querySelector('#confirm').click(one); });
  await page.locator(`main:not([data-version="${before}"])`).waitFor();
  assert.equal(sent.length, 1);
  assert.equal(await page.locator('[role=alert]').count(), 0);
  await leave(page);
});

test('what is clicked on the picture of a match is not done in the next one', async () => {
  // Dealt alike, so that what is legal in one is legal in the other.
  const opened = await Promise.all([1, 2].map(() => open('rosenkoenig', [{ name: 'Ada' }, { name: 'Ben' }], { start: 'red' }, { sandbox: { seed: '5'.repeat(64) } })));
  const places = opened.map(({ match, seat_tokens: [token] }) => ({ match, token }));
  const page = await visit(browser, `${origin}/react`);
  await page.evaluate(async ([modules, server, both]) => {
    const { Muninn } = await import(`${modules}/index.js`);
    window.stores = both.map(({ match, token }) => new Muninn(server, { token }).match(match));
    // The second one is read before it is shown.
    for (const store of window.stores) store.subscribe(() => {});
    await Promise.all(window.stores.map((store) => store.until(({ choice }) => choice.all.length > 0)));
    window.show(window.stores[0]);
  }, [origin + client, house.address, places]);
  const field = page.locator('.choosable[data-spot^="cell:"]').first();
  await field.waitFor();
  const name = await field.getAttribute('data-spot');
  let arrive;
  const late = new Promise((resolve) => { arrive = resolve; });
  await page.route('**/board.svg*', async (route) => {
    await late;
    await route.continue();
  });
  const asked = page.waitForRequest((request) => request.url().includes(`${places[1].match}/board.svg`));
  await page.evaluate(() => window.show(window.stores[1]));
  await asked;
  const done = await page.evaluate((spot) => {
    document.querySelector(`.board [data-spot="${spot}"]`).dispatchEvent(new MouseEvent('click', { bubbles: true }));
    const { choice, pending } = window.stores[1].state;
    return choice.narrowed || pending !== null;
  }, name);
  assert.equal(done, false);
  arrive();
  await field.waitFor();
  await leave(page);
});

test('<muninn-board> plays by keys, without a build', async () => {
  const { match, seat_tokens } = await open('voluspa', [{ name: 'Ada' }, { name: 'Ben' }]);
  const page = await visit(browser, `${origin}/element`);
  const acting = (await house.api(`/v1/matches/${match}`)).active_seat;
  await page.evaluate(([server, id, token]) => {
    window.states = [];
    document.addEventListener('statechange', (event) => window.states.push(event.detail.version), true);
    const board = document.createElement('muninn-board');
    for (const [name, value] of Object.entries({ server, match: id, token, language: 'de' })) board.setAttribute(name, value);
    document.body.append(board);
  }, [house.address, match, seat_tokens[acting]]);
  const board = page.locator('muninn-board');
  const spot = board.locator('.choosable');
  await spot.first().waitFor();
  assert.equal(await spot.first().getAttribute('role'), 'button');
  assert.ok(await spot.first().getAttribute('aria-label'));
  assert.deepEqual([await spot.first().getAttribute('aria-pressed'), await board.locator('svg').first().getAttribute('role')], ['false', 'group']);
  const { version } = await house.api(`/v1/matches/${match}`);
  const now = () => house.api(`/v1/matches/${match}`);
  const moved = async () => (await now()).version > version;
  const held = () => board.evaluate((element) => {
    const { activeElement } = element.shadowRoot;
    return { board: Boolean(activeElement?.closest('[part=board]')), place: Boolean(activeElement?.matches('.choosable')) };
  });
  // Once: from then on the focus stays on the board, unless a button is pressed.
  await spot.first().focus();
  let away = false;
  for (let keys = 0; !(await moved()); keys += 1) {
    assert.ok(keys < 12, 'a command is done');
    if (await spot.count()) await page.keyboard.press('Enter');
    else if (await board.locator('[part=choices] button').count()) {
      await board.locator('[part=choices] button').first().click();
      away = true;
    }
    await page.waitForTimeout(50);
  }
  await until(async () => page.evaluate((before) => window.states.some((one) => one > before), version), 'the state is told');
  // While the other thinks it stays there too, and at the next turn it is on a place.
  const drawn = async () => board.locator(`svg[data-version="${(await now()).version}"]`).waitFor();
  await drawn();
  assert.ok(away || (await held()).board, 'after the command');
  do await house.play(match, seat_tokens, 1); while ((await now()).active_seat !== acting);
  await drawn();
  await until(async () => away || (await held()).place, 'the focus is on a place again');
  await board.evaluate((element) => element.remove());
  await leave(page);
});

test('<muninn-board> leaves its buttons and what it said alone while they are the same', async () => {
  const { match, seat_tokens } = await open('voluspa', [{ name: 'Ada' }, { name: 'Ben' }]);
  const acting = (await house.api(`/v1/matches/${match}`)).active_seat;
  const page = await visit(browser, `${origin}/element`);
  await page.evaluate(([server, id, token]) => {
    document.body.insertAdjacentHTML('beforeend', `<muninn-board server="${server}" match="${id}" token="${token}"></muninn-board>`);
  }, [house.address, match, seat_tokens[acting]]);
  const board = page.locator('muninn-board');
  await board.locator('.choosable').first().waitFor();
  await board.evaluate(({ store }) => store.narrow(store.state.choice.click([...store.state.choice.spots][0])));
  await board.locator('[data-reset]').focus();
  const seen = await board.evaluate(async ({ shadowRoot, store }) => {
    const [alert, choices] = ['problem', 'choices'].map((name) => shadowRoot.querySelector(`[part=${name}]`));
    const changes = [0, 0];
    for (const [index, part] of [alert, choices].entries()) new MutationObserver((all) => { changes[index] += all.length; }).observe(part, { childList: true });
    // A problem is told: nothing is under way, and the choice is the same.
    for (let times = 0; times < 2; times += 1) await store.preview({ type: 'Nothing' }).catch(() => {});
    await new Promise((resolve) => { setTimeout(resolve); });
    return { changes, told: alert.textContent !== '', held: shadowRoot.activeElement?.dataset.reset !== undefined };
  });
  assert.deepEqual(seen, { changes: [1, 0], told: true, held: true });
  await leave(page, /status of 4/);
});

test('the page of 20 lines plays a match to its end', { timeout: 120_000 }, async () => {
  const page = await visit(browser, `${origin}/page.html`);
  const status = page.locator('#turn');
  await status.filter({ hasText: /Your turn|Wait/ }).waitFor();
  await playByClicks(page, dice(5), async () => /Winner: seat \d/.test(await status.textContent()));
  await leave(page);
});

test('<muninn-board> shows a match that is faster than its pictures, and nothing without one', async () => {
  const { match, seat_tokens } = await open('rosenkoenig', [{ name: 'Ada' }, { name: 'Ben' }]);
  const page = await visit(browser, `${origin}/element`);
  await page.route('**/board.svg*', async (route) => {
    await new Promise((resolve) => { setTimeout(resolve, 500); });
    await route.continue();
  });
  await page.evaluate(([server, id]) => {
    document.body.insertAdjacentHTML('beforeend', `<muninn-board server="${server}" match="${id}"></muninn-board>`);
    window.shown = new Set();
    window.look = setInterval(() => window.shown.add(document.querySelector('muninn-board').shadowRoot.querySelector('svg')?.dataset.version), 20);
  }, [house.address, match]);
  const board = page.locator('muninn-board');
  await board.locator('svg').waitFor();
  for (let command = 0; command < 12; command += 1) {
    await house.play(match, seat_tokens, 1);
    await page.waitForTimeout(150);
  }
  const during = await page.evaluate(() => window.shown.size);
  assert.ok(during > 3, `${during} pictures`);
  await board.locator(`svg[data-version="${(await house.api(`/v1/matches/${match}`)).version}"]`).waitFor();
  await board.evaluate((element) => element.removeAttribute('match'));
  await until(async () => !(await board.locator('svg').count()), 'the picture is gone');
  await page.evaluate(() => clearInterval(window.look));
  await leave(page);
});
