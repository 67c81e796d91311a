// The page as a game: what one sees, reaches and hears at the table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from './axe.mjs';
import { GAMES, leave, until, visit } from './house.mjs';
import { browser, house, stage } from './stage.mjs';

const SCREEN = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

stage();

const names = [{ name: 'Ada' }, { name: 'Ben' }];

/** A match in the middle of the game, with somebody to act who has a choice. */
async function midgame(game, more = {}) {
  for (;;) {
    const { match, seat_tokens: tokens } = await house.open({ game, seats: names, ...more });
    await house.play(match, tokens, 17, (items) => items[Math.floor(items.length / 2)]);
    const { active_seat: seat } = await house.api(`/v1/matches/${match}`);
    const { items } = await house.api(`/v1/matches/${match}/legal-commands`, { token: tokens[seat] });
    if (items.length > 1) return { match, tokens, seat };
  }
}

async function sit({ match, tokens, seat }, options = SCREEN) {
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[seat]}`, options);
  await page.locator('muninn-commands').waitFor();
  await page.locator('muninn-picture svg').waitFor();
  return page;
}

/** The spots that can be chosen, each with the middle of what reacts. */
const spots = (page) => page.locator('muninn-picture .choosable').evaluateAll((all) => all.map((element) => {
  const { left, top, width, height } = (element.querySelector(':scope > .middle') ?? element).getBoundingClientRect();
  return { spot: element.dataset.spot, x: left + width / 2, y: top + height / 2 };
}));

const focused = (page) => page.evaluate(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.dataset?.spot;
});

/** Puts the focus on a spot by the keyboard. */
async function tabToBoard(page) {
  for (let tabs = 0; tabs < 40; tabs += 1) {
    await page.keyboard.press('Tab');
    const spot = await focused(page);
    if (spot !== undefined) return spot;
  }
  throw new Error('Tab does not lead to the board');
}

test('the focus is seen on the board of every game', async () => {
  for (const game of GAMES) {
    const page = await sit(await midgame(game));
    const spot = await tabToBoard(page);
    const styles = await page.locator('muninn-picture .choosable').evaluateAll((all) => all.map((element) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
      return { focused: element.matches(':focus'), outline: `${outlineStyle} ${outlineWidth} ${outlineColor}` };
    }));
    const [mine] = styles.filter((style) => style.focused);
    const other = styles.find((style) => !style.focused);
    assert.ok(mine && other, `${game}: ${spot} and others`);
    assert.match(mine.outline, /^solid [3-9]px/, game);
    assert.equal(await page.locator('muninn-picture .ring').count(), 2, `${game}: drawn above everything`);
    assert.match(other.outline, /^none/, game);
    // Not only said: the pixels around it are others.
    const box = await page.locator('muninn-picture .choosable:focus').boundingBox();
    const clip = { x: box.x - 5, y: box.y - 5, width: box.width + 10, height: box.height + 10 };
    const seen = await page.screenshot({ clip });
    await page.locator('muninn-picture .choosable:focus').evaluate((element) => element.blur());
    assert.notDeepEqual(seen, await page.screenshot({ clip }), game);
    await leave(page);
  }
});

test('arrows lead over the spots, Enter chooses, Escape takes it back', async () => {
  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  for (const game of GAMES) {
    const table = await midgame(game);
    const page = await sit(table);
    let at = await tabToBoard(page);
    const seen = new Set([at]);
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
      const all = await spots(page);
      const from = await page.locator('muninn-picture .choosable:focus').evaluate((element) => {
        const { left, top, width, height } = (element.querySelector(':scope > .middle') ?? element).getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      });
      const [x, y] = directions[key];
      const ahead = all.filter((one) => (one.x - from.x) * x + (one.y - from.y) * y >= 1);
      await page.keyboard.press(key);
      const now = await focused(page);
      if (!ahead.length) assert.equal(now, at, `${game}: nothing is there, ${key}`);
      else assert.ok(ahead.some((one) => one.spot === now), `${game}: ${key} from ${at} leads to ${now}`);
      at = now;
      seen.add(at);
    }
    assert.ok(seen.size > 1, game);
    const { version } = await house.api(`/v1/matches/${table.match}`);
    await page.keyboard.press('Enter');
    const chosen = page.locator('muninn-picture .chosen');
    await until(async () => (await chosen.count()) > 0, `${game}: Enter chooses`);
    assert.equal(await chosen.first().getAttribute('data-spot'), at);
    await page.keyboard.press('Escape');
    await until(async () => (await chosen.count()) === 0, `${game}: Escape takes it back`);
    await page.keyboard.press(' ');
    await until(async () => (await chosen.count()) > 0, `${game}: so does the space bar`);
    assert.equal((await house.api(`/v1/matches/${table.match}`)).version, version, 'nothing was sent');
    await leave(page);
  }
});

// Dealt alike each time: after Ada's first command Ben has one too, and does not pass.
const DEALT = { seed: '5'.repeat(64) };

test('a live region says what the other did, and whose turn it is', async () => {
  const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', options: { start: 'red' }, seats: names, sandbox: DEALT });
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[1]}`);
  const says = page.locator('[aria-live="polite"][role="status"]').first();
  await until(async () => (await says.innerText()).includes('Ada to act'), 'whose turn');
  await house.play(match, tokens, 1);
  await until(async () => /Your turn\b.*Ada (plays|draws)/s.test(await says.innerText()), 'what Ada did');
  const log = await page.locator('muninn-log .commit').last().locator('.told').first().innerText();
  assert.ok((await says.innerText()).includes(log.split(' R-')[0].trim()), 'in the words of the log');
  await leave(page);
});

