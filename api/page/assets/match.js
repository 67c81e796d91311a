// <muninn-match server="https://..." match="<id>" at="57" viewer="1">: a match with everything around it. Other pages may use it too.

import { LitElement, css, html, nothing } from './vendor/lit.js';
import './board.js';
import './commands.js';
import './controls.js';
import './log.js';
import { askForRule, rule } from './parts.js';
import { Patient } from './patient.js';
import { clicked, onlyOne } from './question.js';
import { statusOf } from './status.js';
import { shared } from './style.js';
import { news, told } from './news.js';
import { Sound } from './sound.js';
import { Table } from './table.js';
import { tree } from './tree.js';
import { language, page } from './words.js';

/** What has the focus, in whatever root. */
const focused = () => {
  let held = document.activeElement ?? document.body;
  while (held.shadowRoot?.activeElement) held = held.shadowRoot.activeElement;
  return held;
};

/** Fires `moment` with `{at, viewer}` when another moment is looked at; `at` is undefined while it goes on live. */
export class Match extends LitElement {
  static properties = { server: {}, match: {}, at: { type: Number }, viewer: {}, rule: { state: true }, copied: { state: true }, reads: { state: true } };

  static styles = [
    shared,
    css`
      :host { display: block; height: 100%; }
      /* The whole table on one screen: the picture, beside it what to do and what happened, below it the time. */
      .page {
        display: grid; gap: 0.6rem; padding: 0.6rem 0.8rem; max-width: 120rem; margin: 0 auto; height: var(--muninn-match-height, 100dvh);
        grid-template: "head head" auto "picture dock" auto "picture log" minmax(0, 1fr) "controls log" auto / minmax(0, 1fr) minmax(15rem, 24rem);
      }
      .first { display: contents; }
      header { grid-area: head; display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; align-items: center; min-width: 0; }
      h1 { font-size: 1.35rem; }
      .badge { border: 1px solid currentColor; border-radius: 1rem; padding: 0 0.6rem; font-size: 0.85rem; }
      .says { margin: 0; flex: 1 1 16rem; min-width: 0; font-size: 0.95rem; line-height: 1.3; overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
      .status { font-family: var(--muninn-text, serif); font-size: 1.05rem; font-weight: 600; }
      .tools { margin-left: auto; display: flex; flex-wrap: wrap; gap: 0.35rem; align-items: center; }
      .tools button.icon { min-width: 2.4rem; padding: 0.2rem 0.4rem; }
      .tools button[aria-pressed="true"] { background: var(--muninn-mark, Mark); }
      .tools svg { width: 1.15em; height: 1.15em; display: block; margin: auto; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
      .elsewhere { font-size: 0.9rem; }
      .zooms { display: inline-flex; gap: 0.2rem; }
      .picture { grid-area: picture; min-width: 0; min-height: 0; overflow: hidden; }
      .picture.card { padding: 0.5rem; overflow: auto; }
      muninn-picture { --muninn-board-height: 100%; --muninn-board-most: none; }
      .dock { grid-area: dock; min-width: 0; min-height: 0; display: grid; gap: 0.4rem; align-content: start; max-height: 52dvh; overflow: auto; }
      .dock:empty { display: none; }
      muninn-controls { grid-area: controls; min-width: 0; }
      .log { grid-area: log; overflow: auto; min-height: 0; }
      .log h2 { font-size: 1.05rem; padding: 0.6rem 0.75rem 0.4rem; }
      .note { padding: 0.5rem 0.8rem; margin: 0; }
      .past { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; align-items: center; justify-content: space-between; }
      .tree { margin: 0; padding: 0; list-style: none; font-size: 0.9rem; overflow-wrap: anywhere; }
      .tree .tree { padding-left: 1rem; }
      .turn-page { display: none; }
      [popover] { max-width: min(30rem, 92vw); padding: 0.9rem 1.1rem; color: inherit; border: 1px solid var(--muninn-line, GrayText); border-radius: 0.6rem; background: var(--muninn-card, Canvas); box-shadow: 0 6px 30px rgb(0 0 0 / 0.25); }
      [popover] h2 { font-size: 1.05rem; margin-bottom: 0.4rem; }
      [popover] p { margin: 0; }
      /* A phone held upright: one column. Whoever plays turns between the table and the log, and always sees what to do. */
      @media (max-width: 60rem) and (orientation: portrait), (max-width: 40rem) {
        .page { display: flex; flex-direction: column; padding: 0.3rem 0; gap: 0.3rem; height: auto; }
        header { padding: 0 0.5rem; }
        .says { flex: 1 1 100%; font-size: 0.9rem; }
        .status { font-size: 1em; }
        h1 { font-size: 1.15rem; }
        .tools { margin-left: 0; gap: 0.25rem; }
        .picture { overflow: visible; }
        muninn-picture { --muninn-board-height: auto; }
        .stays { position: sticky; bottom: 0; z-index: 1; }
        .log { max-height: 60vh; }
        /* Whoever watches reads the title in the picture. */
        .page:not(.sits) h1 { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
        .page:not(.sits) .tools { display: contents; }
        .page:not(.sits) .says { flex: 1 1 8rem; }
        .page:not(.sits) [data-control="link"] { order: 1; }
        .page:not(.sits) :is(.zooms, label.elsewhere) { order: 2; }
        .elsewhere .faint { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
        .elsewhere select { max-width: 9rem; }
        .sits { height: var(--muninn-match-height, 100dvh); }
        .sits .first { display: flex; flex-direction: column; gap: inherit; flex: 1; min-height: 0; }
        .sits h1 { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
        .sits .picture { flex: 1; overflow: hidden; }
        .sits muninn-picture { --muninn-board-height: 100%; }
        .sits .dock { flex: none; max-height: 25dvh; }
        .sits .turn-page { display: inline-block; }
        .sits muninn-controls, .sits .log, .sits.reads :is(.picture, .past), .sits:not(.reads) .elsewhere, .sits.reads .zooms { display: none; }
        .sits.reads .first { flex: none; flex-direction: column; }
        .sits.reads muninn-controls { display: block; }
        .sits.reads .log { display: block; flex: 1; max-height: none; }
      }
      /* A phone held across: the table beside what to do. */
      @media (max-height: 32rem) and (min-width: 40.01rem) {
        .page { padding: 0.2rem 0.5rem; gap: 0.3rem; }
        .says { -webkit-line-clamp: 1; }
        .sits h1, .sits .elsewhere, .sits muninn-controls { display: none; }
        .dock { max-height: 62dvh; }
      }
    `,
  ];

