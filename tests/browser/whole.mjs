// Whole matches, from the setup to the end: bots play one in a sandbox, and people play the same again from the same seed, click by click.

import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { House, folder } from './house.mjs';

const SEATS = [{ name: 'Ada' }, { name: 'Ben' }];

/** Seeds of short matches, since each command takes time in two browsers; `node whole.mjs GAME FROM TO` looks for them. */
const SEEDS = { rosenkoenig: 70, voluspa: 8, copenhagen: 51, delphi: 285 };

const sandbox = (seed, more) => ({ seed: String(seed).padStart(64, '0'), ...more });

/** A match that bots play to its end. */
const byBots = (house, game, seed) => house.open({ game, seats: SEATS, sandbox: sandbox(seed, { fast_forward: { bot: 'greedy' } }) });

/** The commands of a whole match, each with its seat, the versions before and after it, and the spots and the label that lead to it. */
async function steps(house, game) {
  const { match } = await byBots(house, game, SEEDS[game]);
  const all = [];
  for (let from = 0; from !== null;) {
    const page = await house.api(`/v1/matches/${match}/commits?after=${from}&limit=1000`);
    for (const { seat, command, first_version: first, last_version: after } of page.items.filter((commit) => commit.command)) {
      const before = first - 1;
      const { items, spots, labels } = await house.api(`/v1/matches/${match}/legal-commands?at=${before}&include=spots,labels`);
      const index = items.findIndex((item) => isDeepStrictEqual(item, command));
      if (index < 0) throw new Error(`${game} at ${before}: ${JSON.stringify(command)} is not legal`);
      all.push({ seat, command, before, after, spots: spots[index], label: labels[index] });
    }
    from = page.next;
  }
  return all;
}

/** Where an element reacts, after moving it into view: a point, or null if everything of it is covered. Runs in the page. */
function pointOf(element, reacts) {
  const inside = element.querySelector(':scope > .middle') ?? element;
  inside.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const { left, top, width, height } = inside.getBoundingClientRect();
  const parts = [0.5, 0.2, 0.8, 0.35, 0.65, 0.08, 0.92];
  const points = parts.flatMap((down) => parts.map((across) => ({ x: left + width * across, y: top + height * down })));
  return points.find(({ x, y }) => element.getRootNode().elementFromPoint(x, y)?.closest(reacts) === element) ?? null;
}

/**
 * Opens a match and plays a whole one in it, on a page for each seat that `sit(match, token)` gives. `next(step, clicks)` runs in the page, as
 * often as it says undefined: where to click now, `{x, y}`, or null when the command was sent. `click(page, point)` clicks there.
 */
export async function playWhole(house, game, { sit, next, click }) {
  const script = await steps(house, game);
  const { match, seat_tokens: tokens } = await house.open({ game, seats: SEATS, sandbox: sandbox(SEEDS[game]) });
  const pages = await Promise.all(tokens.map((token) => sit(match, token)));
  for (const page of pages) await page.evaluate(`Object.assign(window, { pointOf: ${pointOf}, next: ${next} })`);
  for (const [index, step] of script.entries()) {
    const page = pages[step.seat];
    const where = (clicks) => page.evaluate(async ([of, made]) => {
      for (const end = performance.now() + 60_000; performance.now() < end;) {
        const point = window.next(of, made);
        if (point !== undefined) return point;
        await new Promise((done) => { setTimeout(done, 5); });
      }
      const shadow = document.querySelector('muninn-match')?.shadowRoot;
      const list = shadow?.querySelector('muninn-commands');
      const buttons = [...list?.shadowRoot?.querySelectorAll('button') ?? []].map((button) => `${button.textContent.trim()}${button.disabled ? ' (disabled)' : ''}`);
      const chosen = [...shadow?.querySelector('muninn-picture')?.shadowRoot?.querySelectorAll('.chosen') ?? []].map((place) => place.dataset.spot);
      const said = shadow?.querySelector('[role="alert"]')?.textContent;
      throw new Error(`nothing to click for ${JSON.stringify({ of, made, version: list?.dataset.version, buttons, chosen, said })}`);
    }, [step, clicks]);
    for (let clicks = 0, point = await where(0); point; clicks += 1, point = await where(clicks)) {
      if (clicks === 12) throw new Error(`command ${index} of ${game}, ${step.label}, is not done after twelve clicks`);
      await click(page, point);
    }
  }
  return { info: await house.api(`/v1/matches/${match}`), script, pages };
}

/** How many commits the matches of some seeds have, the shortest first. */
async function lengths(game, from, to) {
  const house = await new House(await folder()).start();
  const found = [];
  for (let seed = from; seed < to; seed += 1) {
    const { match } = await byBots(house, game, seed);
    found.push({ seed, commits: (await house.api(`/v1/matches/${match}`)).commit });
  }
  await house.close();
  return found.sort((a, b) => a.commits - b.commits);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [game, from = 1, to = 50] = process.argv.slice(2);
  console.log((await lengths(game, Number(from), Number(to))).slice(0, 5));
}
