// The log in words: commits with their events, each a link to its moment.

import { LitElement, css, html, nothing, repeat } from './vendor/lit.js';
import { askForRule, told } from './parts.js';
import { shared } from './style.js';
import { language, page } from './words.js';

const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** Shows `commits`; `version` is the moment that is looked at, and `around` the commits that came with it. Fires `goto` with a version, and `earlier`, `later`. */
export class Log extends LitElement {
  static properties = { commits: {}, version: { type: Number }, words: {}, names: {}, address: {}, around: {}, first: { type: Boolean }, last: { type: Boolean } };

  static styles = [
    shared,
    css`
      ol { list-style: none; margin: 0; padding: 0; }
      .commit { border-top: 1px solid var(--muninn-line, GrayText); padding: 0.45rem 0.75rem 0.5rem; }
      .head { display: flex; gap: 0.5rem; align-items: baseline; font-size: 0.82rem; color: var(--muninn-faint, GrayText); }
      .head b { color: var(--muninn-ink, CanvasText); font-weight: 600; }
      .head time { margin-left: auto; font-variant-numeric: tabular-nums; }
      .event { display: flex; gap: 0.6rem; padding: 0.1rem 0.35rem; margin: 0 -0.35rem; border-radius: 0.3rem; }
      .event a { flex: none; min-width: 2.4em; text-align: right; font-size: 0.8rem; font-variant-numeric: tabular-nums; text-decoration: none; padding-top: 0.1rem; }
      .event a:hover { text-decoration: underline; }
      .event.now { background: var(--muninn-mark, Mark); }
      .later .told, .later .head b { color: var(--muninn-faint, GrayText); }
      .told { min-width: 0; overflow-wrap: anywhere; }
      .lines { margin: 0.1rem 0 0.2rem; padding-left: 1.1rem; color: var(--muninn-faint, GrayText); font-size: 0.92em; }
      .more { padding: 0.5rem 0.75rem; }
      .more button { width: 100%; }
    `,
  ];

  constructor() {
    super();
    this.commits = [];
  }

  render() {
    return html`
      <div @click=${this.#click}>
        ${this.first ? nothing : html`<p class="more"><button @click=${() => this.#fire('earlier')}>${page.earlier}</button></p>`}
        <ol aria-label=${page.log}>${repeat(this.commits, (commit) => commit.commit, (commit) => this.#commit(commit))}</ol>
        ${this.last ? nothing : html`<p class="more"><button @click=${() => this.#fire('later')}>${page.later}</button></p>`}
      </div>
    `;
  }

  #commit(commit) {
    const later = commit.first_version > this.version;
    const by = commit.seat === null ? '' : this.names.seat(commit.seat);
    const who = commit.commit === 1 ? page.setup : by;
    return html`
      <li class="commit ${later ? 'later' : ''}">
        <div class="head">
          <b>${who}</b><span>${page.commit(commit.commit)}</span>
          <time datetime=${commit.recorded_at}>${time.format(new Date(commit.recorded_at))}</time>
        </div>
        ${commit.events.map((event, index) => this.#event(event, commit.first_version + index))}
      </li>
    `;
  }

  #event(event, version) {
    const now = version === this.version;
    return html`
      <div class="event ${now ? 'now' : ''} ${version > this.version ? 'later' : ''}">
        <a href=${this.address(version)} data-version=${version} aria-current=${now ? 'step' : nothing} title=${page.thisMoment}>${version}</a>
        <div class="told">${told(this.words.event(event, this.names))}</div>
      </div>
    `;
  }

  #fire(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #click = (event) => {
    if (askForRule(event)) return;
    const version = event.target.closest?.('[data-version]')?.dataset.version;
    if (!version || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#fire('goto', Number(version));
  };

  /** Brings another moment into sight, by scrolling the box around the log alone. Whoever reads on in the log is left there. */
  updated(changed) {
    if (!changed.has('version') && !changed.has('around')) return;
    const box = this.parentElement;
    const now = this.renderRoot.querySelector('.now');
    if (!now || !box || box.scrollHeight <= box.clientHeight) return;
    const [line, frame] = [now.getBoundingClientRect(), box.getBoundingClientRect()];
    if (line.top < frame.top + 8) box.scrollTop += line.top - frame.top - frame.height / 3;
    else if (line.bottom > frame.bottom - 8) box.scrollTop += line.bottom - frame.bottom + frame.height / 4;
  }
}

customElements.define('muninn-log', Log);
