// The documentation: each operation of Swagger UI opens without freezing the page, and shows all that it would with the whole document.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, folder, launch, leave, visit } from './house.mjs';

/** Seconds of a core that opening an operation may take. */
const MOST = 1;

/** Seconds of a core that `reference` takes where a second is a second: where it takes more, beside other work or on a slower machine, a second is worth less. */
const REFERENCE = 0.15;

/** How much more than the operation in the middle the slowest one may take, on any machine. */
const SLOWEST = 5;

/** How long to wait for the page, in ms: whatever else the machine does, only the time of the processor counts. */
const PATIENCE = 240_000;

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

/** The page with one of its documents, by its name in the drop-down, and what stands for each operation, by its id in the document. */
async function documentation({ named, prepare = () => {} } = {}) {
  const page = await visit(browser, 'about:blank');
  page.setDefaultTimeout(PATIENCE);
  await prepare(page);
  await page.goto(`${house.address}/docs/${named ? `?urls.primaryName=${encodeURIComponent(named)}` : ''}`);
  await page.locator('.opblock').first().waitFor();
  const blocks = await page.locator('.opblock').all();
  const names = await Promise.all(blocks.map(async (block) => (await block.getAttribute('id')).split('-').at(-1)));
  return { page, blocks: new Map(names.map((name, at) => [name, blocks[at]])) };
}

/** The documents that the page offers: their names and addresses. */
async function offered() {
  const { page } = await documentation();
  const all = await page.locator('#select option').evaluateAll((options) => options.map(({ textContent, value }) => ({ name: textContent, address: value })));
  await leave(page);
  return all;
}

/** The operations of a document. */
function operationsOf(document) {
  return Object.values(document.paths).flatMap((path) => Object.values(path)).map(({ operationId }) => operationId);
}

/** Work like that of opening an operation: values are read and made, and a page is drawn of them. Runs in the page. */
function reference() {
  const values = Array.from({ length: 6_000 }, (_, index) => ({ index, name: `value ${index}`, within: { list: [index, index + 1] } }));
  const again = JSON.parse(JSON.stringify(values)).map(({ name, ...more }) => ({ ...more, name: name.toUpperCase() }));
  const list = document.createElement('ul');
  list.append(...again.slice(0, 3_000).map(({ name }) => Object.assign(document.createElement('li'), { textContent: name })));
  document.body.append(list);
  const height = list.getBoundingClientRect().height;
  list.remove();
  return height;
}

/** The seconds of a core that opening takes, of each of these operations of a page. */
async function measured(page, blocks, wanted) {
  const session = await page.context().newCDPSession(page);
  // Time of the processor, however busy the machine is.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  const during = async (work) => {
    const start = await spent();
    await work();
    return (await spent()) - start;
  };
  const unit = () => during(() => page.evaluate(reference));
  // The first times are slower: the page learns it.
  for (let time = 0; time < 5; time += 1) await unit();
  const units = [await unit()];
  const taken = new Map();
  for (const name of wanted) {
    taken.set(name, await during(() => open(page, blocks.get(name))));
    if (taken.size % 5 === 0) units.push(await unit());
    await blocks.get(name).locator('.opblock-summary-control').click();
  }
  const worth = Math.min(1, REFERENCE / units.sort((a, b) => a - b)[units.length >> 1]);
  return { worth, times: new Map([...taken].map(([name, time]) => [name, time * worth])) };
}

test('no operation of any game freezes the page', async (context) => {
  const documents = await offered();
  const games = await house.api('/v1/games');
  assert.equal(documents.length, games.items.length, 'one for each game');
  const slow = [];
  let middle;
  for (const [number, { name, address }] of documents.entries()) {
    const operations = operationsOf(await house.api(address));
    const { page, blocks } = await documentation({ named: name });
    assert.deepEqual([...blocks.keys()].sort(), [...operations].sort(), name);
    // The one of all games is a link away.
    assert.equal(await page.locator('.information-container a[href="/openapi.json"]').count(), 1, name);
    const { worth, times } = await measured(page, blocks, operations);
    await leave(page);
    const sorted = [...times].sort(([, a], [, b]) => b - a);
    middle ??= sorted[sorted.length >> 1][1];
    const told = sorted.map(([operation, time]) => `${operation} ${time.toFixed(2)} s`);
    context.diagnostic(`${name}: the slowest of ${told.length} are ${told.slice(0, 3).join(', ')}; in the middle ${told[told.length >> 1]}; a second here is worth ${worth.toFixed(2)}`);
    slow.push(...[...times].filter(([, time]) => time > MOST || time > SLOWEST * middle).map(([operation, time]) => `${name}: ${operation} ${time.toFixed(2)} s`));
  }
  assert.deepEqual(slow, []);
});

test('an operation shows all that it would with the whole document', async () => {
  const shown = async (prepare) => {
    const { page, blocks } = await documentation({ prepare });
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