test('the title and a sound say that it is one’s turn', async () => {
  for (const [locale, word] of [['en-US', 'Your turn'], ['de-DE', 'Du bist am Zug']]) {
    const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', options: { start: 'red' }, seats: names, sandbox: DEALT });
    const page = await visit(browser, `${house.address}/watch`, { locale });
    // The real sound, counted.
    await page.addInitScript(() => {
      const create = AudioContext.prototype.createOscillator;
      window.notes = 0;
      AudioContext.prototype.createOscillator = function (...rest) {
        window.notes += 1;
        return create.apply(this, rest);
      };
    });
    await page.goto(`${house.address}/play/${match}#${tokens[1]}`);
    await until(async () => /Ada/.test(await page.title()), 'a title');
    assert.ok(!(await page.title()).includes(word));
    await house.play(match, tokens, 1);
    await until(async () => (await page.title()).includes(word), 'the title');
    assert.equal(await page.evaluate(() => window.notes), 0, 'silent where nobody asked for it');
    await page.locator('[data-control="sound"]').click();
    assert.equal(await page.locator('[data-control="sound"]').getAttribute('aria-pressed'), 'true');
    const before = await page.evaluate(() => window.notes);
    await house.play(match, tokens, 2);
    await until(async () => (await page.evaluate(() => window.notes)) > before, 'the sound');
    await page.reload();
    await page.locator('[data-control="sound"][aria-pressed="true"]').waitFor();
    await leave(page);
  }
});

for (const [look, options] of [['1280x800', SCREEN], ['a phone', PHONE]]) {
  test(`on ${look} the choices are in view, and nothing covers a spot`, async () => {
    for (const game of GAMES) {
      const page = await sit(await midgame(game), options);
      const { width, height } = options.viewport;
      const boxes = { prompt: page.locator('muninn-commands h2'), list: page.locator('muninn-commands .list'), entry: page.locator('muninn-commands .list button').first() };
      for (const [name, place] of Object.entries(boxes)) {
        const box = await place.boundingBox();
        const least = name === 'list' ? Math.min(box.height, 40) : box.height;
        assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 1 && box.y + least <= height + 1, `${game}: ${name} at ${JSON.stringify(box)}`);
      }
      // All entries can be reached: what does not fit scrolls within its box.
      const last = page.locator('muninn-commands .list button').last();
      await last.scrollIntoViewIfNeeded();
      const box = await last.boundingBox();
      assert.ok(box.y + box.height <= height + 1, `${game}: the last entry`);
      assert.equal(await page.evaluate(() => document.scrollingElement.scrollTop), 0, `${game}: the page itself does not scroll`);
      const covered = await page.locator('muninn-picture').evaluate(async (board) => {
        const wrong = [];
        for (const element of board.shadowRoot.querySelectorAll('.choosable')) {
          const inside = element.querySelector(':scope > .middle') ?? element;
          inside.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
          const { left, top, width, height } = inside.getBoundingClientRect();
          const hit = (x, y) => element.contains(board.shadowRoot.elementFromPoint(left + width * x, top + height * y));
          const all = [[0.5, 0.5], [0.2, 0.2], [0.8, 0.2], [0.2, 0.8], [0.8, 0.8]];
          if (!all.some(([x, y]) => hit(x, y))) wrong.push(element.dataset.spot);
        }
        return wrong;
      });
      assert.deepEqual(covered, [], `${game}: covered spots`);
      assert.ok((await spots(page)).length > 1, game);
      await leave(page);
    }
  });
}

