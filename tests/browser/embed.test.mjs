// A match on pages of others: the board alone in a frame, and what a link shows.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { GAMES, leave, until, visit } from './house.mjs';
import { browser, house, stage } from './stage.mjs';

let elsewhere;

after(() => elsewhere?.close());
stage();

/** A page of another origin with this in it. */
async function pageWith(markup) {
  elsewhere?.close();
  elsewhere = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">${markup}`);
  });
  await new Promise((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${elsewhere.address().port}/`;
}

test('the markup of oEmbed shows the board live in a page of others', async () => {
  for (const game of GAMES) {
    const { match, seat_tokens: tokens } = await house.open({ game, seats: [{ name: 'Ada' }, { name: 'Ben' }] });
    const told = await house.api(`/oembed?url=${encodeURIComponent(`${house.address}/watch/${match}`)}&format=json&maxwidth=500`);
    assert.equal(told.width, 500);
    const page = await visit(browser, await pageWith(told.html));
    const frame = page.frameLocator('iframe');
    await frame.locator('muninn-picture svg').waitFor();
    await frame.getByRole('status').filter({ hasText: /Ada – Ben · (Ada|Ben) to act/ }).waitFor();
    await house.play(match, tokens, 2);
    const { version } = await house.api(`/v1/matches/${match}`);
    await frame.locator(`muninn-picture svg[data-version="${version}"]`).waitFor();
    // All of it is in the frame, nothing in it acts, and it knows no token.
    const [board, whole] = [await frame.locator('muninn-picture svg').boundingBox(), await page.locator('iframe').boundingBox()];
    assert.ok(board.y >= whole.y && board.y + board.height <= whole.y + whole.height && board.width <= whole.width, game);
    assert.equal(await frame.locator('button, input, select, [role="button"]').count(), 0);
    assert.match(await frame.getByRole('link').getAttribute('href'), new RegExp(`^/watch/${match}$`));
    assert.ok(page.addresses.every((address) => !tokens.some((token) => address.includes(token))));
    await leave(page);
  }
});

test('what the embed says is written when it is another, and not again', async () => {
  const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', seats: [{ name: 'Ada' }, { name: 'Ben' }], options: { start: 'red' } });
  const page = await visit(browser, `${house.address}/embed/${match}`);
  const status = page.getByRole('status');
  await status.filter({ hasText: 'Ada to act' }).waitFor();
  await page.evaluate(() => {
    window.written = [];
    const observer = new MutationObserver((all) => window.written.push(...all.map(({ removedNodes: [old], addedNodes: [now] }) => [old?.data, now?.data])));
    for (const what of ['[role="status"]', 'title', 'h1']) observer.observe(document.querySelector(what), { childList: true });
  });
  await house.play(match, tokens, 1);
  await status.filter({ hasText: 'Ben to act' }).waitFor();
  await page.locator(`muninn-picture svg[data-version="${(await house.api(`/v1/matches/${match}`)).version}"]`).waitFor();
  const written = await page.evaluate(() => window.written);
  assert.ok(written.length > 0);
  assert.deepEqual(written.filter(([old, now]) => old === now), []);
  await leave(page);
});

test('other pages than the embed are framed by nobody, and a private match is not embedded', async () => {
  const open = await house.open({ game: 'rosenkoenig', seats: [{}, {}] });
  const page = await visit(browser, await pageWith(`<iframe src="${house.address}/watch/${open.match}"></iframe>`));
  await until(() => page.complaints.some((complaint) => /frame-ancestors/.test(complaint)), 'it is refused');
  await leave(page, /frame|ERR_BLOCKED/);
  const hidden = await house.open({ game: 'rosenkoenig', seats: [{ name: 'Ada' }, {}], visibility: 'private' });
  for (const address of [`/embed/${hidden.match}`, `/oembed?url=${encodeURIComponent(`${house.address}/watch/${hidden.match}`)}`]) {
    const answer = await fetch(house.address + address);
    assert.equal(answer.status, 401);
    assert.doesNotMatch(await answer.text(), /Ada|iframe/);
  }
  assert.doesNotMatch(await (await fetch(`${house.address}/watch/${hidden.match}`)).text(), /og:|oembed|Ada/);
});

test('a page of others has the match with everything around it, and beside it the board of @muninn/client', async () => {
  const { match } = await house.open({ game: 'rosenkoenig', seats: [{ name: 'Ada' }, { name: 'Ben' }] });
  const at = `server="${house.address}" match="${match}"`;
  const scripts = ['match.js', 'client/element.js'].map((name) => `<script type="module" src="${house.address}/pages/${name}"></script>`).join('');
  const page = await visit(browser, await pageWith(`${scripts}<muninn-match ${at}></muninn-match><muninn-board ${at}></muninn-board>`));
  await page.locator('muninn-match muninn-picture svg').waitFor();
  await page.locator('body > muninn-board svg').first().waitFor();
  await leave(page);
});
