// The page of examples/clicks.html knows no game, and plays whole matches of all of them by clicks.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { House, folder, launch, leave, visit } from './house.mjs';
import { GAMES, playWhole } from './whole.mjs';

const client = pathToFileURL('clicks.html');

let house;
let browser;

before(async () => {
  house = await new House(await folder()).start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await house?.close();
});

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