test('one’s own panel is the first, and on a screen the hand is in view', async () => {
  for (const game of GAMES) {
    const table = await midgame(game);
    for (const options of [SCREEN, PHONE]) {
      const page = await sit(table, options);
      const panels = await page.locator('muninn-picture [data-seat]').evaluateAll((all) => all.map((panel) => ({ seat: Number(panel.dataset.seat), ...panel.getBoundingClientRect().toJSON() })));
      assert.deepEqual(panels.map((panel) => panel.seat), [table.seat, 1 - table.seat], game);
      assert.ok(panels[0].top < panels[1].top, game);
      const frame = await page.locator('muninn-picture').boundingBox();
      if (options === SCREEN) assert.ok(panels[0].bottom <= frame.y + frame.height + 1, `${game}: all of it`);
      await leave(page);
    }
  }
});

/** A match of bots with these seats, shortly before its end: the table is full. */
async function late(game, seats) {
  const ahead = (more) => ({ game, seats, sandbox: { seed: '7'.repeat(64), fast_forward: { bot: 'greedy', ...more } } });
  const { version } = await house.api(`/v1/matches/${(await house.open(ahead({}))).match}`);
  const { match, seat_tokens: tokens } = await house.open(ahead({ version: version - 12 }));
  return { match, tokens, seat: (await house.api(`/v1/matches/${match}`)).active_seat };
}

/** The smallest letters of the picture as they are shown: of all, and of what stands below the board. */
const letters = (page) => page.locator('muninn-picture').evaluate((board) => {
  const { top } = board.shadowRoot.querySelector('[data-seat]').getBoundingClientRect();
  const sizes = [...board.shadowRoot.querySelectorAll('svg text')].filter((text) => text.textContent.trim()).map((text) => {
    const { a, b } = text.getScreenCTM();
    return { size: parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b), text: text.textContent, below: text.getBoundingClientRect().top > top };
  });
  const [least, panels] = [sizes, sizes.filter((one) => one.below)].map((some) => some.reduce((one, other) => (other.size < one.size ? other : one)));
  return { least, panels };
});

test('on a phone all letters can be read as they are, but for those on the map of Delphi', async () => {
  const four = [...names, { name: 'Cleo' }, { name: 'Dan' }];
  for (const game of GAMES) {
    const many = game === 'rosenkoenig' ? [] : [await midgame(game, { seats: four }), await late(game, four)];
    for (const [index, table] of [await midgame(game), await late(game, names), ...many].entries()) {
      const page = await sit(table, PHONE);
      const { least, panels } = await letters(page);
      const { text, size } = game === 'delphi' ? panels : least;
      assert.ok(size >= 11, `${game}, table ${index}: “${text}” has letters of ${size}`);
      await leave(page);
    }
  }
});

