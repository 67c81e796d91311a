// How it looks and whom it serves: keyboards, phones, screen readers, German.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from './axe.mjs';
import { GAMES, leave, shown, simulate, until, visit } from './house.mjs';
import { browser, house, stage } from './stage.mjs';

let running;

stage(async (data) => {
  for (const game of GAMES) await simulate(data, game, { bots: 'greedy', seats: 2 });
}, async () => {
  running = await house.open({ game: 'rosenkoenig', options: { start: 'red' }, seats: [{ name: 'Ada' }, { name: 'Ben' }] });
});

/** Every kind of page, each once. */
async function pages() {
  const all = [['lobby', '/watch'], ['form', '/watch#open'], ['play', `/play/${running.match}#${running.seat_tokens[0]}`]];
  all.push(['developers', '/developers']);
  for (const game of GAMES) {
    const { match } = await house.finished(game);
    all.push([game, `/watch/${match}?at=60`], [`embed of ${game}`, `/embed/${match}`]);
  }
  return all;
}

async function settled(page, name) {
  if (name === 'lobby') await page.locator('[data-match]').first().waitFor();
  else if (name === 'form') await page.locator('muninn-open button.main:enabled').waitFor();
  else if (name === 'play') await page.locator('muninn-commands').waitFor();
  else if (name === 'developers') await page.locator('[data-lines]').filter({ hasText: 'muninn-board' }).waitFor();
  else if (name.startsWith('embed')) await page.locator('muninn-picture svg').waitFor();
  else await page.locator('muninn-log .now').waitFor();
}

for (const colorScheme of ['light', 'dark']) {
  test(`no finding of axe, ${colorScheme}`, async () => {
    for (const [name, address] of await pages()) {
      const page = await visit(browser, house.address + address, { colorScheme });
      await settled(page, name);
      assert.deepEqual(await findings(page), [], `${name}, ${colorScheme}`);
      await leave(page);
    }
  });
}

test('no finding of axe in a board of the client in 20 lines', async () => {
  const page = await visit(browser, 'about:blank');
  // It has little around it: a heading, and what it is mainly about.
  await page.route('**/developers/example', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('<p ', '<main><h1>Völuspá</h1><p ') });
  });
  await page.goto(`${house.address}/developers/example`);
  await page.locator('muninn-board .choosable').first().waitFor();
  assert.deepEqual(await findings(page), []);
  await leave(page);
});

test('no finding of axe in a problem and in a report', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const page = await visit(browser, `${house.address}/problems/illegal_command`, { colorScheme });
    assert.deepEqual(await findings(page), [], `problem, ${colorScheme}`);
    // A report runs no script, not even that of axe: it is shown in this page.
    const report = await fetch(`${house.address}/v1/stats/rosenkoenig/report?players=bots`);
    assert.match(report.headers.get('content-security-policy'), /sandbox$/);
    await page.setContent(await report.text());
    assert.deepEqual(await findings(page), [], `report, ${colorScheme}`);
    await page.context().close();
  }
});

test('on a phone nothing is wider than the screen', async () => {
  for (const [name, address] of await pages()) {
    const page = await visit(browser, house.address + address, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
    await settled(page, name);
    const narrow = async () => {
      const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
      assert.ok(width <= 360, `${name} is ${width} wide`);
    };
    await narrow();
    if (name === 'play') {
      // Who plays turns from the table to the log.
      await page.locator('[data-control="reads"]').tap();
      await page.locator('muninn-log .now').waitFor();
      await page.locator('muninn-controls').waitFor();
      await narrow();
    }
    await leave(page);
  }
});

test('a turn by the keyboard alone', async () => {
  const page = await visit(browser, `${house.address}/play/${running.match}#${running.seat_tokens[0]}`);
  await page.locator('muninn-commands').waitFor();
  const { version } = await house.api(`/v1/matches/${running.match}`);
  const focused = () => page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return { command: element?.matches?.('[data-command]') ?? false, spot: element?.dataset?.spot };
  });
  for (let tabs = 0; !(await focused()).command; tabs += 1) {
    assert.ok(tabs < 120, 'a command is reached');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await until(async () => (await house.api(`/v1/matches/${running.match}`)).version > version, 'the command is done');
  await page.keyboard.press('Home');
  await until(async () => (await shown(page)) === 1, 'Home');
  await page.keyboard.press('ArrowRight');
  await until(async () => (await shown(page)) === 2, 'an arrow');
  await page.keyboard.press('End');
  await until(async () => (await shown(page)) > version, 'End');
  await leave(page);
});

test('German, where the browser is', async () => {
  const page = await visit(browser, `${house.address}/watch`, { locale: 'de-AT' });
  await page.getByRole('heading', { name: 'Partien' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  for (const game of GAMES) {
    const info = await house.finished(game);
    await page.goto(`${house.address}/watch/${info.match}?at=40`);
    await page.getByText('Was geschah').first().waitFor();
    await until(async () => (await page.locator('muninn-log ol').innerText()).includes('ist am Zug'), 'German words');
    await page.getByRole('button', { name: 'Abspielen' }).waitFor();
    // So is the picture itself.
    const picture = page.locator('muninn-picture svg[data-version="40"]');
    const texts = await picture.locator('text, title, desc').evaluateAll((all) => all.map((one) => one.textContent));
    assert.ok(texts.some((text) => text.includes('ist am Zug')), `${game}: ${texts}`);
    const english = texts.filter((text) => /\b(the|to act|points|tiles?|cards?|pile|deck|discard|left|empty|of|event|view|spectator|turn|has|are)\b/i.test(text.replace('Saga of Edda', '')));
    assert.deepEqual(english, [], game);
  }
  await leave(page);
});

test('the token stands in no address, no markup and no log of requests', async () => {
  const [token] = running.seat_tokens;
  const page = await visit(browser, `${house.address}/play/${running.match}#${token}`);
  await page.locator('muninn-log .now').waitFor();
  assert.ok(page.addresses.length > 5 && page.addresses.every((address) => !new URL(address).href.split('#')[0].includes(token)));
  const markup = await page.evaluate(() => {
    const all = (root) => [...root.querySelectorAll('*')].map((element) => [...element.attributes].map((one) => one.value).join(' ') + (element.shadowRoot ? all(element.shadowRoot) : '')).join(' ');
    return all(document);
  });
  assert.ok(!markup.includes(token));
  await leave(page);
});
