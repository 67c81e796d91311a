// The form that opens a match: what it shows is what it sends, and it has room on the smallest screen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAMES, leave, until, visit } from './house.mjs';
import { browser, house, stage } from './stage.mjs';

stage();

async function form(options) {
  const page = await visit(browser, `${house.address}/watch#open`, options);
  await page.locator('muninn-open button.main:enabled').waitFor();
  return page;
}

test('with another game the seats are empty, in the form and in what is sent', async () => {
  const page = await form();
  const game = page.locator('muninn-open #game');
  await game.selectOption('rosenkoenig');
  await page.locator('muninn-open button.main:enabled').waitFor();
  const name = page.getByLabel('Seat 1', { exact: true });
  const by = page.locator('muninn-open [data-seat="1"]');
  await name.fill('Bob');
  await by.selectOption('greedy');
  await game.selectOption('copenhagen');
  await page.locator('muninn-open button.main:disabled').waitFor({ state: 'detached' });
  assert.deepEqual([await name.inputValue(), await by.inputValue()], ['', 'person']);
  // What is written then is kept while the number of seats changes.
  await name.fill('Cleo');
  await by.selectOption('random');
  await page.locator('muninn-open #count').fill('3');
  await page.locator('muninn-open #count').blur();
  await page.locator('muninn-open [data-seat="2"]').waitFor();
  assert.deepEqual([await name.inputValue(), await by.inputValue()], ['Cleo', 'random']);
  assert.equal(await page.locator('muninn-open [data-seat="2"]').inputValue(), 'person');
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/matches'));
  await page.locator('muninn-open button.main').click();
  const { game: opened, seats } = (await sent).postDataJSON();
  assert.deepEqual([opened, seats], ['copenhagen', [{}, { name: 'Cleo', bot: 'random' }, {}]]);
  await page.locator('muninn-open [data-link]').first().waitFor();
  await leave(page);
});

test('the game of the form is the one that is opened, though the games are read twice', async () => {
  const { items } = await house.api('/v1/games');
  const wished = items.at(-1).id;
  const page = await visit(browser, 'about:blank');
  const games = /\/v1\/games(\?|$)/;
  const asked = [];
  await page.route(games, (route) => { asked.push(route); });
  await page.goto(`${house.address}/watch?game=${wished}#open`);
  await until(() => asked.length === 1, 'the games are asked for');
  await page.locator('[data-filter="status"]').selectOption('running');
  await until(() => asked.length === 2, 'and again, since the list is another');
  await asked[0].continue();
  await page.locator('muninn-open button.main:enabled').waitFor();
  await Promise.all([page.waitForResponse(games), asked[1].continue()]);
  // The list is read after its games.
  await page.waitForResponse(/\/v1\/matches\?/);
  await page.waitForTimeout(200);
  const said = await page.locator('muninn-open #game').inputValue();
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/matches'));
  await page.locator('muninn-open button.main').click();
  assert.deepEqual([said, (await sent).postDataJSON().game], [wished, wished]);
  await leave(page);
});

test('the focus goes from the form to the links, and back', async () => {
  const page = await form();
  const focused = (what) => page.locator(`muninn-open ${what}`).evaluate((element) => element.matches(':focus'));
  await page.locator('muninn-open button.main').focus();
  await page.keyboard.press('Enter');
  await until(() => focused('[data-opened]'), 'it is said that the match is open');
  await page.getByRole('button', { name: 'Open another one' }).focus();
  await page.keyboard.press('Enter');
  await until(() => focused('#game'), 'the form is gone through again');
  await leave(page);
});

test('a game that could not be read is read again, and what was said is gone', async () => {
  const page = await form();
  let gone = true;
  await page.route(/\/v1\/games\/copenhagen$/, (route) => (gone ? route.abort('connectionrefused') : route.continue()));
  const [game, alert] = [page.locator('muninn-open #game'), page.locator('muninn-open [role="alert"]')];
  await game.selectOption('copenhagen');
  await alert.filter({ hasText: 'keeps trying' }).waitFor();
  await game.selectOption('voluspa');
  await page.locator('muninn-open button.main:enabled').waitFor();
  assert.equal(await alert.count(), 0, 'it is of another game');
  await game.selectOption('copenhagen');
  await alert.waitFor();
  gone = false;
  await page.locator('muninn-open button.main:enabled').waitFor();
  assert.equal(await alert.count(), 0);
  await leave(page, /ERR_CONNECTION_REFUSED/);
});

test('a match is opened when the server is back, and once', async () => {
  const page = await form();
  const keys = new Set();
  let gone = true;
  await page.route(/\/v1\/matches$/, (route) => {
    keys.add(route.request().headers()['idempotency-key']);
    return gone ? route.abort('connectionrefused') : route.continue();
  });
  await page.locator('muninn-open button.main').click();
  await page.locator('muninn-open [role="alert"]').filter({ hasText: 'keeps trying' }).waitFor();
  gone = false;
  await page.locator('muninn-open [data-link]').first().waitFor();
  assert.equal(keys.size, 1);
  await leave(page, /ERR_CONNECTION_REFUSED/);
});

test('a server that is full is not waited for', async () => {
  const page = await form();
  const detail = 'this server is full';
  await page.route(/\/v1\/matches$/, (route) => route.fulfill({
    status: 503, contentType: 'application/problem+json', headers: { 'retry-after': '3600' },
    body: JSON.stringify({ type: 'about:blank', title: 'Service Unavailable', status: 503, code: 'unavailable', detail, request_id: '' }),
  }), { times: 1 });
  const open = page.locator('muninn-open button.main');
  await open.click();
  const alert = page.locator('muninn-open [role="alert"]').filter({ hasText: detail });
  await alert.waitFor();
  assert.doesNotMatch(await alert.innerText(), /keeps trying/);
  await open.click();
  await page.locator('muninn-open [data-link]').first().waitFor();
  await leave(page, /503/);
});

test('no match is both private and waits for whoever takes a seat in the lobby', async () => {
  const page = await form();
  const [by, hidden, why] = [page.locator('muninn-open [data-seat="1"]'), page.locator('muninn-open #private'), page.getByText('not in the lobby')];
  await hidden.check();
  assert.ok(await by.locator('[value="open"]').isDisabled());
  await why.waitFor();
  await hidden.uncheck();
  await by.selectOption('open');
  await until(() => hidden.isDisabled(), 'it is no private one');
  await why.waitFor();
  await by.selectOption('person');
  await hidden.check();
  await page.locator('muninn-open button.main').click();
  await page.locator('muninn-open [data-link]').nth(1).waitFor();
  await leave(page);
});

for (const locale of ['en-US', 'de-DE']) {
  test(`nothing is wider than 320 pixels, ${locale}`, async () => {
    const page = await form({ locale, viewport: { width: 320, height: 640 } });
    const width = () => page.evaluate(() => document.scrollingElement.scrollWidth);
    for (const game of GAMES) {
      await page.locator('muninn-open #game').selectOption(game);
      await page.locator('muninn-open button.main:enabled').waitFor();
      assert.ok((await width()) <= 320, `${game} is ${await width()} wide`);
    }
    await page.locator('muninn-open button.main').click();
    await page.locator('muninn-open [data-link]').first().waitFor();
    assert.ok((await width()) <= 320, `the links are ${await width()} wide`);
    await leave(page);
  });
}
