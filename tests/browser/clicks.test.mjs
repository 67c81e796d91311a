// The page of examples/clicks.html knows no game, and plays whole matches of all of them by clicks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { GAMES, leave, visit } from './house.mjs';
import { browser, house, stage } from './stage.mjs';
import { playWhole } from './whole.mjs';

const client = pathToFileURL('clicks.html');

stage();

/** Where to click for a command: its label, where that is offered, else a place of the picture. Runs in the page. */
function next({ before, spots, label }, clicks) {
  const svg = document.querySelector('#board svg');
  if (Number(svg?.dataset.version) !== before) return clicks ? null : undefined;
  const buttons = [...document.querySelectorAll('#choices button')];
  const places = [...document.querySelectorAll('#board .choosable')];
  // Nothing changes here after the last click, until the picture does; one that was missed is made again.
  const offered = [...buttons, ...places].map((one) => one.dataset.spot ?? one.textContent).join();
  if (clicks && window.offered === offered && performance.now() - window.clickedAt < 3_000) return undefined;
  const button = buttons.find((one) => one.textContent === label);
  const all = button ? [button] : places.filter((place) => spots.includes(place.dataset.spot));
  for (const element of all) {
    const point = window.pointOf(element, 'button, .choosable');
    if (point) {
      Object.assign(window, { offered, clickedAt: performance.now() });
      return point;
    }
  }
  return undefined;
}

for (const game of GAMES) {
  test(`a page without knowledge of ${game} plays it from the beginning to its end`, { timeout: 3_600_000 }, async () => {
    const { info, script, pages } = await playWhole(house, game, {
      sit: (match, token) => visit(browser, `${client}#${house.address},${match},${token}`),
      next,
      click: (page, { x, y }) => page.mouse.click(x, y),
    });
    assert.equal(info.status, 'finished');
    assert.equal(info.version, script.at(-1).after);
    for (const page of pages) await leave(page);
  });
}

test('a page that comes late to a match, and is refused a picture, shows the latest one after a few looks', async () => {
  const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', seats: [{ name: 'Ada' }, { name: 'Ben' }] });
  await house.play(match, tokens, 30);
  const { version } = await house.api(`/v1/matches/${match}`);
  const page = await visit(browser, 'about:blank');
  let looks = 0;
  await page.route('**/board.svg', (route) => {
    looks += 1;
    return looks === 1 ? route.fulfill({ status: 429, contentType: 'application/problem+json', body: '{}', headers: { 'access-control-allow-origin': '*' } }) : route.continue();
  });
  await page.goto(`${client}#${house.address},${match},${tokens[0]}`);
  await page.locator(`#board svg[data-version="${version}"]`).waitFor();
  assert.ok(looks < 6, `${looks} looks`);
  await leave(page, /429/);
});

for (const game of GAMES) {
  test(`the client in 20 lines: the middle of each place of ${game} that can be chosen is its own`, async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.route('**/developers/example', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('"voluspa"', `"${game}"`) });
    });
    await page.goto(`${house.address}/developers/example`);
    for (let moves = 0; moves < 4; moves += 1) {
      await page.waitForFunction(() => document.querySelector('muninn-board')?.shadowRoot?.querySelector('.choosable'));
      const covered = await page.evaluate(() => {
        const root = document.querySelector('muninn-board').shadowRoot;
        return [...root.querySelectorAll('.choosable')].filter((spot) => {
          const inside = spot.querySelector(':scope > .middle') ?? spot;
          inside.scrollIntoView({ block: 'center' });
          const { left, top, width, height } = inside.getBoundingClientRect();
          return root.elementFromPoint(left + width / 2, top + height / 2)?.closest('[data-spot]') !== spot;
        }).map((spot) => spot.dataset.spot);
      });
      assert.deepEqual(covered, []);
      const version = await page.evaluate(async () => {
        const match = document.querySelector('muninn-board').store;
        const { version } = match.state;
        await match.submit(match.state.choice.all[0].command);
        return version;
      });
      await page.waitForFunction((before) => {
        const { state } = document.querySelector('muninn-board').store;
        return state.version > before && (state.choice.all.length || state.status === 'finished');
      }, version);
    }
    await context.close();
  });
}
