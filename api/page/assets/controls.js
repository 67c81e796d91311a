// The controls of time: a slider over all versions, steps by event and by commit, play and pause, speed, live.

import { LitElement, css, html, live, nothing } from './vendor/lit.js';
import { shared } from './style.js';
import { page } from './words.js';

const SPEEDS = [0.5, 1, 2, 4, 8];

/** Fires `goto` with a version, `step` with `{by, commits}`, `toggle`, `speed` with a factor, and `live`. */
export class Controls extends LitElement {
  static properties = {
    version: { type: Number }, last: { type: Number }, commit: {}, playing: { type: Boolean }, live: { type: Boolean },
    running: { type: Boolean }, speed: { type: Number }, state: {},
  };

  static styles = [
    shared,
    css`
      .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem; padding: 0.5rem 0.6rem; }
      .slider { display: flex; flex: 1 1 100%; align-items: center; gap: 0.6rem; }
      input[type="range"] { flex: 1; padding: 0; border: 0; background: none; accent-color: var(--muninn-accent, Highlight); min-width: 6rem; }
      output { font-variant-numeric: tabular-nums; white-space: nowrap; }
      .steps { display: flex; gap: 0.25rem; }
      .steps button { min-width: 2.6rem; padding: 0.35rem 0.5rem; }
      .where { margin-left: auto; display: flex; align-items: center; gap: 0.5rem; }
      .live { display: inline-flex; align-items: center; gap: 0.4rem; }
      .dot { width: 0.6rem; height: 0.6rem; border-radius: 50%; background: var(--muninn-faint, GrayText); }
      .live[aria-pressed="true"] .dot { background: #c0392b; }
      svg { width: 1em; height: 1em; display: block; fill: currentColor; }
      @media (max-width: 34rem) { .steps [data-control="first"], .steps [data-control="last"] { display: none; } .bar { padding: 0.4rem 0.5rem; } .where { margin-left: 0; flex: 1; justify-content: flex-end; } label.speed .name { display: none; } }
    `,
  ];

  render() {
    const step = (by, commits) => this.#fire('step', { by, commits });
    const atStart = this.version <= 1;
    const atEnd = this.version >= this.last;
    return html`
      <div class="bar" role="group" aria-label=${page.time}>
        <div class="slider">
          <input type="range" min="1" max=${Math.max(1, this.last)} step="1" .value=${live(String(this.version))}
            aria-label=${page.version} aria-valuetext=${page.versionOf(this.version, this.last)}
            @input=${(event) => this.#fire('goto', Number(event.target.value))}>
          <output>${this.version}<span class="faint"> / ${this.last}</span></output>
        </div>
        <div class="steps">
          ${this.#button('first', page.first, () => this.#fire('goto', 1), atStart, 'M3 2h2v12H3zM14 2v12L6 8z')}
          ${this.#button('commit-back', page.commitBack, () => step(-1, true), atStart, 'M8 2v12L1 8zM15 2v12L8 8z')}
          ${this.#button('back', page.back, () => step(-1, false), atStart, 'M12 2v12L4 8z')}
          ${this.playing
            ? this.#button('play', page.pause, () => this.#fire('toggle'), false, 'M3 2h4v12H3zM9 2h4v12H9z')
            : this.#button('play', page.play, () => this.#fire('toggle'), false, 'M4 2v12l9-6z')}
          ${this.#button('forth', page.forth, () => step(1, false), atEnd, 'M4 2v12l8-6z')}
          ${this.#button('commit-forth', page.commitForth, () => step(1, true), atEnd, 'M1 2v12l7-6zM8 2v12l7-6z')}
          ${this.#button('last', page.last, () => this.#fire('goto', this.last), atEnd, 'M11 2h2v12h-2zM2 2v12l8-6z')}
        </div>
        <label class="speed" ?hidden=${this.live}><span class="name faint">${page.speed} </span>
          <select aria-label=${page.speed} @change=${(event) => this.#fire('speed', Number(event.target.value))}>
            ${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${speed === this.speed}>${speed}×</option>`)}
          </select>
        </label>
        <div class="where">
          ${this.state ? html`<span class="faint" role="status">${this.state}</span>` : nothing}
          ${this.running
            ? html`<button class="live" data-control="live" aria-pressed=${this.live} @click=${() => this.#fire('live')}><span class="dot"></span>${this.live ? page.live : page.goLive}</button>`
            : nothing}
        </div>
      </div>
    `;
  }

  /** `off`: it leads nowhere now, and keeps the focus all the same. */
  #button(name, label, act, off, shape) {
    return html`<button data-control=${name} aria-label=${label} title=${label} aria-disabled=${off} @click=${off ? nothing : act}>
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d=${shape}></path></svg>
    </button>`;
  }

  #fire(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

customElements.define('muninn-controls', Controls);
