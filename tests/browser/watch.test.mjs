// Spectators: live, back in time, after a restart, in finished matches.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { GAMES, leave, shown, simulate, until, visit } from './house.mjs';
import { browser, house, stage } from './stage.mjs';

stage(async (data) => {
  for (const game of GAMES) await simulate(data, game, { bots: 'greedy' });
});

const open = () => house.open({ game: 'rosenkoenig', seats: [{ name: 'Ada' }, { name: 'Ben' }] });
const head = async (match) => (await house.api(`/v1/matches/${match}`)).version;
const pressed = (page) => page.locator('[data-control="live"]').getAttribute('aria-pressed');

test('from the lobby into a live match, back in time while it goes on, and live again', async () => {
  const { match, seat_tokens: tokens } = await open();
  const page = await visit(browser, `${house.address}/watch`);
  await page.locator('[data-filter="status"]').selectOption('running');
  await page.locator('[data-filter="game"]').selectOption('rosenkoenig');
  await page.locator(`[data-match="${match}"]`).getByRole('link').click();
  await page.getByText(/(Ada|Ben) to act/).first().waitFor();
  await house.play(match, tokens, 3);
  await until(async () => (await shown(page)) === (await head(match)), 'the page follows');
  assert.equal(await pressed(page), 'true');

  await page.keyboard.press('Home');
  await until(async () => (await shown(page)) === 1, 'at the beginning');
  await house.play(match, tokens, 2);
  const now = await head(match);
  await until(async () => (await page.locator('muninn-controls output').innerText()).endsWith(String(now)), 'it hears that the match goes on');
  assert.equal(await shown(page), 1, 'and stays where it is');
  assert.match(page.url(), /\?at=1$/);

  await page.getByRole('button', { name: 'Go live' }).click();
  await until(async () => (await shown(page)) === now, 'live again');
  assert.doesNotMatch(page.url(), /at=/);

  // The end of a match that goes on is the present.
  const ways = [() => page.locator('[data-control="last"]').click(), async () => page.getByRole('slider').fill(String(await head(match)))];
  for (const way of ways) {
    await page.keyboard.press('Home');
    await until(async () => (await pressed(page)) === 'false', 'in the past');
    await way();
    await until(async () => (await pressed(page)) === 'true', 'live at the end');
    await house.play(match, tokens, 1);
    await until(async () => (await shown(page)) === (await head(match)), 'and it follows');
  }
  await leave(page);
});

test('a match that is faster than its pictures is shown all the same', async () => {
  for (const way of ['watch', 'embed']) {
    const { match, seat_tokens: tokens } = await open();
    const page = await visit(browser, house.address);
    await page.route('**/board.svg*', async (route) => {
      await new Promise((resolve) => { setTimeout(resolve, 500); });
      await route.continue().catch(() => {});
    });
    await page.goto(`${house.address}/${way}/${match}`);
    const picture = page.locator('muninn-picture svg');
    await picture.waitFor();
    const versions = new Set();
    // However slow the machine draws: three pictures come while the match goes on.
    for (let command = 0; command < 40 && versions.size < 3; command += 1) {
      assert.equal(await house.play(match, tokens, 1), 1, 'the match goes on');
      await page.waitForTimeout(150);
      versions.add(await picture.getAttribute('data-version'));
    }
    assert.equal(versions.size, 3, `${way}: ${[...versions]}`);
    await page.locator(`muninn-picture svg[data-version="${await head(match)}"]`).waitFor();
    // Who goes back does not wait for what is on its way.
    if (way === 'watch') {
      await house.play(match, tokens, 1);
      await page.keyboard.press('Home');
      await page.locator('muninn-picture svg[data-version="1"]').waitFor();
      await house.play(match, tokens, 1);
      const now = await head(match);
      await until(async () => (await page.locator('muninn-controls output').innerText()).endsWith(String(now)), 'it hears that the match goes on');
      // A picture of that would be there by then.
      await page.waitForTimeout(700);
      assert.equal(await picture.getAttribute('data-version'), '1');
    }
    await leave(page);
  }
});

test('a step that is answered late does not lead away from where one went meanwhile', async () => {
  const { match } = await house.open({ game: 'delphi', seats: [{}, {}], sandbox: { seed: '7'.repeat(64), fast_forward: { version: 2500 } } });
  const { version, commit } = await house.api(`/v1/matches/${match}`);
  assert.ok(commit > 300, `the log is read in parts, and this is one: ${commit}`);
  const page = await visit(browser, `${house.address}/watch/${match}`);
  await page.locator(`muninn-log .now [data-version="${version}"]`).waitFor();
  await page.route(/\/v1\/matches\/[^/]+\/(events|commits)\?/, async (route) => {
    await page.waitForTimeout(700);
    await route.continue().catch(() => {});
  });
  await page.getByRole('slider').fill('20');
  await page.keyboard.press('PageUp');
  await page.keyboard.press('End');
  // Until everything that was asked for is there.
  await page.waitForTimeout(3000);
  assert.deepEqual([await shown(page), await pressed(page)], [version, 'true']);
  await leave(page);
});

