// Two people play a whole match of every game on phones, from the beginning to the end, by fingers alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAMES, leave, shown, until, visit } from './house.mjs';
import { browser, house, stage } from './stage.mjs';
import { playWhole } from './whole.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** In ms, as the page has it. */
const TWICE = 350;

stage();

/** Where to touch for a command: places of the picture, and entries of the list where that asks. Runs in the page. */
function next({ before, command, spots, label }, touched) {
  const page = document.querySelector('muninn-match')?.shadowRoot;
  const list = page?.querySelector(`muninn-commands[data-version="${before}"]`)?.shadowRoot;
  if (!list) return touched ? null : undefined;
  const board = page.querySelector('muninn-picture').shadowRoot;
  const buttons = [...list.querySelectorAll('.row button.main, .list button')];
  // Under way, or not drawn anew since the last touch: whoever touched a piece while it moved touches it again.
  const asked = `${board.querySelectorAll('.chosen').length} ${buttons.map((button) => button.textContent)}`;
  const waits = touched && window.asked === asked && performance.now() - window.touchedAt < 3_000;
  if (buttons.some((button) => button.disabled) || waits) return undefined;
  const done = buttons.filter((button) => button.matches('[data-command]') && button.textContent.trim() === label);
  const places = [...board.querySelectorAll('.choosable:not(.chosen)')].filter((place) => spots.includes(place.dataset.spot));
  const field = (button) => button.dataset.field && JSON.stringify(command[button.dataset.field]) === button.dataset.value;
  const confirm = done.filter((button) => button.matches('.main'));
  // The picture moved under the finger, and another place was touched: whoever sees that takes it back.
  const missed = [...board.querySelectorAll('.chosen')].some((place) => !spots.includes(place.dataset.spot));
  const back = missed ? [...list.querySelectorAll('.row button.chip')].slice(0, 1) : [];
  for (const element of [...confirm, ...places, ...done, ...buttons.filter(field), ...back]) {
    const point = window.pointOf(element, 'button, .choosable');
    if (point) {
      Object.assign(window, { asked, touchedAt: performance.now() });
      return point;
    }
  }
  return undefined;
}

/** Whether the taps were as quick as two quick ones are. */
async function tapTwice() {
  const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', options: { start: 'red' }, seats: [{}, {}] });
  const { version } = await house.api(`/v1/matches/${match}`);
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[0]}`, PHONE);
  const place = page.locator('muninn-picture .choosable[data-spot^="cell:"]').first();
  await place.waitFor();
  const { x, y, width, height } = await place.boundingBox();
  const tap = () => page.touchscreen.tap(x + width / 2, y + height / 2);
  await page.evaluate(() => {
    window.clicks = [];
    document.addEventListener('click', (event) => window.clicks.push(event.timeStamp), true);
  });
  await Promise.all([tap(), tap()]);
  await page.waitForTimeout(1000);
  const [first, second] = await page.evaluate(() => window.clicks);
  if (second - first >= TWICE) {
    await leave(page);
    return false;
  }
  assert.equal((await house.api(`/v1/matches/${match}`)).version, version, 'nothing was sent');
  assert.equal(await page.locator('muninn-picture .chosen').count(), 1);
  await tap();
  await until(async () => (await house.api(`/v1/matches/${match}`)).version > version, 'it is confirmed');
  await leave(page);
  return true;
}

test('two quick taps on a place choose it and confirm nothing; a later one does', async () => {
  await until(tapTwice, 'two taps in time', 60_000);
});

for (const game of GAMES) {
  test(`${game}, from the beginning to the end`, { timeout: 3_600_000 }, async () => {
    const { info, script, pages } = await playWhole(house, game, {
      sit: (match, token) => visit(browser, `${house.address}/play/${match}#${token}`, PHONE),
      next,
      click: (page, { x, y }) => page.touchscreen.tap(x, y),
    });
    assert.equal(info.status, 'finished');
    assert.equal(info.version, script.at(-1).after);
    for (const page of pages) {
      await until(async () => (await shown(page)) === info.version, 'both phones show the end');
      await page.getByRole('status').filter({ hasText: '1. ' }).first().waitFor();
      // Whoever touches a place in the moment in which it changes is told why it cannot be chosen.
      await leave(page, /status of 422 .*\/commands\?dry_run=true$/);
    }
  });
}
