// Two people in two browsers play every game, by clicks alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { act, dice, leave, playByClicks, shown, simulate, until, visit } from './house.mjs';
import { browser, house, stage } from './stage.mjs';

/** How many commands are clicked of a long game; `WHOLE=1` plays all to their end. */
const LONG = process.env.WHOLE ? Infinity : 20;

stage((data) => simulate(data, 'delphi', { matches: 6, bots: 'greedy' }));

/** Opens a match on the page of the lobby; the links that it gives. */
async function openByForm(page, game, names) {
  await page.goto(`${house.address}/watch`);
  await page.locator('summary', { hasText: 'Open a match' }).click();
  await page.getByLabel('Game', { exact: true }).first().selectOption(game);
  await page.locator('muninn-open button.main:enabled').waitFor();
  for (const [seat, name] of names.entries()) await page.getByLabel(`Seat ${seat}`, { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Open a match' }).click();
  const links = page.locator('a[data-link][href^="/play/"]');
  await links.first().waitFor();
  return links.evaluateAll((all) => all.map((link) => link.href));
}

async function sitDown(game, names = ['Ada', 'Ben']) {
  const lobby = await visit(browser, `${house.address}/watch`);
  const links = await openByForm(lobby, game, names);
  await leave(lobby);
  assert.equal(links.length, names.length);
  const pages = await Promise.all(links.map((link) => visit(browser, link)));
  return { match: new URL(links[0]).pathname.split('/')[2], pages, tokens: links.map((link) => new URL(link).hash.slice(1)) };
}

for (const [game, most, seed] of [['rosenkoenig', LONG, 3], ['voluspa', LONG, 5], ['copenhagen', LONG, 7], ['delphi', LONG, 9]]) {
  test(`two people play ${game} by clicks`, { timeout: 3_600_000 }, async () => {
    const { match, pages, tokens } = await sitDown(game);
    const { done, info } = await playByClicks(house, match, pages, { seed, most });
    assert.ok(done >= 20 || info.status === 'finished', `${done} commands`);
    for (const page of pages) {
      await until(async () => (await shown(page)) === info.version, 'both pages show the same');
      if (info.status === 'finished') await page.getByRole('status').filter({ hasText: '1. ' }).first().waitFor();
      assert.ok(page.addresses.every((address) => !tokens.some((token) => address.includes(token))), 'no token in an address');
      await leave(page);
    }
  });
}

/** A finished match of Delphi with the version at which its first ship is home and the match is not yet over. */
async function lastRound() {
  const { items } = await house.api('/v1/matches?game=delphi&status=finished');
  for (const { match } of items) {
    for (let after = 0; after !== null;) {
      const page = await house.api(`/v1/matches/${match}/commits?after=${after}&limit=1000`);
      const home = page.items.find((commit) => commit.events.some((event) => event.type === 'ZeusReached'));
      if (home && !home.events.some((event) => event.type === 'MatchFinished')) return { match, at: home.last_version };
      after = page.next;
    }
  }
  throw new Error('every match ends as the first ship comes home');
}

test('the last round of delphi is played to its end, from a branch', { timeout: 600_000 }, async () => {
  const { match, at } = await lastRound();
  const branch = await house.api(`/v1/matches/${match}/branches`, { method: 'POST', body: { at } });
  const pages = await Promise.all(branch.seat_tokens.map((token) => visit(browser, `${house.address}/play/${branch.match}#${token}`)));
  const { info } = await playByClicks(house, branch.match, pages, { seed: 4 });
  assert.equal(info.status, 'finished');
  for (const page of pages) {
    await page.getByRole('status').filter({ hasText: '1. ' }).first().waitFor();
    await leave(page);
  }
});

test('the list alone is enough', async () => {
  const { match, pages } = await sitDown('copenhagen');
  const { done } = await playByClicks(house, match, pages, { seed: 2, most: 12, prefer: 'list' });
  assert.equal(done, 12);
  for (const page of pages) await leave(page);
});

test('an open seat is taken in the lobby, and the match begins', async () => {
  const { match, seat_tokens: [token] } = await house.open({ game: 'rosenkoenig', seats: [{ name: 'Host' }, { open: true }] });
  const host = await visit(browser, `${house.address}/play/${match}#${token}`);
  // The picture says so as well.
  await host.getByText('Waiting for players', { exact: true }).waitFor();
  const guest = await visit(browser, `${house.address}/watch/${match}`);
  let called = 'x'.repeat(65);
  guest.on('dialog', (dialog) => dialog.accept(called));
  await guest.getByRole('link', { name: 'Take a seat' }).click();
  await guest.locator(`[data-match="${match}"]`).getByRole('button').click();
  await guest.getByRole('alert').filter({ hasText: 'at most 64 characters' }).waitFor();
  // The list was read again, and it still stands there.
  await guest.waitForResponse(/\/v1\/matches\?/);
  await guest.getByRole('alert').waitFor();
  called = 'Guest';
  await guest.locator(`[data-match="${match}"]`).getByRole('button').click();
  await guest.waitForURL(/\/play\/.*#[0-9a-f]{64}$/);
  await until(async () => (await house.api(`/v1/matches/${match}`)).status === 'running', 'the match runs');
  await until(async () => (await host.locator('muninn-commands').count()) + (await guest.locator('muninn-commands').count()) === 1, 'one of them may act');
  await leave(host);
  await leave(guest, /400/);
});

for (const [screen, options] of Object.entries({
  'a phone': { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  'a phone held across': { viewport: { width: 740, height: 360 }, isMobile: true, hasTouch: true },
  'a desk': {},
})) {
  test(`whoever looks into the past at their turn is told so and led back, on ${screen}`, async () => {
    const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', options: { start: 'red' }, seats: [{}, {}] });
    const page = await visit(browser, `${house.address}/play/${match}?at=1#${tokens[0]}`, options);
    const { version } = await house.api(`/v1/matches/${match}`);
    const dock = page.locator('muninn-match .dock');
    await dock.getByText(`event 1 of ${version}`).waitFor();
    await dock.getByRole('button', { name: 'Go live' }).click();
    await page.locator('muninn-commands').waitFor();
    assert.equal(await dock.getByRole('button', { name: 'Go live' }).count(), 0);
    assert.doesNotMatch(page.url(), /at=/);
    await leave(page);
  });
}

test('a command is taken back where the match allows it', async () => {
  const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', options: { start: 'red' }, seats: [{ name: 'Ada' }, {}], take_back: true });
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[0]}`);
  await page.locator('muninn-commands').waitFor();
  const before = (await house.api(`/v1/matches/${match}`)).version;
  await act(page, dice(4), 'list');
  await page.locator('[data-control="take-back"]').click();
  await page.locator('muninn-log').getByText('takes back the latest command').waitFor();
  const view = await house.api(`/v1/matches/${match}/view`);
  const old = await house.api(`/v1/matches/${match}/view?at=${before}`);
  assert.deepEqual(view.board, old.board);
  await page.locator('muninn-commands').waitFor();
  await leave(page);
});

test('what drew by chance is not offered to be taken back again, and the rule can be read', async () => {
  const { match, seat_tokens: tokens } = await house.open({ game: 'voluspa', seats: [{}, {}], take_back: true });
  const { active_seat: seat } = await house.api(`/v1/matches/${match}`);
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[seat]}`);
  await page.locator('muninn-commands').waitFor();
  await house.play(match, tokens, 1);
  const back = page.locator('[data-control="take-back"]');
  await back.click();
  await page.getByRole('alert').getByRole('button', { name: 'M-83' }).click();
  await page.locator('#rule', { hasText: 'M-83' }).waitFor();
  assert.equal(await back.count(), 0);
  await leave(page, /422/);
});

test('whoever asks in the past to take back, and may not, is in the present', async () => {
  const { match, seat_tokens: tokens } = await house.open({ game: 'voluspa', seats: [{}, {}], take_back: true });
  const { active_seat: seat } = await house.api(`/v1/matches/${match}`);
  await house.play(match, tokens, 1);
  const { version, active_seat: next } = await house.api(`/v1/matches/${match}`);
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[seat]}`);
  const back = page.locator('[data-control="take-back"]');
  await back.waitFor();
  await page.keyboard.press('Home');
  await until(async () => (await shown(page)) === 1, 'in the past');
  await back.click();
  await page.getByRole('alert').filter({ hasText: 'M-83' }).waitFor();
  await until(async () => (await shown(page)) === version, 'in the present');
  if (next === seat) await page.locator('muninn-commands').waitFor();
  else await page.getByText(/ to act/).first().waitFor();
  await leave(page, /422/);
});

test('Escape closes the text of a rule, and only then takes something of the choice back', async () => {
  const { match, seat_tokens: tokens } = await house.open({ game: 'voluspa', seats: [{}, {}], sandbox: { seed: '5'.repeat(64) } });
  const { active_seat: seat } = await house.api(`/v1/matches/${match}`);
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[seat]}`);
  await page.locator('muninn-commands .list button[data-value]').first().click();
  const [chips, rule] = [page.locator('muninn-commands .chip'), page.locator('#rule')];
  await chips.first().waitFor();
  const chosen = await chips.count();
  await page.locator('muninn-log button.rule').first().click();
  await rule.waitFor();
  await page.keyboard.press('Escape');
  await rule.waitFor({ state: 'hidden' });
  assert.equal(await chips.count(), chosen);
  await page.keyboard.press('Escape');
  await until(async () => (await chips.count()) < chosen, 'now it is taken back');
  await leave(page);
});

test('a refusal is told with its rule, and the rule can be read', async () => {
  const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', options: { start: 'red' }, seats: [{}, {}] });
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[0]}`);
  const entry = page.locator('muninn-commands button[data-command]').first();
  await entry.waitFor();
  // What the page offers is legal: somebody has to send something else in its place.
  const sent = /\/v1\/.*\/commands(\?|$)/;
  await page.route(sent, (route) => route.continue({ postData: JSON.stringify({ command: { type: 'DrawCard' } }) }));
  await entry.click();
  const refusal = page.getByRole('alert');
  await refusal.getByRole('button', { name: 'R-45' }).click();
  await page.getByText('A card is drawn only with fewer than five cards in hand.').last().waitFor();
  await page.unroute(sent);
  await page.keyboard.press('Escape');
  await act(page, dice(1), 'list');
  await until(async () => (await house.api(`/v1/matches/${match}`)).commit === 2, 'it goes on after a refusal');
  await leave(page, /422/);
});
