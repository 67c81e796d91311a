// What goes wrong is said in plain words, and mends itself where it can.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { leave, shown, until, visit } from './house.mjs';
import { browser, house, stage } from './stage.mjs';

stage();

const open = (more = {}) => house.open({ game: 'rosenkoenig', seats: [{ name: 'Ada' }, { name: 'Ben' }], ...more });

async function says(address, text) {
  const page = await visit(browser, house.address + address);
  await page.getByText(text).first().waitFor();
  return page;
}

test('an unknown match', async () => {
  for (const id of ['01890000-0000-7000-8000-000000000000', 'nonsense', '%3Cscript%3E', '%']) {
    await leave(await says(`/watch/${id}`, 'There is no such match here.'), /404|400/);
  }
});

test('a version that is none: the latest one is shown', async () => {
  const { match } = await open();
  for (const at of ['0', '99999', '-1', 'x', '1.5']) {
    const page = await says(`/watch/${match}?at=${at}`, 'There is no such moment.');
    await until(async () => (await shown(page)) >= 1, 'the latest moment');
    await leave(page);
  }
});

test('another viewer of a live match is not shown', async () => {
  const { match } = await open();
  await leave(await says(`/watch/${match}?viewer=1`, 'This view cannot be shown'));
  await leave(await says(`/watch/${match}?viewer=nobody`, 'This view cannot be shown'));
});

test('a private match takes a token, and not any', async () => {
  const { match, seat_tokens: [token] } = await open({ visibility: 'private' });
  const other = await open();
  await leave(await says(`/watch/${match}`, 'This match is private'), /401/);
  await leave(await says(`/play/${match}#${'0'.repeat(64)}`, 'The link is wrong'), /401/);
  await leave(await says(`/play/${match}#${other.seat_tokens[0]}`, /The link is (wrong|that of another match)/), /401|403/);
  const page = await visit(browser, `${house.address}/play/${match}#${token}`);
  await page.locator('muninn-log .now').waitFor();
  await leave(page);
});

test('a match that has no picture is shown as lists, with its log', async () => {
  // A hex so far away that the map is too wide for a picture.
  const { position } = await house.api('/v1/games/delphi/positions', { method: 'POST', body: { seats: 2, options: { map: 'random' } } });
  position.map.hexes.push({ q: 500, r: 500, kind: 'shallow', color: null });
  const { match } = await house.open({ game: 'delphi', seats: [{ name: 'Ada' }, { name: 'Ben' }], position });
  assert.equal((await fetch(`${house.address}/v1/matches/${match}/board.svg`)).status, 422);
  const page = await visit(browser, `${house.address}/watch/${match}`);
  await page.locator('muninn-match .picture .tree').first().waitFor();
  await page.locator('muninn-log .now').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await leave(page, /422/);
});

test('a store that is older than what was seen is shown anew, and live', async () => {
  const { match, seat_tokens: tokens } = await open();
  await house.play(match, tokens, 3);
  const { version } = await house.api(`/v1/matches/${match}`);
  const page = await visit(browser, 'about:blank');
  const pictures = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/board.svg')) pictures.push(Number(searchParams.get('at')));
  });
  let streams = 0;
  let refuse;
  const refused = new Promise((resolve) => { refuse = resolve; });
  await page.route('**/v1/**/stream*', async (route) => {
    streams += 1;
    if (streams > 1) return route.continue();
    await refused;
    const problem = { type: 'about:blank', title: 'Unprocessable Content', status: 422, code: 'version_unknown', detail: 'the match is not that far', request_id: '' };
    return route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify(problem) });
  });
  await page.goto(`${house.address}/watch/${match}?at=1`);
  await page.locator('muninn-picture svg[data-version="1"]').waitFor();
  await page.keyboard.press('End');
  await page.locator(`muninn-picture svg[data-version="${version}"]`).waitFor();
  const before = pictures.length;
  refuse();
  await page.getByText('There is no such moment.').first().waitFor();
  await until(() => pictures.slice(before).includes(version), 'the picture is read again');
  await until(async () => (await shown(page)) === version && page.getByText('There is no such moment.').count().then((count) => !count), 'the present');
  assert.doesNotMatch(page.url(), /at=/);
  await leave(page, /422/);
});

test('a match that was closed before its end', async () => {
  const { match, owner_token } = await open();
  const headers = { authorization: `Bearer ${owner_token}` };
  assert.equal((await fetch(`${house.address}/v1/matches/${match}/close`, { method: 'POST', headers })).status, 200);
  const page = await says(`/watch/${match}`, 'Closed before its end');
  await page.locator('muninn-log .now').waitFor();
  const heads = await page.locator('muninn-log .head').allInnerTexts();
  assert.deepEqual(heads.map((text) => text.includes('Setup')), [true, false]);
  await leave(page);
});

test('a server that is gone when the page loads, and comes back', async () => {
  const { match } = await open();
  const page = await visit(browser, `${house.address}/watch`);
  await page.locator(`[data-match="${match}"]`).waitFor();
  let gone = true;
  await page.route('**/v1/**', (route) => (gone ? route.abort('connectionrefused') : route.continue()));
  await page.evaluate((path) => history.pushState(null, '', path), `/watch/${match}`);
  await page.reload();
  await page.getByText('The server does not answer.').waitFor();
  gone = false;
  await page.locator('muninn-log .now').waitFor();
  assert.equal(await page.getByText('The server does not answer.').count(), 0);
  await leave(page, /ERR_|Failed to load resource/);
});