  #table;
  #narrow;
  #sound = new Sound();
  #mine;
  #asked;
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
    // The element may have another table before a command of this one has its answer.
    const table = new Table(new Patient(server, { token: this.token, language }, (error) => table.waits(error)), this.match, { at: this.at, viewer: this.viewer ?? undefined, changed: () => this.#moved() });
    this.#table = table;
    this.#narrow = matchMedia('(max-width: 48rem)');
    this.#narrow.addEventListener('change', this.#turn);
    this.#table.tall = this.#narrow.matches;
    this.#table.open();
  }

  /** The list of commands goes with each command, and the way back with the past: the focus waits where it was, for the next one. */
  update(changed) {
    const held = this.renderRoot.activeElement;
    const docked = held?.closest('.dock');
    super.update(changed);
    if (!docked || (held !== docked && held.isConnected)) return;
    const list = this.renderRoot.querySelector('muninn-commands');
    if (list && list !== held) list.updateComplete.then(() => list.focus({ preventScroll: true }));
    else if (!list) this.renderRoot.querySelector('.dock')?.focus({ preventScroll: true });
  }

  /** A log that comes into sight could not scroll to the moment before, and of a picture nothing could be measured. */
  updated(changed) {
    if (!changed.has('reads')) return;
    this.renderRoot.querySelector('muninn-log')?.requestUpdate('version');
    if (!this.reads) this.#board?.requestUpdate('svg', null);
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
    if (!words || !version) return;
    const who = `${words.title}: ${info.seats.map((seat) => names.seat(seat.seat)).join(' – ')}`;
    const mine = this.#isMine();
    const title = mine ? `● ${page.yourTurn} – ${who}` : who;
    // Who comes to the page sees it; a sound is for those who wait.
    if (mine && this.#mine === false) this.#sound.ring();
    this.#mine = mine;
    this.dispatchEvent(new CustomEvent('moment', { detail: { at: live ? undefined : version, viewer: info.status === 'finished' ? viewer : undefined, title } }));
  }

  #isMine() {
    const { info, me } = this.#table;
    return info.status === 'running' && me !== null && info.active_seat === me;
  }

  get #board() {
    return this.renderRoot.querySelector('muninn-picture');
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
    if (!table.words || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const path = event.composedPath();
    const [target] = path;
    // On a page of somebody else, its keys are its own.
    if (target.isContentEditable || (target !== this.ownerDocument.body && !path.includes(this))) return;
    const slider = target instanceof HTMLInputElement && target.type === 'range';
    if (target instanceof HTMLElement && target.matches('input, select, textarea') && !slider) return;
    // What is wider than its frame scrolls; what is pressed while a command is under way is not about the past.
    if (target instanceof Element && target.matches('.frame') && ['ArrowLeft', 'ArrowRight'].includes(event.key)) {
      if (table.between) return event.preventDefault();
      if (!event.shiftKey && target.scrollWidth > target.clientWidth) return;
    }
    // The browser closes the text of a rule by that.
    if (event.key === 'Escape' && this.renderRoot.querySelector('#rule:popover-open')) return;
    // Whoever reads it scrolls it by the keys.
    if (target instanceof Element && target.closest(':popover-open')) return;
    const onButton = target instanceof Element && target.closest('button, a, summary, [role="button"]');
    const keys = {
      ArrowLeft: () => table.step({ by: -1, commits: event.shiftKey }),
      ArrowRight: () => table.step({ by: 1, commits: event.shiftKey }),
      PageUp: () => table.step({ by: -1, commits: true }),
      PageDown: () => table.step({ by: 1, commits: true }),
      Home: () => table.goTo(1),
      End: () => (table.running ? table.goLive() : table.goTo(table.head)),
      ' ': onButton ? undefined : () => table.toggle(),
      '+': () => this.#board?.zoom.by(1.25),
      '=': () => this.#board?.zoom.by(1.25),
      '-': () => this.#board?.zoom.by(0.8),
      0: () => this.#board?.zoom.fit(),
      Escape: table.mayAct && table.choice.narrowed ? () => table.narrow(table.choice.without(table.choice.steps.length - 1)) : undefined,
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  render() {
    const table = this.#table;
    if (!table.info || !table.words) {
      return html`<div class="page"><p class="note card ${table.trouble ? 'bad' : ''}" role="status">${table.trouble ? this.#trouble(table.trouble) : page.loading}</p></div>`;
    }
    const sits = table.me !== null && table.running;
    return html`
      <div class="page ${sits ? 'sits' : ''} ${this.reads ? 'reads' : ''}" @rule=${this.#showRule} @spot=${this.#spot} @nothing=${(event) => table.explain(event.detail)}
        @submit=${(event) => table.submit(event.detail)} @narrowed=${(event) => table.narrow(event.detail)}>
        <div class="first">
          ${this.#header(table, sits)}
          <div class="picture ${table.svg ? '' : 'card'}">
            ${table.svg
              ? html`<muninn-picture .svg=${table.svg} .choosable=${this.#choosable(table)} .chosen=${table.choice ? clicked(table.choice) : new Set()} .label=${table.words.spot}
                  ?asks=${sits && table.version === table.head} ?bare=${sits && table.tall} fit=${table.tall ? 'width' : nothing}></muninn-picture>`
              : table.view ? tree(table.view) : page.loading}
          </div>
          <div class="dock" tabindex="-1">
            ${table.trouble ? html`<p class="note card bad" role="alert">${this.#trouble(table.trouble)}</p>` : nothing}
            ${table.notice ? html`<p class="note card" role="status">${table.notice}</p>` : nothing}
            ${sits && !table.live && !table.mayAct ? html`<div class="note card past"><span>${page.versionOf(table.version, table.head)}</span>
              <button class="main" data-control="present" @click=${() => table.goLive()}>${page.goLive}</button></div>` : nothing}
            ${table.mayAct ? html`<muninn-commands data-version=${table.info.version} .choice=${table.choice} .words=${table.words} .refusal=${table.refusal} ?busy=${table.busy}
              ?hints=${table.hints} .would=${table.preview ? told(table.preview, table.words, table.names) : ''}></muninn-commands>` : this.#why(table.refusal)}
          </div>
        </div>
        <muninn-controls class="controls card stays" .version=${table.version} .last=${table.head} .playing=${table.playing} .live=${table.live}
          .running=${table.running} .speed=${table.speed} .state=${sits ? null : table.state}
          @goto=${(event) => table.goTo(event.detail)} @step=${(event) => table.step(event.detail)} @toggle=${() => table.toggle()}
          @speed=${(event) => { table.speed = event.detail; }} @live=${() => table.goLive()}></muninn-controls>
        <section class="log card" tabindex="0" aria-label=${page.log}>
          <h2>${page.log}</h2>
          ${table.commits.length ? html`<muninn-log .commits=${table.commits} .around=${table.around} .version=${table.version} .words=${table.words} .names=${table.names}
            .address=${this.#address} .first=${table.first} .last=${table.last}
            @goto=${(event) => table.goTo(event.detail)} @earlier=${() => table.more(-1)} @later=${() => table.more(1)}></muninn-log>` : nothing}
        </section>
        <div popover id="rule" role="dialog" @toggle=${this.#giveBack} aria-labelledby="rule-number" tabindex="-1">${this.rule ? html`<h2 id="rule-number">${this.rule.rule}</h2><p>${this.rule.text}</p>` : nothing}</div>
      </div>
    `;
  }

  #header(table, sits) {
    const said = table.live ? news(table.commits, table.me, table.words, table.names) : '';
    const zoom = (name, label, act, shape) => html`<button class="icon" data-zoom=${name} aria-label=${label} title=${label} @click=${() => act(this.#board.zoom)}>
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d=${shape}></path></svg></button>`;
    const toggle = (name, label, on, act, shape) => html`<button class="icon" data-control=${name} aria-label=${label} title=${label} aria-pressed=${on} @click=${act}>
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d=${shape}></path></svg></button>`;
    return html`<header>
      <h1>${table.words.title}</h1>
      ${table.info.loaded ? html`<span class="badge" data-loaded title=${page.loadedHelp}>${page.loaded}</span>` : nothing}
      ${table.info.sandbox ? html`<span class="badge" data-sandbox title=${page.sandboxHelp}>${page.sandbox}</span>` : nothing}
      <p class="says" role="status" aria-live="polite" aria-busy=${table.between}><span class="status">${table.between ? '…' : statusOf(table)}</span>
        ${sits && table.state ? html`<span class="bad">${table.state}</span> ` : nothing}<span class="news" title=${said}>${said}</span></p>
      ${this.#seats(table)}
      <span class="tools">
        ${table.canTakeBack ? html`<button data-control="take-back" ?disabled=${table.busy} @click=${() => table.takeBack()}>${page.takeBack}</button>` : nothing}
        ${table.svg ? html`<span class="zooms" role="group" aria-label=${page.zoom}>
          ${zoom('smaller', page.smaller, (board) => board.by(0.8), 'M3 8H13')}
          ${zoom('larger', page.larger, (board) => board.by(1.25), 'M3 8H13M8 3V13')}
          ${zoom('fit', page.fit, (board) => board.fit(), 'M2 6V2H6M10 2H14V6M14 10V14H10M6 14H2V10')}
          ${zoom('readable', page.readable, (board) => board.to(board.readable), 'M1 13L5 3L9 13M2.6 9.5H7.4M15 13V8M15 10.5A2.2 2.5 0 1 1 15 10.4')}
        </span>` : nothing}
        ${sits ? html`
          ${toggle('hints', page.hints, table.hints, () => table.setHints(!table.hints), 'M6 13H10M6.5 15H9.5M6 11C6 9 3.5 8.5 3.5 5.5A4.5 4.5 0 0 1 12.5 5.5C12.5 8.5 10 9 10 11Z')}
          ${toggle('sound', this.#sound.on ? page.soundOn : page.soundOff, this.#sound.on, () => { this.#sound.toggle(); this.requestUpdate(); }, 'M2 6V10H5L9 13V3L5 6ZM11.5 5.5A3.5 3.5 0 0 1 11.5 10.5')}
          <span class="turn-page">${toggle('reads', this.reads ? page.toTable : page.toLog, Boolean(this.reads), () => { this.reads = !this.reads; }, 'M2 4H14M2 8H14M2 12H9')}</span>` : nothing}
        ${table.viewers.length > 1 ? html`<label class="elsewhere"><span class="faint">${page.seenBy} </span><select data-control="viewer" @change=${(event) => table.setViewer(event.target.value)}>
          ${table.viewers.map((viewer) => html`<option value=${viewer} ?selected=${viewer === table.viewer}>${table.names.viewer(viewer)}</option>`)}
        </select></label>` : nothing}
        <a class="elsewhere" data-control="link" href=${this.#address(table.version)} target="_blank" rel="noopener" @click=${this.#copy}>${this.copied ? page.copied : page.linkToMoment}</a>
      </span>
    </header>`;
  }

  /** The way to a seat that somebody may take. */
  #seats({ info, me }) {
    const query = new URLSearchParams({ status: 'open', game: info.game });
    return info.status === 'open' && me === null && info.visibility !== 'private'
      ? html`<a data-control="seats" href=${`${this.server ?? ''}/watch?${query}`}>${page.takeSeat}</a>` : nothing;
  }

  /** Why something could not be done, where there is nothing to choose. */
  #why(refusal) {
    return refusal ? html`<p class="note card bad" role="alert" @click=${askForRule}>${refusal.text}${refusal.rule ? html` ${rule(refusal.rule)}` : nothing}</p>` : nothing;
  }

  #trouble({ text, detail }) {
    return html`${text}${detail && detail !== text && language === 'en' ? html` <span class="faint">${detail}</span>` : nothing}`;
  }

  /** All places that would narrow further, and those already chosen. */
  #choosable({ mayAct, busy, choice }) {
    return mayAct && !busy ? new Set([...choice.spots, ...clicked(choice)]) : new Set();
  }

  /** A place of the picture: narrows, or takes that back; chosen again when one command is left, it is done. */
  #spot = ({ detail: spot }) => {
    const table = this.#table;
    const { choice, busy } = table;
    if (!choice || busy) return;
    const only = onlyOne(choice);
    const step = choice.steps.findIndex((one) => one.spot === spot);
    if (only && step >= 0) table.submit(only.command);
    else table.narrow(step >= 0 ? choice.without(step) : choice.click(spot));
  };

  #showRule = (event) => {
    this.rule = { rule: event.detail, text: this.#table.words.rule(event.detail) ?? page.noRule };
    const box = this.renderRoot.querySelector('#rule');
    if (!box.matches(':popover-open')) {
      this.#asked = focused();
      box.showPopover();
    }
    box.focus();
  };

  /** A browser gives the focus back to nothing that stands in another root. Whoever has clicked elsewhere meanwhile has it there. */
  #giveBack = ({ newState, target }) => {
    const held = focused();
    if (newState === 'closed' && (held === target || held === document.body || held.shadowRoot)) this.#asked?.focus({ preventScroll: true });
  };

  #copy = async (event) => {
    const { href } = event.currentTarget;
    if (event.ctrlKey || event.metaKey || event.shiftKey || !navigator.clipboard) return;
    event.preventDefault();
    try {
      await navigator.clipboard.writeText(href);
    } catch {
      // Nobody leaves the table for it.
      window.open(href, '_blank', 'noopener');
      return;
    }
    this.copied = true;
    setTimeout(() => { this.copied = false; }, 1500);
  };
}

customElements.define('muninn-match', Match);
