// The documentation: each operation of Swagger UI opens without freezing the page, and shows all that it would with the whole document.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, folder, launch, leave, visit } from './house.mjs';

/** Seconds of a core that opening an operation may take. */
const MOST = 1;

/** How often an operation is opened until it was fast: beside other work a core is slower. */
const TIMES = 3;

/** Those with the largest bodies, and those whose errors alone are schemas. */
const COMPARED = ['analyse', 'openMatch', 'submitCommand', 'createPosition', 'getView', 'listCommits', 'getGameStats', 'getStream', 'getFeed'];

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

/** Opens an operation; it is open when its answers have been drawn. */
async function open(page, block) {
  await block.locator('.opblock-summary-control').click();
  await block.locator('.opblock-body .responses-wrapper').waitFor();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
}

/** The page, and what stands for each operation, by its id in the document. */
async function documentation(prepare = () => {}) {
  const page = await visit(browser, 'about:blank');
  await prepare(page);
  await page.goto(`${house.address}/docs/`);
  await page.locator('.opblock').first().waitFor({ timeout: 60_000 });
  const blocks = await page.locator('.opblock').all();
  const names = await Promise.all(blocks.map(async (block) => (await block.getAttribute('id')).split('-').at(-1)));
  return { page, blocks: new Map(names.map((name, at) => [name, blocks[at]])) };
}

/** The seconds of a core that opening takes, of each of these operations or of all, in a new page. */
async function measured(wanted) {
  const { page, blocks } = await documentation();
  const session = await page.context().newCDPSession(page);
  // Time of the processor, however busy the machine is.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  const told = new Map();
  for (const name of wanted ?? blocks.keys()) {
    const start = await spent();
    await open(page, blocks.get(name));
    told.set(name, (await spent()) - start);
    await blocks.get(name).locator('.opblock-summary-control').click();
  }
  await leave(page);
  return told;
}

test('every operation opens without freezing the page', async (context) => {
  const { paths } = await house.api('/openapi.json');
  const operations = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  const told = await measured();
  assert.deepEqual([...told.keys()].sort(), operations.sort());
  const order = [...told].sort(([, a], [, b]) => b - a).map(([name, time]) => `${name} ${time.toFixed(2)} s`);
  context.diagnostic(`the slowest: ${order.slice(0, 3).join(', ')}; in the middle ${order[order.length >> 1]}`);
  const slow = () => [...told].filter(([, time]) => time > MOST).map(([name]) => name);
  for (let time = 1; time < TIMES && slow().length; time++) {
    for (const [name, again] of await measured(slow())) told.set(name, Math.min(told.get(name), again));
  }
  assert.deepEqual(slow(), []);
});

test('an operation shows all that it would with the whole document', async () => {
  const shown = async (prepare) => {
    const { page, blocks } = await documentation(prepare);
    const texts = [];
    for (const name of COMPARED) {
      await open(page, blocks.get(name));
      // An example of a pattern is made up anew each time.
      texts.push((await blocks.get(name).innerText()).replace(/\b[0-9a-f-]{32,}\b/g, 'made up'));
    }
    await leave(page);
    return texts;
  };
  const whole = await shown((page) => page.route('**/docs/swagger-initializer.js', async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    const plain = script.replace('plugins: [...config.plugins, plugin]', '');
    assert.notEqual(plain, script);
    await route.fulfill({ response, body: plain });
  }));
  assert.deepEqual(await shown(), whole);
});