test('on a phone the picture is made larger and moved by fingers', async () => {
  for (const game of GAMES) {
    const page = await sit(await midgame(game), PHONE);
    const width = () => page.locator('muninn-picture svg').evaluate((svg) => svg.getBoundingClientRect().width);
    const before = await width();
    await page.locator('[data-zoom="readable"]').tap();
    const { least } = await letters(page);
    assert.ok(least.size >= 11, `${game}: “${least.text}” has letters of ${least.size}`);
    await page.locator('[data-zoom="fit"]').tap();
    assert.ok(Math.abs((await width()) - before) < 2, `${game}: fits again`);
    await page.locator('[data-zoom="larger"]').tap();
    assert.ok((await width()) > before * 1.2, game);
    await page.keyboard.press('-');
    assert.ok(Math.abs((await width()) - before) < 2, `${game}: by the keyboard`);
    await page.keyboard.press('+');
    assert.ok((await width()) > before * 1.2, game);
    await page.keyboard.press('0');

    // Two fingers, in the browser's own input.
    const session = await page.context().newCDPSession(page);
    const box = await page.locator('muninn-picture').boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const fingers = (apart) => [{ x: x - apart, y, id: 1 }, { x: x + apart, y, id: 2 }];
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(30) });
    for (const apart of [40, 55, 70, 90]) await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await until(async () => (await width()) > before * 2.2, `${game}: pinched`);
    // One finger moves it.
    const scrolled = () => page.locator('muninn-picture').evaluate((board) => board.shadowRoot.querySelector('.frame').scrollLeft);
    const from = await scrolled();
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y, id: 1 }] });
    for (const by of [10, 30, 60, 90, 120]) await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: x - by, y, id: 1 }] });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await until(async () => (await scrolled()) > from + 20, `${game}: moved`);
    await page.keyboard.press('0');

    // Twice on a place that chooses nothing.
    const free = await page.locator('muninn-picture').evaluate((board) => {
      const frame = board.shadowRoot.querySelector('.frame').getBoundingClientRect();
      for (let y = frame.top + 12; y < frame.bottom; y += 7) {
        for (let x = frame.left + 12; x < frame.right; x += 7) {
          const hit = board.shadowRoot.elementFromPoint(x, y);
          if (hit && !hit.closest('.choosable')) return { x, y };
        }
      }
      return null;
    });
    const flat = await width();
    await page.touchscreen.tap(free.x, free.y);
    await page.touchscreen.tap(free.x, free.y);
    await until(async () => (await width()) > flat * 1.5, `${game}: tapped twice`);
    await leave(page, /422|409/);
  }
});

test('a click on what cannot be chosen says why', async () => {
  // A rule, in the language of the page: the first half of the command is clicked, and the second is not legal with it.
  for (const locale of ['en-US', 'de-DE']) {
    const table = await midgame('copenhagen');
    const page = await sit(table, { ...SCREEN, locale });
    const says = page.locator('muninn-match').getByRole('alert');
    const { rules } = await house.api('/v1/games/copenhagen');
    const words = await house.api(`/v1/games/copenhagen/words?lang=${locale.slice(0, 2)}`);
    let quoted = 0;
    const shut = await page.locator('muninn-picture [data-spot]:not(.choosable)').evaluateAll((all) => all.map((element) => element.dataset.spot));
    for (const spot of [...new Set(shut)].slice(0, 12)) {
      const { clientX, clientY } = await pointOf(page, spot);
      await page.mouse.click(clientX, clientY);
      await until(async () => (await says.count()) === 1, `an answer at ${spot}`);
      const text = (await says.innerText()).trim();
      const rule = rules.find((one) => text.endsWith(one.rule));
      if (rule) {
        quoted += 1;
        assert.ok(text.startsWith(words.rules[rule.rule]), text);
      } else assert.match(text, locale === 'de-DE' ? /^Hier ist gerade nichts zu tun/ : /^Nothing can be done here now/);
    }
    assert.ok(shut.length && quoted, `${quoted} of ${shut.length} clicks had a rule against them`);
    await leave(page, /422/);
  }
  const waiting = await midgame('rosenkoenig');
  const page = await visit(browser, `${house.address}/play/${waiting.match}#${waiting.tokens[1 - waiting.seat]}`, SCREEN);
  await page.locator('muninn-picture svg').waitFor();
  const point = await pointOf(page, 'cell:4,4');
  await page.mouse.click(point.clientX, point.clientY);
  await page.getByRole('alert').filter({ hasText: /It is (Ada|Ben)’s turn/ }).waitFor();
  // It was about that turn alone.
  await house.play(waiting.match, waiting.tokens, 1);
  await page.locator('muninn-commands').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await leave(page);
  // Before all seats are taken it is nobody's turn.
  const early = await house.open({ game: 'rosenkoenig', seats: [names[0], { open: true }] });
  const alone = await visit(browser, `${house.address}/play/${early.match}#${early.seat_tokens[0]}`, SCREEN);
  await alone.locator('muninn-picture svg').waitFor();
  const middle = await pointOf(alone, 'cell:4,4');
  await alone.mouse.click(middle.clientX, middle.clientY);
  await alone.getByRole('alert').filter({ hasText: 'The match waits for players.' }).waitFor();
  await leave(alone);
});