test('words that could be read at last are no trouble any more', async () => {
  const { match } = await open();
  for (const way of ['watch', 'embed']) {
    const page = await visit(browser, 'about:blank');
    let asked = 0;
    await page.route(/\/v1\/games\/[^/]+\/words/, (route) => {
      asked += 1;
      return asked <= 6 ? route.abort('connectionrefused') : route.continue();
    });
    await page.goto(`${house.address}/${way}/${match}`);
    const trouble = page.getByText('This page keeps trying');
    await trouble.first().waitFor();
    await page.getByRole('status').filter({ hasText: 'to act' }).first().waitFor();
    assert.deepEqual([await trouble.count(), await page.getByRole('alert').count()], [0, 0], way);
    await leave(page, /ERR_CONNECTION_REFUSED/);
  }
});

test('hints that could be read at last are no trouble any more', async () => {
  const { match, seat_tokens: tokens } = await open({ options: { start: 'red' } });
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[0]}`);
  await page.locator('muninn-commands').waitFor();
  let gone = true;
  await page.route(/\/legal-commands\?/, (route) => (gone ? route.abort('connectionrefused') : route.continue()));
  const [hints, alert] = [page.locator('[data-control="hints"]'), page.getByRole('alert')];
  await hints.click();
  await alert.filter({ hasText: 'did not answer' }).waitFor();
  gone = false;
  await hints.click();
  await until(async () => (await alert.count()) === 0, 'it is said no longer');
  await leave(page, /ERR_CONNECTION_REFUSED/);
});

test('a stream that breaks in the middle of a message', async () => {
  const { match, seat_tokens: tokens } = await open();
  let broken = 0;
  const page = await visit(browser, `${house.address}/watch`);
  await page.route('**/v1/**/stream*', (route) => {
    broken += 1;
    return broken <= 2 ? route.fulfill({ contentType: 'text/event-stream', body: 'retry: 2000\n\nid: 9\ndata: {"comm' }) : route.continue();
  });
  await page.goto(`${house.address}/watch/${match}`);
  await until(() => broken >= 3, 'it tries again');
  await house.play(match, tokens, 2);
  const { version } = await house.api(`/v1/matches/${match}`);
  await until(async () => (await shown(page)) === version, 'it follows');
  await leave(page);
});

test('the log is read slowly while the match goes on', async () => {
  const { match, seat_tokens: tokens } = await open();
  const page = await visit(browser, house.address);
  let slow = 0;
  await page.route(/\/commits\?/, async (route) => {
    const response = await route.fetch();
    // The answer is of before this command; the stream tells of it first.
    if (slow < 3) {
      slow += 1;
      await house.play(match, tokens, 1);
      await page.waitForTimeout(1000);
    }
    await route.fulfill({ response });
  });
  await page.goto(`${house.address}/watch/${match}`);
  await until(async () => slow === 3 && (await shown(page)) === (await house.api(`/v1/matches/${match}`)).version, 'the latest moment');
  await page.locator('muninn-log .now').waitFor();
  await leave(page);
});

test('an answer to a command that gets lost: it is done once', async () => {
  const { match, seat_tokens: tokens } = await open({ options: { start: 'red' } });
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[0]}`);
  const entry = page.locator('muninn-commands button[data-command]').first();
  await entry.waitFor();
  let lost = 0;
  await page.route(/\/v1\/.*\/commands(\?|$)/, async (route) => {
    if (lost >= 1) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort('connectionreset');
  });
  await entry.click();
  await page.getByText('Ben to act').first().waitFor();
  assert.equal(lost, 1);
  assert.equal((await house.api(`/v1/matches/${match}`)).commit, 2);
  assert.equal(await page.getByRole('alert').count(), 0);
  await leave(page, /ERR_|Failed to load resource/);
});

test('a command waits on a phone for the server, and is done once when that is back', async () => {
  const { match, seat_tokens: tokens } = await open({ options: { start: 'red' } });
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[0]}`, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  const embed = await visit(browser, `${house.address}/embed/${match}`);
  const keys = [];
  page.on('request', (request) => /\/commands(\?|$)/.test(request.url()) && keys.push(request.headers()['idempotency-key']));
  const entry = page.locator('muninn-commands button[data-command]').first();
  await entry.waitFor();
  await embed.getByRole('status').filter({ hasText: 'Ada to act' }).waitFor();
  await house.stop();
  for (const one of [page, embed]) await one.getByText('Connection lost').filter({ visible: true }).waitFor();
  await entry.tap();
  const alert = page.getByRole('alert');
  await alert.filter({ hasText: 'keeps trying' }).waitFor();
  await house.start();
  await page.getByText('Ben to act').first().waitFor();
  assert.equal((await house.api(`/v1/matches/${match}`)).commit, 2);
  assert.deepEqual([new Set(keys).size, await alert.count()], [1, 0]);
  for (const one of [page, embed]) {
    await until(async () => (await one.getByText('Connection lost').count()) === 0, 'nothing is lost any more');
    await leave(one, /ERR_|Failed to load resource/);
  }
});
