import { Choice } from './choice.js';
import { isFinal, retryMs } from './problem.js';

/** @typedef {import('./match.js').Match} Match */

/** What a page needs to see which spots can be chosen. */
export const STYLE = `
.muninn { max-width: 100%; height: auto; }
.muninn :not([data-spot], [data-spot] *) { pointer-events: none; }
.muninn [data-spot] { pointer-events: auto; }
.choosable { cursor: pointer; filter: drop-shadow(0 0 3px var(--muninn-choosable, orange)); }
.chosen { filter: drop-shadow(0 0 4px var(--muninn-chosen, crimson)); }
.choosable:focus-visible { outline: 3px solid var(--muninn-focus, currentColor); outline-offset: 2px; }`;

/**
 * Lets the middle of a spot be clicked, drawn or not.
 * @param {SVGElement} spot
 */
export function middle(spot) {
  if (!(spot instanceof SVGGElement) || spot.querySelector(':scope > .middle')) return;
  const { x, y, width, height } = spot.getBBox();
  if (!width) return;
  const rect = `<rect class="middle" fill="transparent" x="${x + width * 0.2}" y="${y + height * 0.2}" width="${width * 0.6}" height="${height * 0.6}"/>`;
  spot.insertAdjacentHTML('afterbegin', rect);
}

/** What has the focus in there. */
const heldIn = (/** @type {any} */ root) => {
  const held = root.getRootNode().activeElement;
  return held !== root && root.contains(held) && (self === top || document.hasFocus()) ? held : null;
};

/**
 * Marks the spots of a picture: class `choosable`, with what a button has, and class `chosen`.
 * @param {ParentNode} root
 * @param {Choice} choice
 */
export function mark(root, choice) {
  const held = heldIn(root);
  for (const spot of /** @type {any} */ (root.querySelectorAll('[data-spot]'))) {
    const choosable = choice.spots.has(spot.dataset.spot);
    const chosen = choice.chosen.has(spot.dataset.spot);
    spot.classList.toggle('choosable', choosable);
    spot.classList.toggle('chosen', chosen);
    if (choosable) {
      middle(spot);
      spot.setAttribute('tabindex', '0');
      spot.setAttribute('role', 'button');
      spot.setAttribute('aria-pressed', chosen);
      const title = spot.querySelector('title')?.textContent;
      if (title && !spot.querySelector('text')) spot.setAttribute('aria-label', title);
    } else for (const name of [spot === held ? '' : 'tabindex', 'role', 'aria-pressed', 'aria-label']) spot.removeAttribute(name);
  }
  root.querySelector('svg')?.setAttribute('role', choice.spots.size ? 'group' : 'img');
}

/**
 * The picture of a match in an element, for clicks and keys. It draws again at each change, until `close()`.
 *
 * A command that is refused goes to `match.state.problem`.
 */
export class BoardView {
  #drawn = 0;
  #drawing = 0;
  /** @type {any} */
  #later;
  #unsubscribe;

  /**
   * @param {HTMLElement} root what it fills
   * @param {Match} match
   * @param {{theme?: 'auto' | 'light' | 'dark', shape?: 'wide' | 'tall', pieces?: boolean}} [options]
   */
  constructor(root, match, options = {}) {
    this.root = root;
    this.match = match;
    this.options = options;
    root.addEventListener('click', this.#act);
    root.addEventListener('keydown', this.#act);
    this.#unsubscribe = match.subscribe(() => this.#show());
    this.#show();
  }

  close() {
    this.#unsubscribe();
    clearTimeout(this.#later);
    this.#drawing = -1;
    this.root.removeEventListener('click', this.#act);
    this.root.removeEventListener('keydown', this.#act);
    // No click there is for the next match.
    mark(this.root, new Choice([]));
  }

  #act = (/** @type {Event} */ event) => {
    if (event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ') return;
    const spot = /** @type {any} */ (event.target).closest('.choosable')?.getAttribute('data-spot');
    if (!spot || this.match.state.pending) return;
    event.preventDefault();
    this.match.click(spot).catch(() => {});
  };

  #show() {
    const { version, choice, pending, connection } = this.match.state;
    if (version !== this.#drawn && !this.#drawing) this.#draw(version);
    if (version !== this.#drawn) return;
    mark(this.root, pending || connection === 'over' ? new Choice([]) : choice);
    if (heldIn(this.root)?.matches(':not(.choosable)')) /** @type {any} */ (this.root.querySelector('.choosable'))?.focus({ preventScroll: true });
  }

  /** @param {number} version */
  async #draw(version) {
    this.#drawing = version;
    /** @type {unknown} */
    let failed;
    const picture = await this.match.client.get('/v1/matches/{id}/board.svg', { id: this.match.id, at: version, ...this.options }).catch((error) => { failed = error; });
    if (this.#drawing !== version) return;
    this.#drawing = 0;
    clearTimeout(this.#later);
    if (failed && (!isFinal(failed) || version !== this.match.state.version)) this.#later = setTimeout(() => this.#show(), Math.max(3000, retryMs(failed)));
    if (picture === undefined) return;
    const held = heldIn(this.root);
    this.root.innerHTML = picture;
    /** @type {any} */
    const again = held && (this.root.querySelector(`[data-spot="${CSS.escape(held.dataset.spot)}"]`) ?? this.root.querySelector('svg'));
    again?.setAttribute('tabindex', '-1');
    again?.focus({ preventScroll: true });
    this.#drawn = version;
    this.#show();
  }
}