/** Where a spot is. */
const pointOf = (page, spot) => page.locator(`muninn-picture [data-spot="${spot}"]`).first().evaluate((element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, composed: true };
});

test('a larger picture that the mouse drags is not clicked', async () => {
  const page = await sit(await midgame('copenhagen'));
  const says = page.locator('muninn-match').getByRole('alert');
  const asked = [];
  page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()));
  for (let times = 0; times < 3; times += 1) await page.locator('[data-zoom="larger"]').click();
  const scrolled = () => page.locator('muninn-picture .frame').evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  /** The middle of a spot that cannot be chosen, with room around it. */
  const shut = () => page.locator('muninn-picture').evaluate(({ shadowRoot }) => {
    const frame = shadowRoot.querySelector('.frame').getBoundingClientRect();
    return [...shadowRoot.querySelectorAll('[data-spot]:not(.choosable)')].map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }).find(({ x, y }) => x > frame.left + 60 && x < frame.right - 60 && y > frame.top + 60 && y < frame.bottom - 60 && !shadowRoot.elementFromPoint(x, y)?.closest('.choosable'));
  });
  for (const by of [-50, 50, -50, 50]) {
    const [{ x, y }, before] = [await shut(), await scrolled()];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + by, y + by, { steps: 4 });
    await page.mouse.up();
    assert.notDeepEqual(await scrolled(), before, 'it is dragged');
  }
  await page.waitForTimeout(300);
  assert.deepEqual([asked, await says.count()], [[], 0]);
  const { x, y } = await shut();
  await page.mouse.click(x, y);
  await until(async () => asked.length || (await says.count()), 'a click still asks');
  await leave(page, /422/);
});

/** The sizes that are measured when a picture is drawn: its box without the head, and what of the spots can be clicked. */
const measured = (page) => page.locator('muninn-picture svg').evaluate((svg) => [
  ...svg.getAttribute('viewBox').split(' '), ...[...svg.querySelectorAll('.choosable > .middle')].map((middle) => middle.getAttribute('width')),
].map(Number));

test('on a phone a picture that came while the log was read is as it is otherwise', async () => {
  const table = await midgame('rosenkoenig');
  const page = await sit(table, PHONE);
  const now = () => house.api(`/v1/matches/${table.match}`);
  await page.locator('[data-control="reads"]').tap();
  await page.locator('muninn-picture').waitFor({ state: 'hidden' });
  do await house.play(table.match, table.tokens, 1); while ((await now()).active_seat !== table.seat);
  const { version } = await now();
  await page.locator(`muninn-picture svg[data-version="${version}"]`).waitFor({ state: 'attached' });
  await page.locator(`muninn-commands[data-version="${version}"]`).waitFor();
  await page.locator('[data-control="reads"]').tap();
  await page.locator(`muninn-picture svg[data-version="${version}"]`).waitFor();
  const other = await sit(table, PHONE);
  const [here, there] = [await measured(page), await measured(other)];
  assert.ok(there.length > 4 && here.length === there.length && here.every((size, index) => Math.abs(size - there[index]) < 1), `${here} and not ${there}`);
  for (const one of [page, other]) await leave(one);
});

