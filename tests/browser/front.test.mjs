// The front door: what a visitor finds who knows nothing yet.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { findings } from './axe.mjs';
import { House, folder, launch, leave, until, visit } from './house.mjs';

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser?.close());

async function withHouse(more, use) {
  const house = await new House(await folder()).start(more);
  try {
    await use(house);
  } finally {
    await house.close();
  }
}

/** Is the picture there, and of some size? */
const drawn = (image) => image.evaluate((element) => element.complete && element.naturalWidth > 100);

test('on an empty server one click lets bots play, and the match is shown while it goes on', () =>
  withHouse(['--bot-pause', '200'], async (house) => {
    const page = await visit(browser, house.address);
    await page.locator('[data-game]').first().waitFor();
    assert.equal(await page.locator('[data-game]').count(), 4);
    for (const image of await page.locator('[data-game] img').all()) {
      await image.scrollIntoViewIfNeeded();
      await until(() => drawn(image), 'a picture of the game');
    }
    await page.locator('[data-control="bots"]').click();
    const shown = page.locator('a.show img');
    await until(() => drawn(shown), 'a picture of the match');
    const { items } = await house.api('/v1/matches');
    assert.deepEqual(new Set(items.map((match) => match.game)).size, 4);
    assert.ok(items.every((match) => match.sandbox && match.seats.every((seat) => seat.bot === 'greedy')));
    const first = await shown.getAttribute('src');
    await until(async () => (await shown.getAttribute('src')) !== first, 'the picture goes on');
    await page.locator('a.show').click();
    await page.waitForURL(/\/watch\/[0-9a-f-]{36}/);
    await page.locator('muninn-log .now').waitFor();
    await page.getByRole('link', { name: 'Muninn' }).click();
    await page.locator('[data-game]').first().waitFor();
    await page.locator('[data-game="voluspa"] summary').click();
    await until(async () => (await page.locator('[data-game="voluspa"] dt').count()) > 20, 'rules');
    await page.locator('[data-game="delphi"] a').last().click();
    await page.waitForURL(/\/watch\?game=delphi/);
    await until(async () => (await page.locator('muninn-open select#game').inputValue()) === 'delphi', 'the form is for the game');
    for (const image of await page.locator('img.mini').all()) await until(() => drawn(image), 'a small picture');
    await leave(page);
  }));

test('whoever comes back to the page sees the match as it is now', () =>
  withHouse([], async (house) => {
    const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', seats: [{ name: 'Ada' }, { name: 'Ben' }] });
    const page = await visit(browser, house.address);
    const picture = page.locator('a.show img');
    const at = () => picture.evaluate((image) => Number(new URL(image.src).searchParams.get('at')));
    const version = async () => (await house.api(`/v1/matches/${match}`)).version;
    await house.play(match, tokens, 1);
    await until(async () => (await at()) === (await version()), 'it follows');
    const before = await at();
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }));
    await house.play(match, tokens, 1);
    // The stream tells of it while nobody looks.
    await page.waitForTimeout(1500);
    assert.equal(await at(), before);
    await page.evaluate(() => {
      delete document.hidden;
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await until(async () => (await at()) === (await version()), 'the latest board');
    await leave(page);
  }));

test('with --demo there is always something to watch, marked as what it is', () =>
  withHouse(['--demo', '--bot-pause', '100'], async (house) => {
    for (const [locale, mark] of [['en-US', 'Sandbox'], ['de-DE', 'Probepartie']]) {
      const page = await visit(browser, house.address, { locale });
      await until(async () => (await page.locator('a.show').innerText()).includes('(demo)'), 'a match');
      assert.ok((await page.locator('a.show').innerText()).includes(mark));
      await page.goto(`${house.address}/watch`);
      await until(async () => (await page.locator('[data-match]').count()) >= 4, 'the list');
      assert.ok((await page.locator('[data-match]').first().innerText()).includes(mark));
      await leave(page);
    }
  }));

test('no finding of axe, nothing too wide on a phone, nothing English in German', () =>
  withHouse(['--demo', '--bot-pause', '60000'], async (house) => {
    for (const colorScheme of ['light', 'dark']) {
      const page = await visit(browser, house.address, { colorScheme, locale: 'de-DE', viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
      await page.locator('a.show').waitFor();
      await page.locator('[data-game="copenhagen"] summary').click();
      assert.deepEqual(await findings(page), []);
      assert.ok((await page.evaluate(() => document.scrollingElement.scrollWidth)) <= 360);
      const text = await page.locator('muninn-front').innerText();
      const english = text.split('\n').filter((line) => /\b(the|of|with|players|rules|is|are|and|match|must)\b/i.test(line.replaceAll('Saga of Edda', '')));
      assert.deepEqual(english, []);
      await leave(page);
    }
  }));

test('a developer gets from the front door to a first move', () =>
  withHouse([], async (house) => {
    const page = await visit(browser, house.address);
    await page.getByRole('link', { name: 'A client in 20 lines' }).first().click();
    const lines = page.locator('[data-lines]').filter({ hasText: 'muninn-board' });
    await lines.waitFor();
    // The file speaks to this server, and holds what is shown.
    const download = page.waitForEvent('download');
    await page.locator('[data-control="save"]').click();
    const saved = await readFile(await (await download).path(), 'utf8');
    assert.equal(saved, await lines.textContent());
    assert.ok(saved.includes(`new Muninn("${house.address}"`), saved);
    assert.ok(saved.trim().split('\n').length <= 25, saved);
    // Where the clipboard is denied, the page says so.
    await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError')); });
    await page.locator('[data-control="copy"]').click();
    await page.getByRole('alert').filter({ hasText: 'did not work' }).waitFor();
    await page.getByRole('link', { name: 'Run it here' }).click();
    await page.getByText('Your turn').waitFor();
    const { items } = await house.api('/v1/matches');
    const { version } = items[0];
    const spot = page.locator('muninn-board .choosable').first();
    for (let clicks = 0; clicks < 6 && (await house.api('/v1/matches')).items[0].version === version; clicks += 1) {
      const buttons = page.locator('muninn-board [part="choices"] button:not([data-reset])');
      await ((await buttons.count()) ? buttons.first() : spot).click();
      await page.waitForTimeout(300);
    }
    await until(async () => (await house.api('/v1/matches')).items[0].version > version, 'a first move');
    await leave(page);
    // As a file, from nowhere.
    const file = path.join(house.data, 'client.html');
    await writeFile(file, saved);
    const own = await visit(browser, `file://${file}`);
    await own.getByText('Your turn').waitFor();
    await leave(own);
  }));
