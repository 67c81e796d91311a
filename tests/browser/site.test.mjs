// The documentation as a site: axe finds nothing in its pages.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { findings } from './axe.mjs';
import { folder, launch, leave, visit } from './house.mjs';

const KINDS = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.png': 'image/png' };

/** The folder of a site that was made before; otherwise it is made. */
let site = process.env.MUNINN_SITE;
let own;
let server;
let browser;

before(async () => {
  if (!site) {
    own = await folder();
    site = own;
    await promisify(execFile)(path.join(process.env.MUNINN_ROOT, 'docs/site.sh'), [site]);
  }
  server = createServer(async (request, response) => {
    const file = path.join(site, decodeURIComponent(new URL(request.url, 'http://site').pathname));
    const content = await readFile(file).catch(() => null);
    response.writeHead(content ? 200 : 404, { 'content-type': KINDS[path.extname(file)] ?? 'application/octet-stream' }).end(content ?? '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.close();
  server?.closeAllConnections();
  if (own) await rm(own, { recursive: true, force: true });
});

test('no finding of axe in the documentation', async () => {
  const all = (await readdir(site, { recursive: true })).filter((name) => name.endsWith('.html'));
  // The decisions are all of one form.
  const decisions = all.filter((name) => name.startsWith('docs/adr/')).sort();
  const pages = all.filter((name) => !decisions.slice(1).includes(name));
  assert.ok(pages.length > 20, `${pages}`);
  // Some are long, and axe looks at every word.
  const page = await visit(browser, 'about:blank');
  page.setDefaultTimeout(120_000);
  for (const name of pages.sort()) {
    await page.goto(`http://127.0.0.1:${server.address().port}/${name}`);
    assert.deepEqual(await findings(page), [], name);
  }
  await leave(page);
});
