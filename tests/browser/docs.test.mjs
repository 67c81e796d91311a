// The documentation: each operation of Swagger UI opens without freezing the page, and shows all that it would with the whole document.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, visit } from './house.mjs';
import { browser, house, stage } from './stage.mjs';

/** How many calls of functions opening an operation may take: some second of a core. It is a number that does not hang on how fast the machine is, or what else it does. */
const MOST = 15_000_000;

/** How long to wait for the page, in ms. */
const PATIENCE = 240_000;

/** Those with the largest bodies, and those whose errors alone are schemas. */
const COMPARED = ['analyse', 'openMatch', 'submitCommand', 'createPosition', 'getView', 'listCommits', 'getGameStats', 'getStream', 'getFeed'];

stage();

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

/** The operations of a document by their ids, each as a text with all that it refers to. */
function operationsOf(document) {
  const refersTo = (text) => [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer]) => pointer);
  const at = (pointer) => pointer.split('/').reduce((value, name) => value[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  const whole = (operation) => {
    const text = JSON.stringify(operation);
    const parts = new Map();
    for (const next = refersTo(text); next.length;) {
      const pointer = next.pop();
      if (parts.has(pointer)) continue;
      parts.set(pointer, JSON.stringify(at(pointer)));
      next.push(...refersTo(parts.get(pointer)));
    }
    return [text, ...[...parts].sort().flat()].join('\n');
  };
  const all = Object.values(document.paths).flatMap((path) => Object.values(path));
  return new Map(all.map((operation) => [operation.operationId, whole(operation)]));
}

/** How many functions are called while each of these operations of a page is opened. */
async function counted(page, blocks, wanted) {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // Since it was asked the last time.
  const calls = async () => {
    const { result } = await session.send('Profiler.takePreciseCoverage');
    return result.flatMap(({ functions }) => functions).reduce((sum, { ranges }) => sum + ranges[0].count, 0);
  };
  const taken = new Map();
  for (const name of wanted) {
    await calls();
    await open(page, blocks.get(name));
    taken.set(name, await calls());
    await blocks.get(name).locator('.opblock-summary-control').click();
  }
  return taken;
}

/** The script that starts the page, without ours that follows references. */
async function plain(page) {
  await page.route('**/docs/swagger-initializer.js', async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    const body = script.replace('plugins: [...config.plugins, plugin]', '');
    assert.notEqual(body, script);
    await route.fulfill({ response, body });
  });
}

test('no operation of any game freezes the page', async (context) => {
  const documents = await offered();
  const games = await house.api('/v1/games');
  assert.equal(documents.length, games.items.length, 'one for each game');
  const opened = new Set();
  const slow = [];
  for (const { name, address } of documents) {
    const operations = operationsOf(await house.api(address));
    const { page, blocks } = await documentation({ named: name });
    assert.deepEqual([...blocks.keys()].sort(), [...operations.keys()].sort(), name);
    // The one of all games is a link away.
    assert.equal(await page.locator('.information-container a[href="/openapi.json"]').count(), 1, name);
    // What is the same in the document of another game takes the same.
    const wanted = [...operations].filter(([, text]) => !opened.has(text));
    wanted.forEach(([, text]) => opened.add(text));
    const taken = [...await counted(page, blocks, wanted.map(([operation]) => operation))];
    await leave(page);
    const told = taken.sort(([, a], [, b]) => b - a).map(([operation, calls]) => `${operation} ${(calls / 1e6).toFixed(1)}`);
    context.diagnostic(`${name}: millions of calls for ${told.length} of ${operations.size} operations: ${told.slice(0, 3).join(', ')}; in the middle ${told[told.length >> 1]}`);
    slow.push(...taken.filter(([, calls]) => calls > MOST).map(([operation, calls]) => `${name}: ${operation} ${calls}`));
  }
  assert.deepEqual(slow, []);
});

test('without our script an operation would take more than it may', async () => {
  const { page, blocks } = await documentation({ prepare: plain });
  const taken = await counted(page, blocks, ['submitCommand']);
  await leave(page);
  assert.ok(taken.get('submitCommand') > MOST, `${taken.get('submitCommand')} calls`);
});

/** What an open operation shows; an example of a pattern is made up anew each time. */
const textOf = async (block) => (await block.innerText()).replace(/\b[0-9a-f-]{32,}\b/g, 'made up');

test('an operation shows all that it would with the whole document', async () => {
  const shown = async (prepare) => {
    const { page, blocks } = await documentation({ prepare });
    const texts = [];
    for (const name of COMPARED) {
      await open(page, blocks.get(name));
      texts.push(await textOf(blocks.get(name)));
    }
    await leave(page);
    return texts;
  };
  const whole = await shown(plain);
  assert.deepEqual(await shown(), whole);
});

test('an operation that was closed shows the same when it is opened again', async () => {
  const { page, blocks } = await documentation();
  const block = blocks.get('getView');
  await open(page, block);
  const first = await textOf(block);
  await block.locator('.opblock-summary-control').click();
  await open(page, blocks.get('listCommits'));
  await open(page, block);
  assert.equal(await textOf(block), first);
  await leave(page);
});
