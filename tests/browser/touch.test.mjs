// Two people play every game on phones, by fingers alone. `WHOLE=1` plays the long games from their beginning; otherwise they begin near the
// end, in a sandbox, and are played to it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, dice, folder, launch, leave, shown, until, visit } from './house.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

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

/** Touches a place of the picture where it reacts, after moving it into view. */
async function touch(page, place) {
  const point = await place.evaluate((element) => {
    const inside = element.querySelector(':scope > .middle') ?? element;
    inside.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const { left, top, width, height } = inside.getBoundingClientRect();
    const points = [[0.5, 0.5], [0.2, 0.2], [0.8, 0.2], [0.2, 0.8], [0.8, 0.8]].map(([x, y]) => ({ x: left + width * x, y: top + height * y }));
    return points.find(({ x, y }) => element.getRootNode().elementFromPoint(x, y)?.closest('.choosable') === element) ?? null;
  });
  if (point) await page.touchscreen.tap(point.x, point.y);
  return point !== null;
}

/** One command by fingers: places of the picture, the wished one first, and entries of the list where that asks. */
async function act(page, roll, wish) {
  const list = page.locator('muninn-commands');
  const places = page.locator('muninn-board .choosable:not(.chosen)');
  for (let taps = 0; taps < 16; taps += 1) {
    const [commands, values] = [list.locator('button[data-command]'), list.locator('button[data-value]')];
    const [few, fields, spots] = [await commands.count(), await values.count(), await places.count()];
    const wished = places.and(page.locator(`[data-spot="${wish}"]`));
    if ((await wished.count()) && (await touch(page, wished.first()))) continue;
    if (few === 1 || (few && (!spots || roll(3) === 0))) {
      await commands.nth(roll(few)).tap();
      return;
    }
    if (spots && (await touch(page, places.nth(roll(spots))))) continue;
    if (fields) await values.nth(roll(fields)).tap();
    else if (few) {
      await commands.nth(roll(few)).tap();
      return;
    }
  }
  throw new Error('no command after sixteen taps');
}

async function toTheEnd(opened, seed, wish) {
  const { match, seat_tokens: tokens } = opened;
  const pages = await Promise.all(tokens.map((token) => visit(browser, `${house.address}/play/${match}#${token}`, PHONE)));
  const roll = dice(seed);
  let taken = 0;
  for (;;) {
    const info = await house.api(`/v1/matches/${match}`);
    if (info.status !== 'running') break;
    const page = pages[info.active_seat];
    await page.locator(`muninn-commands[data-version="${info.version}"]`).waitFor();
    await act(page, roll, wish);
    await until(async () => (await house.api(`/v1/matches/${match}`)).version > info.version, `command ${taken + 1} of ${match}`);
    taken += 1;
  }
  const { version } = await house.api(`/v1/matches/${match}`);
  for (const page of pages) {
    await until(async () => (await shown(page)) === version, 'both phones show the end');
    await page.getByRole('status').filter({ hasText: '1. ' }).first().waitFor();
    await leave(page);
  }
  return taken;
}

const seats = [{ name: 'Ada' }, { name: 'Ben' }];
const seed = '7'.repeat(64);

/** A sandbox in which bots have played on to so many events before the end. */
async function nearTheEnd(game, before) {
  const whole = await house.open({ game, seats, sandbox: { seed, fast_forward: { bot: 'greedy' } } });
  const { version } = await house.api(`/v1/matches/${whole.match}`);
  return house.open({ game, seats, sandbox: { seed, fast_forward: { bot: 'greedy', version: version - before } } });
}

/** A match of Delphi played at random goes on for thousands of turns; this one begins where all tasks are done. */
async function homewards() {
  for (;;) {
    const { position } = await house.api('/v1/games/delphi/positions', { method: 'POST', body: { seats: 2, options: { map: 'random' } } });
    const players = position.players.map((player) => ({ ...player, tasks: { shrine: 0, statue: [], offering: [], monster: [] } }));
    if (!position.pending.length) return house.open({ game: 'delphi', seats, position: { ...position, players } });
  }
}

test('rosenkoenig, from the beginning to the end', { timeout: 3_600_000 }, async () => {
  assert.ok((await toTheEnd(await house.open({ game: 'rosenkoenig', seats }), 3)) > 20);
});

for (const [game, before] of [['voluspa', 45], ['copenhagen', 40]]) {
  test(`${game}, to the end`, { timeout: 3_600_000 }, async () => {
    const opened = process.env.WHOLE ? await house.open({ game, seats }) : await nearTheEnd(game, before);
    assert.ok((await toTheEnd(opened, 5)) >= 8);
  });
}

test('delphi, home and to the end', { timeout: 3_600_000 }, async () => {
  assert.ok((await toTheEnd(await homewards(), 8, 'hex:0,0')) >= 2);
});
