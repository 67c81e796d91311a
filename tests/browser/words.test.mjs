// Words as data: the page's templates say what the server says, and nothing on a German page is English.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { GAMES, House, dice, folder, leave, simulate, until, visit } from './house.mjs';
import { browser, house, stage } from './stage.mjs';

const ENGLISH = /\b(the|to act|takes|scores|draws|gets|from|of|Seat|Whether|Default|with|turn|is|are|and|match|rule|must)\b/i;

stage(async (data) => {
  for (const game of GAMES) await simulate(data, game, { bots: 'greedy', seats: 2 });
});

/** The module that fills templates, as the server has it. */
async function templates() {
  const source = await (await fetch(`${house.address}/pages/templates.js`)).text();
  return import(`data:text/javascript,${encodeURIComponent(source)}`);
}

test('templates in JavaScript say the same as labels of the server', async () => {
  const { chosen, fill, spot } = await templates();
  const roll = dice(5);
  for (const game of GAMES) {
    const { match, seat_tokens: tokens } = await house.open({ game, seats: [{}, {}] });
    for (let done = 0; done < 25; done += 1) {
      const { active_seat: active, status } = await house.api(`/v1/matches/${match}`);
      if (status !== 'running') break;
      for (const lang of ['en', 'de']) {
        const words = await house.api(`/v1/games/${game}/words?lang=${lang}`);
        const legal = await house.api(`/v1/matches/${match}/legal-commands?include=spots,labels&lang=${lang}`, { token: tokens[active] });
        legal.items.forEach((command, index) => {
          const told = fill(words, chosen(words.commands[command.type], command), command);
          // How a piece is drawn only the server knows.
          assert.equal(told, legal.labels[index].replace(/, (turned|Lage) [^,]*/, ''));
          for (const place of legal.spots[index]) assert.ok(spot(words, place), place);
        });
      }
      await house.play(match, tokens, 1, (items) => items[roll(items.length)]);
    }
  }
});

test('two players of one name are two', async () => {
  const { chosen, fill } = await templates();
  const seat = { 0: 'Ann', 1: 'Bo', 2: 'Bo' };
  const said = async (game, event) => {
    const words = await house.api(`/v1/games/${game}/words?lang=en`);
    return fill({ ...words, names: { seat } }, chosen(words.events[event.type], event), event);
  };
  assert.equal(await said('voluspa', { type: 'TurnStarted', seat: 0, passed: [1, 2] }), 'Ann to act. Bo and Bo had no tile and passed.');
  assert.equal(await said('voluspa', { type: 'TurnStarted', seat: 2, passed: [1] }), 'Bo to act. Bo had no tile and passed.');
  const end = { type: 'MatchFinished', reason: 'end_card', winners: [1, 2] };
  assert.equal(await said('copenhagen', end), 'The end card ends the match: Bo and Bo first.');
});

test('a tile to choose has its name, though German sentences decline it', async () => {
  const hand = ['dragon', 'odin', null, null, null];
  const sandbox = { seed: '5'.repeat(64), outcomes: [...hand, ...hand] };
  const { match, seat_tokens: tokens } = await house.open({ game: 'voluspa', options: { set: 'base' }, seats: [{}, {}], sandbox });
  const { active_seat: active } = await house.api(`/v1/matches/${match}`);
  const page = await visit(browser, `${house.address}/play/${match}#${tokens[active]}`, { locale: 'de-DE' });
  const dragon = await page.locator('muninn-commands [data-field="tile"][data-value=\'"dragon"\']').innerText();
  assert.match(dragon, /^Drache(?!n)/);
  await leave(page);
});

test('names of players are no templates', async () => {
  const names = ['{:seat}', '[a]{tile:tile}{}'];
  const { match, seat_tokens: tokens } = await house.open({ game: 'voluspa', seats: names.map((name) => ({ name })) });
  await house.play(match, tokens, 4);
  const page = await visit(browser, `${house.address}/watch/${match}`);
  await page.locator('muninn-log .now').waitFor();
  const log = await page.locator('muninn-log ol').innerText();
  for (const name of names) assert.ok(log.includes(`${name} draws a tile.`), log);
  await leave(page);
});

test('names that are written from right to left turn nothing around', async () => {
  const names = ['\u05d0\u05d1\u05d2', '\u05d3\u05d4\u05d5'];
  const isolated = names.map((name) => `\u2068${name}\u2069`);
  const sandbox = { seed: '7'.repeat(64), fast_forward: { bot: 'greedy' } };
  const { match } = await house.open({ game: 'rosenkoenig', seats: names.map((name) => ({ name })), sandbox });
  const page = await visit(browser, `${house.address}/watch/${match}`);
  const status = page.locator('muninn-match .status');
  await status.filter({ hasText: '2. ' }).waitFor();
  const says = async (what) => {
    const said = await what.innerText();
    for (const name of isolated) assert.ok(said.includes(name), JSON.stringify(said));
  };
  await says(status);
  assert.ok((await page.title()).includes(isolated.join(' – ')), await page.title());
  await page.goto(`${house.address}/embed/${match}`);
  await page.getByRole('status').filter({ hasText: '2. ' }).waitFor();
  await says(page.getByRole('status'));
  await page.goto(`${house.address}/watch?status=finished`);
  await says(page.locator(`[data-match="${match}"] .players`));
  await leave(page);
});