test('the list of matches lives: what is new appears and what goes on changes, without a reload', async () => {
  const page = await visit(browser, `${house.address}/watch`);
  await page.locator('[data-match]').first().waitFor();
  await page.evaluate(() => { window.never = 'reloaded'; });
  const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', seats: [{ name: 'Ada' }, { open: true }] });
  const row = page.locator(`[data-match="${match}"]`);
  await row.waitFor();
  const state = row.locator('.state');
  assert.equal(await state.innerText(), 'open');
  const { seat_token: token } = await house.api(`/v1/matches/${match}/seats/1`, { method: 'POST', body: { name: 'Newcomer' } });
  await row.getByText('Newcomer').waitFor();
  await until(async () => (await state.innerText()) === 'running', 'it runs');
  const picture = row.locator('img.mini');
  const before = await picture.getAttribute('src');
  await house.play(match, [tokens[0], token], 1);
  await until(async () => (await picture.getAttribute('src')) !== before, 'another picture');
  await until(() => picture.evaluate((image) => image.complete && image.naturalWidth > 50), 'it is drawn');
  assert.equal(await page.evaluate(() => window.never), 'reloaded');
  await leave(page);
});

test('after the server was killed and started again, the page goes on and misses nothing', async () => {
  const { match, seat_tokens: tokens } = await open();
  const page = await visit(browser, `${house.address}/watch/${match}`);
  await until(async () => (await shown(page)) === 1 || (await shown(page)) === (await head(match)), 'it is there');
  await house.play(match, tokens, 2);
  await house.stop('SIGKILL');
  await page.getByText('Connection lost, reconnecting').waitFor();
  await house.start();
  await house.play(match, tokens, 3);
  await until(async () => (await shown(page)) === (await head(match)), 'it has come back');
  // The number is there at once; the log follows when its commits were read.
  await page.locator(`muninn-log .now [data-version="${await head(match)}"]`).waitFor();
  const told = await page.locator('muninn-log a[data-version]').evaluateAll((all) => all.map((link) => Number(link.dataset.version)));
  assert.deepEqual(told, Array.from({ length: await head(match) }, (_, index) => index + 1), 'every event once, in order');
  await leave(page, /ERR_|Failed to load resource/);
});

for (const game of GAMES) {
  test(`a finished match of ${game} is gone through`, async () => {
    const info = await house.finished(game);
    const page = await visit(browser, `${house.address}/watch/${info.match}?at=1`);
    await until(async () => (await shown(page)) === 1, 'at the beginning');
    await page.getByLabel('Speed').selectOption('8');
    await page.locator('[data-control="play"]').click();
    await until(async () => (await shown(page)) >= 6, 'it plays');
    await page.keyboard.press('Space');
    const stopped = await shown(page);
    await page.waitForTimeout(400);
    assert.equal(await shown(page), stopped, 'it pauses');

    await page.keyboard.press('ArrowRight');
    await until(async () => (await shown(page)) === stopped + 1, 'one event on');
    await page.keyboard.press('Shift+ArrowLeft');
    await until(async () => (await shown(page)) < stopped + 1, 'one command back');
    const commits = await house.api(`/v1/matches/${info.match}/commits?limit=1000`);
    const ends = new Set([1, ...commits.items.map((commit) => commit.last_version)]);
    assert.ok(ends.has(await shown(page)), 'at the end of a command');

    await page.keyboard.press('End');
    await until(async () => (await shown(page)) === info.version, 'at the end');
    await page.getByRole('status').filter({ hasText: '1. ' }).first().waitFor();
    await page.locator(`muninn-log .now [data-version="${info.version}"]`).waitFor();
    const rule = page.locator('muninn-log button.rule').last();
    const number = await rule.innerText();
    await rule.click();
    const known = (await house.api(`/v1/games/${game}`)).rules.find((one) => one.rule === number);
    await page.locator('#rule', { hasText: known.text }).waitFor();
    await leave(page);
  });
}

test('at its end a match is played from its beginning, by the button as by the space bar', async () => {
  const info = await house.finished('rosenkoenig');
  const page = await visit(browser, `${house.address}/watch/${info.match}`);
  for (const start of [() => page.keyboard.press('Space'), () => page.locator('[data-control="play"]').click()]) {
    await page.keyboard.press('End');
    await until(async () => (await shown(page)) === info.version, 'at the end');
    await start();
    await until(async () => (await shown(page)) < info.version, 'from the beginning');
    await until(async () => (await shown(page)) >= 2, 'it plays');
    await page.locator('[data-control="play"]').click();
  }
  await leave(page);
});

