// <muninn-match server="https://..." match="<id>" at="57" viewer="1">: a match with everything around it. Other pages may use it too.

import { LitElement, css, html, nothing } from './vendor/lit.js';
import { Api } from './api.js';
import './board.js';
import './commands.js';
import './controls.js';
import './log.js';
import { shared } from './style.js';
import { Table } from './table.js';
import { tree } from './tree.js';
import { language, page } from './words.js';

/** Fires `moment` with `{at, viewer}` when another moment is looked at; `at` is undefined while it goes on live. */
export class Match extends LitElement {
  static properties = { server: {}, match: {}, at: { type: Number }, viewer: {}, rule: { state: true }, copied: { state: true } };

  static styles = [
    shared,
    css`
      .page { display: grid; gap: 0.8rem; grid-template-columns: minmax(0, 1fr) minmax(17rem, 24rem); grid-template-areas: "head head" "table log"; padding: 0.8rem; max-width: 100rem; margin: 0 auto; }
      header { grid-area: head; display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; align-items: baseline; }
      h1 { font-size: 1.5rem; }
      .status { font-family: var(--muninn-text, serif); font-size: 1.05rem; }
      .tools { margin-left: auto; display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
      .table { grid-area: table; display: grid; gap: 0.8rem; align-content: start; min-width: 0; }
      .picture { overflow: hidden; }
      .picture.card { padding: 0.5rem; }
      .log { grid-area: log; overflow: auto; max-height: calc(100vh - 5.5rem); position: sticky; top: 0.8rem; }
      .log h2 { font-size: 1.05rem; padding: 0.6rem 0.75rem 0.4rem; }
      .note { padding: 0.5rem 0.8rem; margin: 0; }
      .stays { position: sticky; bottom: 0; z-index: 1; }
      .tree { margin: 0; padding: 0; list-style: none; font-size: 0.9rem; overflow-wrap: anywhere; }
      .tree .tree { padding-left: 1rem; }
      [popover] { max-width: min(30rem, 92vw); padding: 0.9rem 1.1rem; color: inherit; border: 1px solid var(--muninn-line, GrayText); border-radius: 0.6rem; background: var(--muninn-card, Canvas); box-shadow: 0 6px 30px rgb(0 0 0 / 0.25); }
      [popover] h2 { font-size: 1.05rem; margin-bottom: 0.4rem; }
      [popover] p { margin: 0; }
      @media (max-width: 60rem) {
        .page { grid-template-columns: minmax(0, 1fr); grid-template-areas: "head" "table" "log"; padding: 0.5rem; gap: 0.6rem; }
        .log { position: static; max-height: 60vh; }
        muninn-board { --muninn-board-height: none; }
        .tools { margin-left: 0; }
        h1 { font-size: 1.25rem; }
      }
    `,
  ];

  #table;
  #narrow;
  #turn = () => {
    this.#table.tall = this.#narrow.matches;
    if (this.#table.version) this.#table.show(this.#table.version);
  };

  /** The token of a seat: a property and no attribute, so that it stands in no markup. */
  token;

  connectedCallback() {
    super.connectedCallback();
    this.ownerDocument.addEventListener('keydown', this.#key);
    const server = this.server ?? new URL(import.meta.url).origin;
    this.#table = new Table(new Api(server, this.token), this.match, { at: this.at, viewer: this.viewer ?? undefined, changed: () => this.#moved() });
    this.#narrow = matchMedia('(max-width: 48rem)');
    this.#narrow.addEventListener('change', this.#turn);
    this.#table.tall = this.#narrow.matches;
    this.#table.open();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.ownerDocument.removeEventListener('keydown', this.#key);
    this.#narrow?.removeEventListener('change', this.#turn);
    this.#table?.close();
  }

  #moved() {
    this.requestUpdate();
    const { live, version, info, viewer, names, words } = this.#table;
    if (!info || !version) return;
    const title = `${words.title}: ${info.seats.map((seat) => names.seat(seat.seat)).join(' – ')}`;
    this.dispatchEvent(new CustomEvent('moment', { detail: { at: live ? undefined : version, viewer: info.status === 'finished' ? viewer : undefined, title } }));
  }

