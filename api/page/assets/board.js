// The picture of the table: an SVG of the server, shown as part of the page, with the places that can be chosen made to be chosen.

import { LitElement, css, html } from './vendor/lit.js';

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

/** Makes the middle of a group react, also where nothing is drawn: its corners may be its neighbours'. */
function middle(group) {
  if (group.localName !== 'g' || group.querySelector(':scope > .middle')) return;
  const { x, y, width, height } = group.getBBox();
  const rect = document.createElementNS(SVG, 'rect');
  const place = { x: x + width * 0.2, y: y + height * 0.2, width: width * 0.6, height: height * 0.6, class: 'middle', fill: 'transparent' };
  for (const [name, value] of Object.entries(place)) rect.setAttribute(name, value);
  group.prepend(rect);
}

const frame = css`
  :host { display: block; }
  svg { display: block; width: 100%; height: auto; max-height: var(--muninn-board-height, 82vh); }
  /* What lies over a place that can be chosen does not stand in its way. */
  .choosing svg * { pointer-events: none; }
  .choosing .choosable, .choosing .choosable * { pointer-events: auto; }
  .choosable { cursor: pointer; }
  .choosable:focus { outline: none; }
  .choosable > *, .choosable:not(g) { transition: opacity 120ms; }
  .choosable:hover, .choosable:focus-visible { filter: drop-shadow(0 0 3px var(--muninn-accent, Highlight)); }
  .choosing .choosable { filter: drop-shadow(0 0 2px var(--muninn-accent, Highlight)); }
  .choosable.chosen { filter: drop-shadow(0 0 5px var(--muninn-accent, Highlight)) drop-shadow(0 0 2px var(--muninn-accent, Highlight)); }
`;

/** Shows `svg`, the text of a picture. Fires `spot` with the value of `data-spot` when one of `choosable` is chosen. */
export class Board extends LitElement {
  static styles = frame;
  static properties = { svg: {}, choosable: {}, chosen: {}, label: {} };

  constructor() {
    super();
    this.choosable = new Set();
    this.chosen = new Set();
  }

  render() {
    return html`<div part="frame" @click=${this.#click} @keydown=${this.#key}></div>`;
  }

  updated(changed) {
    if (changed.has('svg')) this.#draw();
    if (changed.has('svg') || changed.has('choosable') || changed.has('chosen')) this.#mark();
  }

  #draw() {
    const frame = this.renderRoot.querySelector('div');
    const focused = this.renderRoot.activeElement?.dataset?.spot;
    const picture = this.svg ? parse(this.svg) : null;
    if (!picture) return frame.replaceChildren();
    const sheets = picture.styles.map((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return sheet;
    });
    this.renderRoot.adoptedStyleSheets = [...sheets, ...Board.elementStyles.map((style) => style.styleSheet)];
    const svg = document.importNode(picture.root, true);
    for (const element of svg.querySelectorAll('[data-style]')) element.style.cssText = element.dataset.style;
    frame.replaceChildren(svg);
    if (focused) this.updateComplete.then(() => this.#spots(focused)[0]?.focus({ preventScroll: true }));
  }

  #spots(value) {
    const all = [...this.renderRoot.querySelectorAll('[data-spot]')];
    return value ? all.filter((element) => element.dataset.spot === value) : all;
  }

  #mark() {
    const frame = this.renderRoot.querySelector('div');
    frame.classList.toggle('choosing', this.choosable.size > 0);
    for (const element of this.#spots()) {
      const choosable = this.choosable.has(element.dataset.spot);
      element.classList.toggle('choosable', choosable);
      element.classList.toggle('chosen', this.chosen.has(element.dataset.spot));
      if (choosable) {
        middle(element);
        element.setAttribute('tabindex', '0');
        element.setAttribute('role', 'button');
      } else {
        element.removeAttribute('tabindex');
        if (element.getAttribute('role') === 'button') element.removeAttribute('role');
      }
    }
    // What can be chosen is no picture for a screen reader any more.
    const svg = frame.querySelector('svg');
    if (svg) svg.setAttribute('role', this.choosable.size ? 'group' : 'img');
  }

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
    this.dispatchEvent(new CustomEvent('spot', { detail: spot, bubbles: true, composed: true }));
    return true;
  }

  #click = (event) => this.#choose(event);

  #key = (event) => {
    if ((event.key === 'Enter' || event.key === ' ') && this.#choose(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
}

customElements.define('muninn-board', Board);
