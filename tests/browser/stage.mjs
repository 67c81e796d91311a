// One house and one browser for all tests of a file.

import { after, before } from 'node:test';
import { House, folder, launch } from './house.mjs';

export let house;
export let browser;

/** Starts both before the tests; `fill` may put something into the folder of the house first, and `begin` into the house after it. */
export function stage(fill = () => {}, begin = () => {}) {
  before(async () => {
    const data = await folder();
    await fill(data);
    house = await new House(data).start();
    browser = await launch();
    await begin();
  });

  after(async () => {
    await browser?.close();
    await house?.close();
  });
}
