// By the keyboard: the focus stays where one plays, and what is larger than its frame is scrolled.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, shown, until, visit } from './house.mjs';
import { browser, house, stage } from './stage.mjs';

const SENT = /\/v1\/.*\/commands(\?|$)/;

stage();

/** A match, of Copenhagen one in which a turn is two commands, on the page of whoever begins. */
async function sit(game = 'copenhagen') {
  const { match, seat_tokens: tokens } = await house.open({ game, seats: [{ name: 'Ada' }, { name: 'Ben' }], sandbox: { seed: '5'.repeat(64) } });
  const { active_seat: seat } = await house.api(`/v1/matches/${match}`);
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[seat]}`);
  await page.locator('muninn-commands').waitFor();
  return { match, tokens, seat, page };
}

/** What has the focus, within whatever shadow. */
const focused = (page) => page.evaluate(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const is = (what) => element.matches(what);
  return { place: is('.choosable'), frame: is('.frame'), button: is('button:enabled'), list: is('section[aria-label]'), body: is('body'), within: element.getRootNode().host?.localName };
});

/** Has this very element the focus? */
const has = (what) => what.evaluate((element) => element.matches(':focus'));

const version = async (match) => (await house.api(`/v1/matches/${match}`)).version;

/** The turn of the match when its page has drawn it. */
const drawn = async (page, match) => page.locator(`muninn-commands[data-version="${await version(match)}"]`).waitFor();

async function tabTo(page, what) {
  for (let tabs = 0; tabs < 120; tabs += 1) {
    if ((await focused(page))[what]) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to a ${what}`);
}

test('the focus stays on the board over a command, and an arrow does not lead back in time', async () => {
  const { match, tokens, seat, page } = await sit();
  // Long enough that keys are pressed while it is under way.
  await page.route(SENT, async (route) => {
    await page.waitForTimeout(400);
    await route.continue();
  });
  for (let command = 0; command < 2; command += 1) {
    if (!command) await tabTo(page, 'place');
    const before = await version(match);
    await page.keyboard.press('Enter');
    await page.locator('muninn-picture .chosen').first().waitFor();
    await page.keyboard.press('Enter');
    await until(async () => (await page.locator('muninn-picture .choosable').count()) === 0, 'the command is under way');
    await page.waitForTimeout(100);
    assert.ok((await focused(page)).frame, `command ${command}: the frame keeps it`);
    await page.keyboard.press('ArrowLeft');
    await until(async () => (await version(match)) > before, 'the command is done');
    await until(async () => (await shown(page)) === (await version(match)), `command ${command}: the page shows it`);
    if (command) break;
    await drawn(page, match);
    await until(async () => (await focused(page)).place, 'the focus is on the next place');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    assert.ok((await focused(page)).place);
    assert.equal(await shown(page), await version(match));
  }
  // While the other thinks, the frame keeps it; after that it is on a place again.
  assert.ok((await focused(page)).frame);
  await house.play(match, tokens.map((token, index) => (index === seat ? undefined : token)), 2);
  await drawn(page, match);
  await until(async () => (await focused(page)).place, 'the focus is on the board at the next turn');
  await leave(page);
});

test('the focus stays with the list of commands', async () => {
  const { match, tokens, seat, page } = await sit();
  await tabTo(page, 'button');
  await page.locator('muninn-commands .list button').first().focus();
  const before = await version(match);
  await page.keyboard.press('Enter');
  await until(async () => (await version(match)) > before, 'the command is done');
  await drawn(page, match);
  await until(async () => (await focused(page)).list, 'the focus is on the list of what may be done next');
  await page.keyboard.press('Tab');
  assert.deepEqual([(await focused(page)).within, (await focused(page)).button], ['muninn-commands', true]);
  await page.keyboard.press('Enter');
  await until(async () => (await page.locator('muninn-commands').count()) === 0, 'the turn is over');
  assert.equal((await focused(page)).within, 'muninn-match', 'where the list was');
  await house.play(match, tokens.map((token, index) => (index === seat ? undefined : token)), 2);
  await drawn(page, match);
  await until(async () => (await focused(page)).list, 'the focus is on the list at the next turn');
  await leave(page);
});

test('the focus stays with the list while a command is chosen field by field', async () => {
  const { page } = await sit('voluspa');
  const [fields, chips] = ['.list button[data-value]', '.chip'].map((what) => page.locator(`muninn-commands ${what}`));
  let choices = 0;
  for (; await fields.count(); choices += 1) {
    await fields.first().focus();
    await page.keyboard.press('Enter');
    await chips.nth(choices).waitFor();
    await page.waitForTimeout(100);
    const { within, button } = await focused(page);
    assert.deepEqual([within, button], ['muninn-commands', true], `after choice ${choices}`);
  }
  assert.ok(choices > 0);
  // What takes a choice back goes with it.
  for (; choices > 0; choices -= 1) {
    await chips.first().focus();
    await page.keyboard.press('Enter');
    await until(async () => (await chips.count()) < choices, 'one fewer');
    await page.waitForTimeout(100);
    assert.equal((await focused(page)).within, 'muninn-commands', `with ${choices} choices`);
  }
  await leave(page);
});

test('the text of a rule has the focus while it is read, and gives it back', async () => {
  const { page } = await sit('voluspa');
  const button = page.locator('muninn-log button.rule').first();
  const number = await button.innerText();
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: number, exact: true });
  await dialog.waitFor();
  await until(() => has(dialog), 'the focus is in the text');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await until(() => has(button), 'the focus is back');
  await leave(page);
});

test('the focus stays on a button of time that leads no further', async () => {
  const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', seats: [{ name: 'Ada' }, { name: 'Ben' }] });
  await house.play(match, tokens, 2);
  const end = await version(match);
  const page = await visit(browser, `${house.address}/watch/${match}?at=2`);
  for (const [name, at] of [['back', 1], ['last', end]]) {
    const button = page.locator(`[data-control="${name}"]`);
    await button.focus();
    for (let times = 0; times < 2; times += 1) {
      await page.keyboard.press('Enter');
      await until(async () => (await shown(page)) === at, name);
      await page.waitForTimeout(100);
      assert.deepEqual([await shown(page), await has(button), await button.getAttribute('aria-disabled')], [at, true, 'true']);
    }
  }
  await leave(page);
});

test('arrows scroll a picture that is wider than its frame, and lead through time otherwise', async () => {
  const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', seats: [{ name: 'Ada' }, { name: 'Ben' }] });
  await house.play(match, tokens, 3);
  const page = await visit(browser, `${house.address}/watch/${match}?at=3`);
  await page.locator('muninn-picture svg').waitFor();
  await until(async () => (await shown(page)) === 3, 'the moment');
  await page.locator('muninn-log .now').waitFor();
  const scrolled = () => page.locator('muninn-picture .frame').evaluate((frame) => frame.scrollLeft);
  await tabTo(page, 'frame');
  await page.keyboard.press('ArrowRight');
  await until(async () => (await shown(page)) === 4, 'all of it is in sight: through time');
  for (let times = 0; times < 8; times += 1) await page.keyboard.press('+');
  const from = await scrolled();
  await page.keyboard.press('ArrowRight');
  await until(async () => (await scrolled()) > from, 'to the right');
  await page.waitForTimeout(300);
  const right = await scrolled();
  await page.keyboard.press('ArrowLeft');
  await until(async () => (await scrolled()) < right, 'to the left');
  assert.equal(await shown(page), 4);
  await page.keyboard.press('Shift+ArrowLeft');
  await until(async () => (await shown(page)) < 4, 'by commands still');
  await leave(page);
});