  /** The address of a moment, without the token. */
  #address = (at) => {
    const { info, viewer } = this.#table;
    const query = new URLSearchParams({ at });
    if (info.status === 'finished' && viewer !== 'spectator') query.set('viewer', viewer);
    return `${this.server ?? ''}/watch/${this.match}?${query}`;
  };

  #key = (event) => {
    const table = this.#table;
    if (!table.info || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const [target] = event.composedPath();
    const slider = target instanceof HTMLInputElement && target.type === 'range';
    if (target instanceof HTMLElement && target.matches('input, select, textarea') && !slider) return;
    const onButton = target instanceof Element && target.closest('button, a, summary, [role="button"]');
    const keys = {
      ArrowLeft: () => table.step({ by: -1, commits: event.shiftKey }),
      ArrowRight: () => table.step({ by: 1, commits: event.shiftKey }),
      PageUp: () => table.step({ by: -1, commits: true }),
      PageDown: () => table.step({ by: 1, commits: true }),
      Home: () => table.goTo(1),
      End: () => (table.running ? table.goLive() : table.goTo(table.head)),
      ' ': onButton ? undefined : () => table.toggle(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  render() {
    const table = this.#table;
    if (!table.info) {
      return html`<div class="page"><p class="note card ${table.trouble ? 'bad' : ''}" role="status">${table.trouble ? this.#trouble(table.trouble) : page.loading}</p></div>`;
    }
    return html`
      <div class="page" @rule=${this.#showRule} @spot=${this.#spot} @submit=${(event) => table.submit(event.detail)}
        @narrowed=${() => this.requestUpdate()}>
        <header>
          <h1>${table.words.title}</h1>
          <span class="status" role="status">${this.#status(table)}</span>
          <span class="tools">
            ${table.canTakeBack ? html`<button data-control="take-back" ?disabled=${table.busy} @click=${() => table.takeBack()}>${page.takeBack}</button>` : nothing}
            ${table.viewers.length > 1 ? html`<label><span class="faint">${page.seenBy} </span><select data-control="viewer" @change=${(event) => table.setViewer(event.target.value)}>
              ${table.viewers.map((viewer) => html`<option value=${viewer} ?selected=${viewer === table.viewer}>${table.names.viewer(viewer)}</option>`)}
            </select></label>` : nothing}
            <a data-control="link" href=${this.#address(table.version)} @click=${this.#copy}>${this.copied ? page.copied : page.linkToMoment}</a>
          </span>
        </header>
        <div class="table">
          ${table.trouble ? html`<p class="note card bad" role="alert">${this.#trouble(table.trouble)}</p>` : nothing}
          ${table.notice ? html`<p class="note card" role="status">${table.notice}</p>` : nothing}
          <div class="picture ${table.svg ? '' : 'card'}">
            ${table.svg
              ? html`<muninn-board .svg=${table.svg} .choosable=${this.#choosable(table)} .chosen=${table.choice?.chosenSpots ?? new Set()}></muninn-board>`
              : table.view ? tree(table.view) : page.loading}
          </div>
          ${this.#mayAct(table) ? html`<muninn-commands class=${table.choice.one ? 'stays' : ''} data-version=${table.choice.version} .choice=${table.choice} .words=${table.words} .refusal=${table.refusal} ?busy=${table.busy}></muninn-commands>` : nothing}
          <muninn-controls class="controls card ${this.#mayAct(table) ? '' : 'stays'}" .version=${table.version} .last=${table.head} .playing=${table.playing} .live=${table.live}
            .running=${table.running} .speed=${table.speed} .state=${table.state}
            @goto=${(event) => table.goTo(event.detail)} @step=${(event) => table.step(event.detail)} @toggle=${() => table.toggle()}
            @speed=${(event) => { table.speed = event.detail; }} @live=${() => table.goLive()}></muninn-controls>
        </div>
        <section class="log card" tabindex="0" aria-label=${page.log}>
          <h2>${page.log}</h2>
          ${table.commits.length ? html`<muninn-log .commits=${table.commits} .version=${table.version} .words=${table.words} .names=${table.names}
            .address=${this.#address} .first=${table.first} .last=${table.last}
            @goto=${(event) => table.goTo(event.detail)} @earlier=${() => table.more(-1)} @later=${() => table.more(1)}></muninn-log>` : nothing}
        </section>
        <div popover id="rule">${this.rule ? html`<h2>${this.rule.rule}</h2><p>${this.rule.text}</p>` : nothing}</div>
      </div>
    `;
  }

  #trouble({ text, detail }) {
    return html`${text}${detail && detail !== text && language === 'en' ? html` <span class="faint">${detail}</span>` : nothing}`;
  }

  #mayAct(table) {
    return table.choice && table.version === table.head;
  }

  #choosable(table) {
    return this.#mayAct(table) && !table.busy ? table.choice.choosable : new Set();
  }

  #status(table) {
    const { info, names, words } = table;
    if (info.status === 'open') return page.waiting;
    if (info.status === 'abandoned') return page.abandoned;
    if (info.status === 'running') return info.active_seat === table.me ? page.yourTurn : page.toMove(names.seat(info.active_seat));
    if (table.version < table.head) return page.statuses.finished;
    return (info.standing ?? []).map((place) => words.standing(place, names)).join(' · ');
  }

  /** A place of the picture: narrows; chosen again when one command is left, it is done. */
  #spot = (event) => {
    const { choice, busy } = this.#table;
    if (!choice || busy) return;
    if (choice.one && choice.chosenSpots.has(event.detail)) this.#table.submit(choice.one);
    else choice.spot(event.detail);
    this.requestUpdate();
    this.renderRoot.querySelector('muninn-commands')?.requestUpdate();
  };

  #showRule = (event) => {
    this.rule = { rule: event.detail, text: this.#table.words.rule(event.detail) ?? page.noRule };
    const box = this.renderRoot.querySelector('#rule');
    if (!box.matches(':popover-open')) box.showPopover();
  };

  #copy = async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !navigator.clipboard) return;
    event.preventDefault();
    await navigator.clipboard.writeText(new URL(event.target.href, location.href).href).catch(() => { location.href = event.target.href; });
    this.copied = true;
    setTimeout(() => { this.copied = false; }, 1500);
  };
}

customElements.define('muninn-match', Match);