test('on the German page nothing around the picture is English', async () => {
  const page = await visit(browser, `${house.address}/watch#open`, { locale: 'de-DE' });
  const german = async (place, what) => {
    const text = await page.locator(place).innerText();
    const found = text.split('\n').filter((line) => ENGLISH.test(line.replaceAll('Saga of Edda', '')));
    assert.deepEqual(found, [], what);
  };
  for (const game of GAMES) {
    const chooser = page.locator('muninn-open select#game');
    await chooser.waitFor();
    await chooser.selectOption(game);
    await until(async () => (await page.locator('muninn-open small').first().innerText()).length > 20, 'a description');
    await german('muninn-lobby', `opening ${game}`);
  }
  for (const game of GAMES) {
    const { match, version } = await house.finished(game);
    for (const at of [3, Math.floor(version / 2), version]) {
      await page.goto(`${house.address}/watch/${match}?at=${at}`);
      await page.locator('muninn-log .now').waitFor();
      await german('muninn-match header', game);
      await german('muninn-log', `${game} at ${at}`);
    }
    await page.locator('muninn-log button.rule').first().click();
    await german('#rule', `a rule of ${game}`);
  }
  for (const game of GAMES) {
    const { match, seat_tokens: tokens } = await house.open({ game, seats: [{}, {}] });
    await house.play(match, tokens, 3);
    const { active_seat: active } = await house.api(`/v1/matches/${match}`);
    await page.goto(`${house.address}/play/${match}#${tokens[active]}`);
    await page.locator('muninn-commands').waitFor();
    await german('muninn-commands', `choices of ${game}`);
  }
  await leave(page);
});

test('a third language is files alone, and what it lacks is English', async () => {
  const [data, words] = [await folder(), await folder()];
  const french = path.join(words, 'fr');
  await mkdir(french, { recursive: true });
  await writeFile(path.join(french, 'page.toml'), "matches = 'Parties'\nseat = 'Place {seat}'\nversionOf = '{last} événements, le {version}'\ngain = { 1 = '{points} point !' }\n[front]\ngames = 'Les jeux'\nplayers = 'de {least} à {most} joueurs'\n");
  await writeFile(path.join(french, 'voluspa.toml'), "title = 'La Prophétie'\n");
  const english = path.join(words, 'en');
  await mkdir(english, { recursive: true });
  await writeFile(path.join(english, 'page.toml'), "versionOf = '{last} events, now {version}'\ntoMove = 'Somebody else acts'\n");
  const speaking = await new House(data).start(['--words', words]);
  try {
    const page = await visit(browser, speaking.address, { locale: 'fr-CA' });
    await page.locator('[data-game]').first().waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'fr');
    assert.equal(await page.locator('nav a[href="/watch"]').innerText(), 'Parties');
    const gains = await page.evaluate(async () => [1, 3].map((await import('/pages/words.js')).page.gain));
    assert.deepEqual(gains, ['1 point !', '3 points']);
    const front = await page.locator('muninn-front').evaluate((element) => element.shadowRoot.textContent);
    for (const said of ['Les jeux', 'La Prophétie', 'de 2 à 5 joueurs', 'Build something', '2 players']) assert.ok(front.includes(said), `${said}: ${front}`);
    const { match, seat_tokens: tokens } = await speaking.open({ game: 'voluspa', seats: [{}, {}] });
    await speaking.play(match, tokens, 2);
    await page.goto(`${speaking.address}/watch/${match}`);
    await page.locator('muninn-log .now').waitFor();
    const { version } = await speaking.api(`/v1/matches/${match}`);
    const text = await page.locator('muninn-match').evaluate((element) => [element.shadowRoot, ...[...element.shadowRoot.querySelectorAll('*')].map((one) => one.shadowRoot)].map((root) => root?.textContent ?? '').join(' '));
    for (const said of ['La Prophétie', 'Place 0', 'Place 1', 'What happened']) assert.ok(text.includes(said), `${said}: ${text}`);
    const all = await page.locator('muninn-controls').evaluate((element) => element.shadowRoot.innerHTML);
    assert.ok(all.includes(`${version} événements, le ${version}`), all);
    await leave(page);
    // Words of the program in another order put no part into the place of another, in no language.
    for (const [locale, said] of [['en-US', `${version} events, now 2`], ['de-DE', `Ereignis 2 von ${version}`], ['fr-FR', `${version} événements, le 2`]]) {
      const past = await visit(browser, `${speaking.address}/watch/${match}?at=2`, { locale });
      await past.locator(`muninn-controls input[aria-valuetext="${said}"]`).waitFor();
      await leave(past);
    }
    // Whoever speaks none of them gets English.
    const other = await visit(browser, `${speaking.address}/watch`, { locale: 'ja-JP' });
    await other.getByRole('heading', { name: 'Matches' }).waitFor();
    await leave(other);
  } finally {
    await speaking.close();
  }
});
