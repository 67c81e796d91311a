// What axe finds in a page, of whatever weight.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** All findings, each with the places where it holds; none is left out. */
export async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
  return violations.map(({ id, impact, help, nodes }) => `${impact}, ${id}: ${help}\n  ${nodes.slice(0, 4).map(({ target }) => target.join(' ')).join('\n  ')}`);
}
