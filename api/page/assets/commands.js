// What the seat may do: the legal commands, narrowed by the picture or by this list.

import { LitElement, css, html, nothing } from './vendor/lit.js';
import { onlyOne, question } from './question.js';
import { shared } from './style.js';
import { page } from './words.js';

/** Shows a `choice`, and what the command that is left `would` do. Fires `submit` with a command, and `narrowed` with another choice. */
export class Commands extends LitElement {
  static properties = { choice: {}, words: {}, would: {}, busy: { type: Boolean }, hints: { type: Boolean }, refusal: {} };

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

  /** What is chosen takes its button with it: the next one has the focus, or all of the list while a command is under way. */
  update(changed) {
    const held = this.renderRoot.activeElement;
    super.update(changed);
    const now = this.renderRoot.activeElement;
    if (held && (!now || now.matches(':disabled'))) (this.renderRoot.querySelector('.main:enabled, .list button:enabled') ?? this.#whole)?.focus({ preventScroll: true });
  }

  get #whole() {
    return this.renderRoot.querySelector('section');
  }

  /** On none of the commands: whoever still presses a key does not do one by that. */
  focus(options) {
    this.#whole?.focus(options);
  }

  render() {
    const { choice } = this;
    if (!choice) return nothing;
    const one = onlyOne(choice);
    const next = question(choice);
    return html`
      <section class="card" tabindex="-1" aria-label=${page.yourTurn}>
        <div class="ask"><h2>${this.busy ? '…' : page.yourTurn}</h2>${one ? nothing : this.#asks(next)}</div>
        ${this.refusal ? html`<p class="bad" role="alert">${this.refusal.text}
          ${this.refusal.rule ? html`<button class="rule" data-rule=${this.refusal.rule}
            @click=${() => this.#fire('rule', this.refusal.rule)}>${this.refusal.rule}</button>` : nothing}</p>` : nothing}
        ${choice.narrowed ? html`<div class="row">
          ${choice.steps.map((step, index) => html`<button class="chip" title=${page.undo} ?disabled=${this.busy} @click=${() => this.#fire('narrowed', choice.without(index))}>
            ${this.#step(step)} <span aria-hidden="true">×</span></button>`)}
        </div>` : nothing}
        ${one ? this.#confirm(one) : this.#question(next)}
      </section>
    `;
  }

  #confirm({ command, label, points }) {
    return html`<div class="row">
      <button class="main" data-command ?disabled=${this.busy} @click=${() => this.#fire('submit', command)}>${label}${this.#gain(points)}</button>
      <button ?disabled=${this.busy} @click=${() => this.#fire('narrowed', this.choice.reset())}>${page.cancel}</button>
    </div>
    ${this.would ? html`<p class="faint" data-would>${this.would}</p>` : nothing}`;
  }

  #question({ options, field, values }) {
    if (options) {
      return html`<div class="list">${options.map(({ command, label, points }) => html`<button data-command ?disabled=${this.busy}
        @click=${() => this.#fire('submit', command)}>${label}${this.#gain(points)}</button>`)}</div>`;
    }
    return html`<div class="list">${values.map(({ value, count, most }) => html`<button data-field=${field} data-value=${JSON.stringify(value)} ?disabled=${this.busy}
        @click=${() => this.#fire('narrowed', this.choice.with({ field, value }))}>${this.#value(field, value)}<span class="count">${count}</span>${this.#gain(most, count > 1)}</button>`)}</div>`;
  }

  /** What is to be chosen next. */
  #asks({ options, field }) {
    return options ? nothing : html`<p class="faint">${this.words.question(field)}</p>`;
  }

  /** The points that a choice is sure to bring at once, where hints are wished. */
  #gain(points, best) {
    if (!this.hints || !points) return nothing;
    const sign = points < 0 ? '−' : '+';
    return html`<span class="gain" title=${page.hints}>${best ? '≤ ' : ''}${sign}${page.gain(Math.abs(points))}</span>`;
  }

  #value(field, value) {
    return this.words.value(field, value, this.choice.left[0].command.type);
  }

  #step({ spot, field, value }) {
    return spot === undefined ? this.#value(field, value) : this.words.spot(spot);
  }

  #fire(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

customElements.define('muninn-commands', Commands);