test('a link leads to the very moment, seen by the very seat', async () => {
  const info = await house.finished('voluspa');
  const page = await visit(browser, `${house.address}/watch/${info.match}?at=57&viewer=1`);
  await until(async () => (await shown(page)) === 57, 'at event 57');
  assert.equal(await page.locator('[data-control="viewer"]').inputValue(), '1');
  const commits = await house.api(`/v1/matches/${info.match}/commits?viewer=1`);
  const draws = commits.items.flatMap((commit) => commit.events.map((event, index) => [commit.first_version + index, event]));
  const own = draws.find(([, event]) => event.type === 'TileDrawn' && event.seat === 1)[0];
  const other = draws.find(([, event]) => event.type === 'TileDrawn' && event.seat === 0)[0];
  await page.keyboard.press('Home');
  const line = (version) => page.locator('muninn-log .event', { has: page.locator(`[data-version="${version}"]`) }).innerText();
  await page.locator(`muninn-log [data-version="${other}"]`).waitFor();
  assert.match(await line(other), /draws a tile/, 'what seat 0 drew was hidden from seat 1');
  assert.doesNotMatch(await line(own), /draws a tile/);
  await page.locator('[data-control="viewer"]').selectOption('spectator');
  await until(async () => /draws a tile/.test(await line(own)), 'and a spectator saw neither');
  await page.goto(await page.locator('[data-control="link"]').evaluate((link) => link.href));
  await until(async () => (await shown(page)) === 1, 'the link of this moment');
  await leave(page);
});

/** How far the line of the moment is above the frame of the log, and below it: in sight it is neither. */
const away = (page) => page.locator('muninn-log .now').evaluate((now) => {
  const [line, frame] = [now, now.getRootNode().host.parentElement].map((element) => element.getBoundingClientRect());
  return { above: frame.top - line.bottom, below: line.top - frame.bottom };
});

test('whoever reads on in the log is left there', async () => {
  const info = await house.finished('delphi');
  const page = await visit(browser, `${house.address}/watch/${info.match}`);
  const first = () => page.locator('muninn-log a[data-version]').first().getAttribute('data-version').then(Number);
  await page.locator(`muninn-log .now [data-version="${info.version}"]`).waitFor();
  const before = await first();
  assert.ok(before > 1, 'there is more of the log');
  await page.locator('section.log').evaluate((box) => { box.scrollTop = 0; });
  await page.locator('muninn-log').getByRole('button', { name: 'Earlier' }).click();
  await until(async () => (await first()) < before, 'more of the log');
  assert.ok((await away(page)).below > 0, 'the moment is below the frame still');
  await page.keyboard.press('ArrowLeft');
  await page.locator(`muninn-log .now [data-version="${info.version - 1}"]`).waitFor();
  await until(async () => Math.max(...Object.values(await away(page))) < 0, 'another moment is in sight');
  await leave(page);

  // A match that goes on does not call back from the past either.
  const { match, seat_tokens: tokens } = await open();
  await house.play(match, tokens, 20);
  const past = await visit(browser, `${house.address}/watch/${match}?at=1`, { viewport: { width: 1280, height: 560 } });
  await past.locator('muninn-log .now').waitFor();
  await past.locator('section.log').evaluate((box) => { box.scrollTop = box.scrollHeight; });
  assert.ok((await away(past)).above > 0, 'the moment is above the frame');
  await house.play(match, tokens, 1);
  const now = await head(match);
  await until(async () => (await past.locator('muninn-controls output').innerText()).endsWith(String(now)), 'it hears that the match goes on');
  await past.waitForTimeout(100);
  assert.ok((await away(past)).above > 0, 'and stays where it is read');
  await leave(past);
});

test('a name with markup is text', async () => {
  const name = '<img src=x onerror=alert(1)> & <b>B</b>';
  const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', seats: [{ name }, { name: 'Ben' }] });
  await house.play(match, tokens, 2);
  for (const address of ['/watch', `/watch/${match}`]) {
    const page = await visit(browser, house.address + address);
    page.on('dialog', () => page.complaints.push('a script of the name ran'));
    await page.getByText(name).filter({ visible: true }).first().waitFor();
    // But for the small pictures of the list.
    assert.equal(await page.locator('img:not(.mini)').count(), 0);
    await leave(page);
  }
});

test('a page of another origin may embed a match', async () => {
  const info = await house.finished('rosenkoenig');
  const elsewhere = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Elsewhere</title><script type="module" src="${house.address}/pages/match.js"></script>
      <link rel="icon" href="data:,"><muninn-match server="${house.address}" match="${info.match}" at="30"></muninn-match>`);
  });
  await new Promise((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const page = await visit(browser, `http://127.0.0.1:${elsewhere.address().port}/`);
  await until(async () => (await shown(page)) === 30, 'it shows the moment');
  await leave(page);
  elsewhere.close();
});
