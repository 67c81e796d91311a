// What the seat may do: the legal commands, narrowed by the picture or by this list.

import { LitElement, css, html, nothing } from './vendor/lit.js';
import { shared } from './style.js';
import { page } from './words.js';

/** Shows a `choice`. Fires `submit` with a command, and `narrowed` when the choice has changed. */
export class Commands extends LitElement {
  static properties = { choice: {}, words: {}, busy: { type: Boolean }, hints: { type: Boolean }, canTakeBack: { type: Boolean }, refusal: {} };

  static styles = [
    shared,
    css`
      section { padding: 0.5rem 0.7rem; display: grid; gap: 0.4rem; }
      h2 { font-size: 1.05rem; }
      .row { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; }
      .list { display: flex; flex-wrap: wrap; gap: 0.35rem; padding: 3px; }
      .list button { text-align: left; }
      .count { color: var(--muninn-faint, GrayText); font-size: 0.8em; margin-left: 0.35em; font-variant-numeric: tabular-nums; }
      .gain { font-weight: 600; margin-left: 0.4em; color: var(--muninn-accent, LinkText); white-space: nowrap; }
      .main .gain { color: inherit; }
      .chip { border-radius: 1.2rem; background: var(--muninn-mark, Mark); }
      p { margin: 0; }
      .ask { display: flex; flex-wrap: wrap; gap: 0.1rem 0.6rem; align-items: baseline; }
      @media (max-width: 40rem) {
        section { padding: 0.35rem 0.5rem; gap: 0.25rem; }
        h2 { font-size: 1rem; }
        .list { gap: 0.3rem; }
        button { padding: 0.15rem 0.4rem; font-size: 0.8rem; }
      }
    `,
  ];

  render() {
    const { choice } = this;
    if (!choice) return nothing;
    const one = choice.one;
    return html`
      <section class="card" aria-label=${page.yourTurn}>
        <div class="ask"><h2>${page.yourTurn}</h2>${one ? nothing : this.#asks(choice.question)}</div>
        ${this.refusal ? html`<p class="bad" role="alert">${this.refusal.text}
          ${this.refusal.rule ? html`<button class="rule" data-rule=${this.refusal.rule}
            @click=${() => this.#fire('rule', this.refusal.rule)}>${this.refusal.rule}</button>` : nothing}</p>` : nothing}
        ${choice.chosen.length ? html`<div class="row">
          ${choice.chosen.map((step, index) => html`<button class="chip" title=${page.undo} @click=${() => this.#change(() => choice.without(index))}>
            ${this.#step(step)} <span aria-hidden="true">×</span></button>`)}
        </div>` : nothing}
        ${one ? this.#confirm(one) : this.#question(choice.question)}
        ${this.canTakeBack ? html`<div class="row"><button data-control="take-back" ?disabled=${this.busy} @click=${() => this.#fire('take-back')}>${page.takeBack}</button></div>` : nothing}
      </section>
    `;
  }

  #confirm(command) {
    return html`<div class="row">
      <button class="main" data-command ?disabled=${this.busy} @click=${() => this.#fire('submit', command)}>${this.choice.label(command)}${this.#gain(this.choice.points(command))}</button>
      <button ?disabled=${this.busy} @click=${() => this.#change(() => { this.choice.chosen = []; })}>${page.cancel}</button>
    </div>`;
  }

  #question({ commands, field, values }) {
    if (commands) {
      return html`<div class="list">${commands.map((command) => html`<button data-command ?disabled=${this.busy}
        @click=${() => this.#fire('submit', command)}>${this.choice.label(command)}${this.#gain(this.choice.points(command))}</button>`)}</div>`;
    }
    return html`<div class="list">${values.map(({ value, count, most }) => html`<button data-value ?disabled=${this.busy}
        @click=${() => this.#change(() => this.choice.field(field, value))}>${this.#value(field, value)}<span class="count">${count}</span>${this.#gain(most, count > 1)}</button>`)}</div>`;
  }

  /** What is to be chosen next. */
  #asks({ commands, field }) {
    return commands ? nothing : html`<p class="faint">${this.words.question(field)}</p>`;
  }

  /** The points that a choice is sure to bring at once, where hints are wished. */
  #gain(points, best) {
    if (!this.hints || !points) return nothing;
    const sign = points < 0 ? '−' : '+';
    return html`<span class="gain" title=${page.hints}>${best ? '≤ ' : ''}${sign}${page.gain(Math.abs(points))}</span>`;
  }

  #value(field, value) {
    return this.words.value(field, value, this.choice.left[0].type);
  }

  #step({ spot, field, value }) {
    return spot === undefined ? this.#value(field, value) : this.words.spot(spot);
  }

  #change(change) {
    change();
    this.#fire('narrowed');
    this.requestUpdate();
  }

  #fire(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

customElements.define('muninn-commands', Commands);
