// Makes the pictures of the page that the documents show: node pictures.mjs FOLDER, then `pngquant --ext .png --force 64` (Debian) makes them
// small. Matches of bots, so that they look like play. A second argument is another language, such as de-DE.

import path from 'node:path';
import { House, folder, launch, leave, simulate, visit } from './house.mjs';

const GAMES = [['rosenkoenig', 2, 0.7], ['voluspa', 3, 0.8], ['copenhagen', 3, 0.75], ['delphi', 2, 0.5]];
const LOOKS = {
  light: { viewport: { width: 1280, height: 860 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true, hasTouch: true },
};

const [target = '.', locale = 'en-US'] = process.argv.slice(2);
const data = await folder();
for (const [game, seats] of GAMES) await simulate(data, game, { seats, bots: 'greedy' });
const house = await new House(data).start();
const browser = await launch();
try {
  for (const [game, , part] of GAMES) {
    const info = await house.finished(game);
    const commits = await house.api(`/v1/matches/${info.match}/commits?limit=1000`);
    const at = commits.items[Math.floor(commits.items.length * part)].last_version;
    for (const [look, options] of Object.entries(LOOKS)) {
      const page = await visit(browser, `${house.address}/watch/${info.match}?at=${at}`, { ...options, locale });
      page.setDefaultTimeout(120_000);
      await page.locator('muninn-log .now').waitFor();
      await page.locator('muninn-picture svg').waitFor();
      await page.screenshot({ path: path.join(target, `page-${game}-${look}.png`) });
      await leave(page);
    }
  }
  const played = [['voluspa', 'light'], ['delphi', 'dark'], ...GAMES.map(([game]) => [game, 'phone'])];
  for (const [game, look] of played) {
    const { match, seat_tokens: tokens } = await house.open({ game, seats: [{ name: 'Ada' }, { name: 'Ben' }] });
    const middle = (items) => items[Math.floor(items.length / 2)];
    await house.play(match, tokens, 9, middle);
    let seat;
    for (;;) {
      ({ active_seat: seat } = await house.api(`/v1/matches/${match}`));
      const { spots } = await house.api(`/v1/matches/${match}/legal-commands?include=spots`, { token: tokens[seat] });
      if (spots.some((places) => places.length)) break;
      // Not every decision has something to click.
      await house.play(match, tokens, 1, middle);
    }
    const page = await visit(browser, `${house.address}/play/${match}#${tokens[seat]}`, { ...LOOKS[look], locale });
    page.setDefaultTimeout(120_000);
    await page.locator('muninn-commands').waitFor();
    await page.locator('muninn-picture .choosable').first().click();
    await page.screenshot({ path: path.join(target, `play-${game}-${look}.png`) });
    await leave(page);
  }
} finally {
  await browser.close();
  await house.close();
}
