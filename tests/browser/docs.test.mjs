// The documentation: each operation of Swagger UI opens without freezing the page.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, folder, launch, leave, visit } from './house.mjs';

/** Seconds of a core that opening an operation may take: the goal is one where nothing else runs, and beside other tests a core is slower. */
const MOST = 2.5;

/** Those with the largest bodies; with WHOLE=1 all. */
const LARGE = ['analyse', 'openMatch', 'submitCommand', 'createPosition', 'getView', 'listCommits', 'getGameStats', 'getStream'];

let house;
let browser;

before(async () => {
  house = await new House(await folder()).start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await house?.close();
});

test('every operation opens without freezing the page', async (context) => {
  const document = await house.api('/openapi.json');
  const operations = Object.values(document.paths).reduce((sum, path) => sum + Object.keys(path).filter((key) => /^(get|post|put|delete)$/.test(key)).length, 0);
  const page = await visit(browser, `${house.address}/docs/`);
  const session = await page.context().newCDPSession(page);
  // Time of the processor, however busy the machine is.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  const blocks = page.locator('.opblock');
  await blocks.first().waitFor({ timeout: 60_000 });
  assert.equal(await blocks.count(), operations);
  const told = [];
  for (const block of await blocks.all()) {
    const name = (await block.getAttribute('id')).split('-').at(-1);
    if (!process.env.WHOLE && !LARGE.includes(name)) continue;
    const start = await spent();
    await block.locator('.opblock-summary-control').click();
    await block.locator('.opblock-body .responses-wrapper').waitFor();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    told.push([(await spent()) - start, await block.getAttribute('id')]);
    await block.locator('.opblock-summary-control').click();
  }
  told.sort(([a], [b]) => b - a);
  assert.ok(told.length >= LARGE.length);
  context.diagnostic(`the slowest: ${told.slice(0, 3).map(([time, id]) => `${id} ${time.toFixed(2)} s`).join(', ')}; in the middle ${told[told.length >> 1][0].toFixed(2)} s`);
  assert.deepEqual(told.filter(([time]) => time > MOST), []);
  await leave(page);
});