test('a link to the moment that cannot be copied opens elsewhere: nobody leaves the table for it', async () => {
  const page = await sit(await midgame('rosenkoenig'));
  const link = page.locator('[data-control="link"]');
  const here = page.url();
  await page.evaluate(() => { navigator.clipboard.writeText = async (text) => { window.written = text; }; });
  await link.click();
  await link.filter({ hasText: 'Copied' }).waitFor();
  assert.match(await page.evaluate(() => window.written), /\/watch\/[^#]*\?at=\d+$/);
  await link.filter({ hasText: 'Link to this moment' }).waitFor();
  const ways = [
    () => { navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError')); },
    // As on a page without TLS.
    () => { Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }); },
  ];
  for (const way of ways) {
    await page.evaluate(way);
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await opened.waitForURL(/\/watch\/[^#]*\?at=\d+$/);
    await opened.close();
    assert.deepEqual([page.url(), await link.innerText()], [here, 'Link to this moment']);
  }
  await leave(page);
});

test('hints say the points that a choice is sure to bring', async () => {
  const hinted = ({ match, tokens, seat }) => house.api(`/v1/matches/${match}/legal-commands?include=spots,points`, { token: tokens[seat] });
  const table = await until(async () => {
    const some = await midgame('voluspa');
    return Math.max(...(await hinted(some)).points) > 0 && some;
  }, 'a position with points to get');
  const page = await sit(table);
  const gains = page.locator('muninn-commands .gain');
  assert.equal(await gains.count(), 0, 'nobody asked for them');
  await page.locator('[data-control="hints"]').click();
  await gains.first().waitFor();
  const token = table.tokens[table.seat];
  const { items, points, spots: places } = await hinted(table);
  // Clicks to one command, and compares.
  const best = points.indexOf(Math.max(...points));
  for (const spot of places[best]) {
    const place = page.locator(`muninn-picture .choosable:not(.chosen)[data-spot="${spot}"]`).first();
    if (await place.count()) await place.click();
  }
  const main = page.locator('muninn-commands button.main');
  await main.waitFor();
  assert.match(await main.innerText(), new RegExp(`\\+${points[best]} points?$`));
  const score = (view) => view.players[table.seat].score;
  // A dry run says what it would do, in the words of the log.
  const would = page.locator('muninn-commands [data-would]');
  await would.filter({ hasText: /places|plays|draws|takes|scores/ }).waitFor();
  const run = await house.api(`/v1/matches/${table.match}/commands?dry_run=true`, { method: 'POST', token, body: { command: items[best] } });
  assert.equal(score(run.view) - score(await house.api(`/v1/matches/${table.match}/view`, { token })), points[best]);
  await page.locator('[data-control="hints"]').click();
  await until(async () => (await gains.count()) === 0 && (await would.count()) === 0, 'and they go');
  await leave(page);
});

test('a sandbox says that it is one, and a match that began from a position', async () => {
  const { position } = await house.api('/v1/games/rosenkoenig/positions', { method: 'POST', body: { seats: 2 } });
  const { match, seat_tokens: tokens } = await house.open({ game: 'rosenkoenig', seats: names, sandbox: {} });
  const loaded = await house.open({ game: 'rosenkoenig', seats: names, position });
  const other = await house.open({ game: 'rosenkoenig', seats: names });
  for (const [address, locale, mark, word] of [
    [`/watch/${match}`, 'en-US', 'sandbox', 'Sandbox'], [`/play/${match}#${tokens[0]}`, 'de-DE', 'sandbox', 'Probepartie'],
    [`/watch/${loaded.match}`, 'en-US', 'loaded', 'From a position'], [`/play/${loaded.match}#${loaded.seat_tokens[0]}`, 'de-DE', 'loaded', 'Ab einer Stellung'],
  ]) {
    for (const options of [SCREEN, PHONE]) {
      const page = await visit(browser, house.address + address, { ...options, locale });
      const badge = page.locator(`[data-${mark}]`);
      await badge.waitFor();
      assert.equal(await badge.innerText(), word);
      await leave(page);
    }
  }
  const page = await visit(browser, `${house.address}/watch/${other.match}`);
  await page.locator('muninn-log .now').waitFor();
  assert.equal(await page.locator('[data-sandbox], [data-loaded]').count(), 0);
  await page.goto(`${house.address}/watch`);
  for (const [id, marks] of [[match, ['running', 'Sandbox']], [loaded.match, ['running', 'From a position']], [other.match, ['running']]]) {
    await page.locator(`[data-match="${id}"]`).waitFor();
    assert.deepEqual(await page.locator(`[data-match="${id}"] .state`).allInnerTexts(), marks);
  }
  await leave(page);
});

/** A match just before a command that moves a piece of this kind from one place of the picture to another, the piece, and the command. */
async function beforeMove(game, kind, options = {}) {
  const ahead = (more) => ({ game, seats: names, options, sandbox: { seed: '7'.repeat(64), fast_forward: { bot: 'greedy', ...more } } });
  const { match } = await house.open(ahead({}));
  const { items } = await house.api(`/v1/matches/${match}/commits?limit=1000&include=moves`);
  const drawn = (place) => /^(cell|hex|tile|slot|pile|board):/.test(place ?? '');
  const commit = items.find(({ command, moves }) => command && moves.some((one) => kind.test(one.kind) && drawn(one.from) && drawn(one.to)));
  const piece = commit.moves.find((one) => kind.test(one.kind) && drawn(one.from) && drawn(one.to)).id;
  return { ...(await house.open(ahead({ version: commit.first_version - 1 }))), commit, piece };
}

const MOVED = [
  ['voluspa', /^tile-raven$/, { set: 'master_of_ravens' }],
  ['rosenkoenig', /^crown$/],
  ['copenhagen', /^tile-/],
  ['delphi', /^ship-/],
];
for (const [game, kind, options] of MOVED) {
  test(`pieces of ${game} glide to where they are now, and not for whom that is too much`, async () => {
    for (const [reducedMotion, moves] of [['no-preference', true], ['reduce', false]]) {
      const { match, seat_tokens: tokens, commit, piece } = await beforeMove(game, kind, options);
      const page = await visit(browser, `${house.address}/watch/${match}`, { ...SCREEN, reducedMotion });
      const place = page.locator(`muninn-picture [data-piece="${piece}"]`);
      await place.waitFor();
      await page.evaluate(() => {
        const animate = Element.prototype.animate;
        window.glides = [];
        Element.prototype.animate = function (frames, timing) {
          const before = this.getBoundingClientRect();
          const animation = animate.call(this, frames, timing);
          const during = this.getBoundingClientRect();
          const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2].map(Math.round);
          window.glides.push({ piece: this.dataset.piece, to: middle(before), from: middle(during), duration: timing.duration });
          return animation;
        };
      });
      const where = () => place.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return [left + width / 2, top + height / 2].map(Math.round);
      });
      const start = await where();
      await house.api(`/v1/matches/${match}/commands`, { method: 'POST', token: tokens[commit.seat], body: { command: commit.command } });
      await page.locator(`muninn-picture svg[data-version="${commit.last_version}"]`).waitFor();
      const glides = (await page.evaluate(() => window.glides)).filter((one) => one.piece === piece);
      assert.equal(glides.length, moves ? 1 : 0, reducedMotion);
      await until(() => page.locator('muninn-picture').evaluate((board) => board.shadowRoot.getAnimations().every((one) => one.playState === 'finished')), 'the end of the motion');
      const end = await where();
      assert.notDeepEqual(end, start);
      if (moves) {
        // It began where it had been, and ends where the picture says.
        const close = ([x, y], [a, b]) => Math.hypot(x - a, y - b) < 6;
        assert.ok(close(glides[0].from, start) && close(glides[0].to, end), JSON.stringify({ glides, start, end }));
      }
      await leave(page);
    }
  });
}

test('no finding of axe where somebody plays', async () => {
  for (const game of GAMES) {
    for (const options of [SCREEN, { ...PHONE, colorScheme: 'dark' }]) {
      const table = await midgame(game);
      const page = await sit(table, options);
      assert.deepEqual(await findings(page), [], game);
      await leave(page);
    }
  }
});
