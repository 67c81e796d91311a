// The picture of the table: an SVG of the server, shown as part of the page, with the places that can be chosen made to be chosen.

import { LitElement, css, html } from './vendor/lit.js';
import { middle } from './client/board.js';
import { ARROWS, nextIn } from './geometry.js';
import { glide, places } from './glide.js';
import { TWICE, Zoom } from './zoom.js';

const SVG = 'http://www.w3.org/2000/svg';
const FORBIDDEN = new Set(['script', 'foreignObject', 'iframe', 'image', 'a', 'set', 'handler', 'listener']);

/** Reads the text of an SVG; null if it is none. What could run or load something is taken out, styles come back as text. */
function parse(text) {
  const styles = [];
  // Styles count as inline from the moment that they are parsed: the policy would complain.
  const rest = text
    .replace(/<style>([^<]*)<\/style>/g, (_, sheet) => {
      styles.push(sheet);
      return '';
    })
    .replace(/(<[^<>]*) style="/g, '$1 data-style="');
  const root = new DOMParser().parseFromString(rest, 'image/svg+xml').documentElement;
  if (root.namespaceURI !== SVG || root.localName !== 'svg') return null;
  for (const element of [root, ...root.querySelectorAll('*')]) {
    if (element.namespaceURI !== SVG || FORBIDDEN.has(element.localName) || element.localName === 'style') {
      element.remove();
      continue;
    }
    for (const { name, value } of [...element.attributes]) {
      const link = /(^|:)href$/.test(name) && !value.startsWith('#');
      if (/^on/i.test(name) || link || name === 'style') element.removeAttribute(name);
    }
  }
  return { root, styles };
}

/** Cuts the head off a picture. */
function behead(svg) {
  const head = svg.querySelector('.head');
  if (!head) return;
  const { y, height } = head.getBBox();
  const box = svg.viewBox.baseVal;
  head.remove();
  const high = box.height - y - height;
  svg.setAttribute('viewBox', `${box.x} ${y + height} ${box.width} ${high}`);
  // The size that it says of itself gives it its shape.
  svg.setAttribute('height', high);
}

/** Draws a ring around a place, above everything else and of the same width at every size. */
function ring(svg, place) {
  svg.querySelectorAll('.ring').forEach((old) => old.remove());
  if (!place) return;
  const { x, y, width, height } = place.getBBox();
  const toPicture = svg.getScreenCTM().inverse().multiply(place.getScreenCTM());
  const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
  const points = corners.map(([a, b]) => new DOMPoint(a, b).matrixTransform(toPicture)).map((point) => `${point.x},${point.y}`).join(' ');
  for (const name of ['ring around', 'ring']) {
    const drawn = document.createElementNS(SVG, 'polygon');
    drawn.setAttribute('points', points);
    drawn.setAttribute('class', name);
    svg.append(drawn);
  }
}

const frame = css`
  /* Without more it is as high as its picture; with a height of its own, \`none\` the most, it is a window on it. */
  :host { display: block; height: var(--muninn-board-height, auto); max-height: var(--muninn-board-most, 82vh); }
  .frame { height: var(--muninn-board-height, auto); max-height: var(--muninn-board-most, 82vh); overflow: auto; touch-action: pan-x pan-y; border-radius: 0.6rem; }
  svg { display: block; width: 100%; height: auto; margin: 0 auto; }
  /* What lies over a place that can be chosen does not stand in its way. */
  .choosing:not(.asked) svg * { pointer-events: none; }
  .choosing .choosable, .choosing .choosable * { pointer-events: auto !important; }
  .choosable { cursor: pointer; }
  .choosable:focus { outline: none; }
  .choosable > *, .choosable:not(g) { transition: opacity 120ms; }
  .choosing .choosable { filter: drop-shadow(0 0 2px var(--muninn-accent, Highlight)); }
  .choosable:hover { filter: drop-shadow(0 0 3px var(--muninn-accent, Highlight)); }
  .choosing .choosable.chosen { filter: drop-shadow(0 0 5px var(--muninn-accent, Highlight)) drop-shadow(0 0 2px var(--muninn-accent, Highlight)); }
  .choosing .choosable:focus-visible { outline: 3px solid var(--muninn-focus, #d4006a); outline-offset: 1px; filter: none; }
  .ring { fill: none; stroke: var(--muninn-focus, #d4006a); stroke-width: 4px; stroke-linejoin: round; vector-effect: non-scaling-stroke; pointer-events: none; }
  .ring.around { stroke: #fff; stroke-width: 8px; }
  @media (prefers-reduced-motion: reduce) { .choosable > *, .choosable:not(g) { transition: none; } }
`;

/**
 * Shows `svg`, the text of a picture. Fires `spot` with the value of `data-spot` when one of `choosable` is chosen, `nothing` with it when
 * another one is clicked while `asks`, and `zoomed`. `label(spot)` says a spot in words; with `fit="width"` the picture is as wide as there
 * is room, and scrolls; `bare` leaves its head out, where the page says what stands there.
 */
export class Board extends LitElement {
  static styles = frame;
  static properties = { svg: {}, choosable: {}, chosen: {}, label: {}, asks: { type: Boolean }, bare: { type: Boolean }, fit: { reflect: true } };

  #zoom;
  #at;
  /** Whether the picture was laid out when it was drawn. */
  #laid = false;
  /** What a finger chose last, and when. */
  #touched = { at: -Infinity };

  constructor() {
    super();
    this.choosable = new Set();
    this.chosen = new Set();
  }

  get zoom() {
    return this.#zoom;
  }

  render() {
    return html`<div class="frame" part="frame" @click=${this.#click} @keydown=${this.#key} @focusin=${this.#focused} @focusout=${this.#left}></div>`;
  }

  /** How high the picture may be so that all of it is seen. */
  get #high() {
    if (this.fit === 'width') return Infinity;
    const most = parseFloat(getComputedStyle(this).maxHeight);
    return Number.isFinite(most) ? most : this.clientHeight;
  }

  get #frame() {
    return this.renderRoot.querySelector('.frame');
  }

  firstUpdated() {
    this.#zoom = new Zoom(this.#frame, {
      free: (event) => this.#spotOf(event) === undefined,
      changed: () => this.dispatchEvent(new CustomEvent('zoomed', { bubbles: true, composed: true })),
      room: () => this.#high,
    });
  }

  connectedCallback() {
    super.connectedCallback();
    this.#zoom?.open();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#zoom?.close();
  }

  updated(changed) {
    const held = this.renderRoot.activeElement;
    if (changed.has('svg') || (changed.has('bare') && this.svg)) this.#draw();
    else if (changed.has('fit')) this.#zoom.show(this.#frame.querySelector('svg'));
    if (changed.has('svg') || changed.has('bare') || changed.has('choosable') || changed.has('chosen')) this.#mark(held);
  }

  #draw() {
    const frame = this.#frame;
    const picture = this.svg ? parse(this.svg) : null;
    if (!picture) return frame.replaceChildren();
    const before = places(this.#laid ? frame.querySelector('svg') : null);
    this.#laid = frame.clientWidth > 0;
    const sheets = picture.styles.map((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return sheet;
    });
    this.renderRoot.adoptedStyleSheets = [...sheets, ...Board.elementStyles.map((style) => style.styleSheet)];
    const svg = document.importNode(picture.root, true);
    for (const element of svg.querySelectorAll('[data-style]')) element.style.cssText = element.dataset.style;
    const { scrollLeft, scrollTop } = frame;
    frame.replaceChildren(svg);
    // What nobody sees has no sizes: it is drawn again when it comes into sight.
    if (this.bare && this.#laid) behead(svg);
    this.#zoom.show(svg);
    frame.scrollTo({ left: scrollLeft, top: scrollTop, behavior: 'instant' });
    glide(svg, before);
  }

  #spots() {
    return [...this.renderRoot.querySelectorAll('[data-spot]')];
  }

  /** `held`: what had the focus before. */
  #mark(held) {
    const frame = this.#frame;
    frame.classList.toggle('choosing', this.choosable.size > 0);
    for (const element of this.#spots()) {
      const { spot } = element.dataset;
      const choosable = this.choosable.has(spot);
      element.classList.toggle('choosable', choosable);
      element.classList.toggle('chosen', this.chosen.has(spot));
      if (choosable) {
        middle(element);
        element.setAttribute('role', 'button');
        element.setAttribute('aria-pressed', this.chosen.has(spot));
        // Where something is to be read, the picture's own title says what it is.
        if (this.label && !element.querySelector('text')) element.setAttribute('aria-label', this.label(spot));
      } else if (element.getAttribute('role') === 'button') {
        for (const name of ['role', 'tabindex', 'aria-label', 'aria-pressed']) element.removeAttribute(name);
      }
    }
    // What scrolls is reached by Tab, unless something in it is.
    if (this.choosable.size) frame.removeAttribute('tabindex');
    else frame.setAttribute('tabindex', '0');
    // What can be chosen is no picture for a screen reader any more.
    const svg = frame.querySelector('svg');
    if (svg) svg.setAttribute('role', this.choosable.size ? 'group' : 'img');
    const one = this.#rove();
    // Where nothing can be chosen the frame keeps the focus, until something can be again.
    if (held && !this.renderRoot.activeElement?.matches('.choosable')) (one ?? frame).focus({ preventScroll: true });
  }

  /** One of the places takes part in the order of Tab; the arrows lead from there to the others. */
  #rove(to) {
    const all = [...this.renderRoot.querySelectorAll('.choosable')];
    const one = to ?? all.find((element) => element.dataset.spot === this.#at) ?? all[0];
    for (const element of all) element.setAttribute('tabindex', element === one ? '0' : '-1');
    return one;
  }

  #focused = (event) => {
    if (!event.target.classList?.contains('choosable')) return;
    this.#at = event.target.dataset.spot;
    this.#rove(event.target);
    if (event.target.matches(':focus-visible')) ring(this.#frame.querySelector('svg'), event.target);
  };

  #left = () => this.#frame.querySelectorAll('.ring').forEach((old) => old.remove());

  #spotOf(event) {
    for (const element of event.composedPath()) {
      if (element === this) return undefined;
      if (this.choosable.has(element.dataset?.spot)) return element.dataset.spot;
    }
    return undefined;
  }

  #choose(event) {
    const spot = this.#spotOf(event);
    if (spot === undefined) return false;
    const { timeStamp: at } = event;
    const touch = at - this.#zoom.tapped < TWICE;
    // Whoever taps twice to see it larger has confirmed nothing.
    const twice = touch && spot === this.#touched.spot && at - this.#touched.at < TWICE;
    this.#touched = { spot, at: touch ? at : -Infinity };
    if (twice) return true;
    this.dispatchEvent(new CustomEvent('spot', { detail: spot, bubbles: true, composed: true }));
    return true;
  }

  /** The topmost spot at a point, whether it can be chosen or not. */
  #under({ clientX, clientY }) {
    const frame = this.#frame;
    frame.classList.add('asked');
    const found = this.renderRoot.elementsFromPoint(clientX, clientY).map((element) => element.closest('[data-spot]')).find(Boolean);
    frame.classList.remove('asked');
    if (found) return found.dataset.spot;
    // An empty place may have nothing in its middle: then the smallest around the point.
    const around = this.#spots().map((element) => ({ spot: element.dataset.spot, ...element.getBoundingClientRect().toJSON() }))
      .filter(({ left, right, top, bottom }) => left <= clientX && clientX <= right && top <= clientY && clientY <= bottom);
    return around.sort((a, b) => a.width * a.height - b.width * b.height)[0]?.spot;
  }

  #click = (event) => {
    if (this.#choose(event) || !this.asks) return;
    const spot = this.#under(event);
    if (spot !== undefined) this.dispatchEvent(new CustomEvent('nothing', { detail: spot, bubbles: true, composed: true }));
  };

  #key = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const from = event.target.closest?.('.choosable');
    if (!from) return;
    const direction = !event.shiftKey && ARROWS[event.key];
    if (direction) {
      const all = [...this.renderRoot.querySelectorAll('.choosable')];
      const rects = all.map((element) => (element.querySelector(':scope > .middle') ?? element).getBoundingClientRect());
      const next = all[nextIn(direction, rects[all.indexOf(from)], rects)];
      next?.focus({ preventScroll: true });
      next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else if (!((event.key === 'Enter' || event.key === ' ') && this.#choose(event))) return;
    // Elsewhere the arrows and the space bar lead through time.
    event.preventDefault();
    event.stopPropagation();
  };
}

customElements.define('muninn-picture', Board);
