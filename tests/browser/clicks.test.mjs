// The page of examples/clicks.html knows no game, and plays all of them to their end by clicks.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { House, dice, folder, launch, leave, until, visit } from './house.mjs';

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

/** A match of Delphi played at random goes on for thousands of turns; this one begins where all tasks are done. */
async function homewards() {
  for (;;) {
    const { position } = await house.api('/v1/games/delphi/positions', { method: 'POST', body: { seats: 2, options: { map: 'random' } } });
    const players = position.players.map((player) => ({ ...player, tasks: { shrine: 0, statue: [], offering: [], monster: [] } }));
    if (!position.pending.length) return { ...position, players };
  }
}

/** Clicks places of the picture, and labels where no place is left to choose, until a command is sent. */
async function act(page, roll) {
  const sent = () => page.addresses.filter((address) => address.endsWith('/commands')).length;
  const before = sent();
  for (let click = 0; click < 12 && sent() === before; click += 1) {
    const places = page.locator('#board .choosable');
    const labels = page.locator('#choices button');
    const home = page.locator('#board .choosable[data-spot="hex:0,0"]');
    const [spots, buttons] = [await places.count(), await labels.count()];
    if (await home.count()) await home.first().dispatchEvent('click');
    else if (spots && (!buttons || roll(3))) await places.nth(roll(spots)).dispatchEvent('click');
    else if (buttons) await labels.nth(roll(buttons)).click();
    else throw new Error('there is nothing to click');
    // A click that narrows the choice sends nothing.
    await page.waitForTimeout(30);
  }
  assert.ok(sent() > before, 'no command after twelve clicks');
}

for (const [game, seed] of [['rosenkoenig', 2], ['voluspa', 4], ['copenhagen', 6], ['delphi', 8]]) {
  test(`a page without knowledge of ${game} plays it to its end`, { timeout: 3_600_000 }, async () => {
    const position = game === 'delphi' ? { position: await homewards() } : {};
    const { match, seat_tokens } = await house.open({ game, seats: [{ name: 'Ada' }, { name: 'Ben' }], ...position });
    const pages = await Promise.all(seat_tokens.map((token) => visit(browser, `${client}#${house.address},${match},${token}`)));
    const [roll, current] = [dice(seed), () => house.api(`/v1/matches/${match}`)];
    let info = await current();
    let commands = 0;
    for (; info.status === 'running'; commands += 1) {
      const page = pages[info.active_seat];
      await page.locator(`#board svg[data-version="${info.version}"]`).waitFor();
      await until(async () => (await page.locator('#board .choosable').count()) + (await page.locator('#choices button').count()), 'something to choose');
      await act(page, roll);
      const { version } = info;
      info = await until(async () => current().then((now) => now.version > version && now), `command ${commands} of ${match}`);
    }
    assert.equal(info.status, 'finished');
    assert.ok(commands > 5, `${commands} commands`);
    // To look at the legal commands out of turn is refused, which the console of a browser tells.
    for (const page of pages) await leave(page, /status of 403/);
  });
}
