// <muninn-lobby>: all matches, filters, and the door to new ones.

import { LitElement, css, html, nothing, repeat } from './vendor/lit.js';
import { Muninn } from './client/index.js';
import { sleep } from './client/problem.js';
import { isolated } from './names.js';
import './open.js';
import { shared } from './style.js';
import { isAborted, refusal, trouble } from './trouble.js';
import { language, ofGame, page } from './words.js';

const STATUSES = ['open', 'running', 'finished', 'abandoned'];
const REFRESH = 4000;
const PAGE = 30;

const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

export class Lobby extends LitElement {
  static properties = {
    server: {}, status: { type: String }, game: { type: String }, player: { type: String },
    items: { state: true }, games: { state: true }, trouble: { state: true }, refused: { state: true }, next: { state: true }, joining: { state: true },
  };

  static styles = [
    shared,
    css`
      .page { max-width: 64rem; margin: 0 auto; padding: 1rem; display: grid; gap: 1rem; }
      header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.4rem 1rem; }
      h1 { font-size: 1.7rem; }
      .filters { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: end; }
      .filters label { display: grid; gap: 0.15rem; font-size: 0.85rem; color: var(--muninn-faint, GrayText); }
      .filters select, .filters input { font-size: 1rem; color: var(--muninn-ink, CanvasText); }
      ul { list-style: none; margin: 0; padding: 0; }
      li { display: grid; grid-template-columns: 6rem 8rem minmax(12rem, 1fr) auto fit-content(14rem); gap: 0.3rem 1rem; align-items: center; padding: 0.6rem 0.9rem; border-top: 1px solid var(--muninn-line, GrayText); }
      li:first-child { border-top: 0; }
      .mini { display: block; width: 6rem; height: 4.5rem; object-fit: contain; }
      .game { font-family: var(--muninn-text, serif); font-weight: 600; }
      .players { overflow-wrap: anywhere; }
      .meta { font-size: 0.85rem; white-space: nowrap; }
      .actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem; justify-content: flex-end; }
      .state { display: inline-block; border: 1px solid currentColor; border-radius: 0.9rem; padding: 0 0.5rem; font-size: 0.8rem; }
      .state.running { color: var(--muninn-accent, LinkText); }
      .note { padding: 0.6rem 0.9rem; margin: 0; }
      details > summary { cursor: pointer; padding: 0.7rem 0.9rem; font-weight: 600; }
      @media (max-width: 52rem) {
        li { grid-template-columns: 6rem minmax(0, 1fr); }
        .picture { grid-row: 1 / span 4; }
        .players { grid-column: 2 / -1; grid-row: 2; }
        .meta { grid-column: 2 / -1; grid-row: 3; white-space: normal; }
        .actions { grid-column: 2 / -1; grid-row: 4; justify-content: flex-start; }
      }
    `,
  ];

  #closing = new AbortController();
  #asked = 0;

  constructor() {
    super();
    this.status = '';
    this.game = '';
    this.player = '';
    this.more = PAGE;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#closing = new AbortController();
    this.client = new Muninn(this.server ?? new URL(import.meta.url).origin, { language });
    this.#keepUp();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#closing.abort();
  }

  /** Reads the list again and again, while somebody looks. */
  async #keepUp() {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      if (!document.hidden) await this.#read();
      await sleep(REFRESH, signal);
    }
  }

  async #read() {
    const asked = (this.#asked += 1);
    const { status, game, player } = this;
    try {
      this.games ??= await this.#games();
      const query = { status: status || null, game: game || null, player: player || null, limit: this.more };
      const page = await this.client.get('/v1/matches', query, { signal: this.#closing.signal });
      if (asked !== this.#asked) return;
      this.items = page.items;
      this.next = page.next;
      this.trouble = null;
    } catch (error) {
      if (!isAborted(error)) this.trouble = trouble(error);
    }
  }

  /** The games, as they are called in the language of the page. */
  async #games() {
    const { items } = await this.client.get('/v1/games', {});
    const words = await Promise.all(items.map(({ id }) => ofGame(this.client, id)));
    return items.map((game, index) => ({ ...game, title: words[index].title }));
  }

  /** Why a seat could not be taken is said above the list, however far down that is. */
  updated(changed) {
    if (changed.has('refused')) this.renderRoot.querySelector('#refused')?.scrollIntoView({ block: 'nearest' });
  }

  #filter(name, value) {
    this[name] = value;
    this.refused = undefined;
    this.more = PAGE;
    this.dispatchEvent(new CustomEvent('filtered', { detail: { status: this.status, game: this.game, player: this.player } }));
    this.#read();
  }

  render() {
    const titles = new Map((this.games ?? []).map((game) => [game.id, game.title]));
    return html`
      <div class="page">
        <header><h1>${page.matches}</h1><span class="faint">${page.tagline}</span></header>
        ${this.trouble ? html`<p class="card note bad" role="alert">${this.trouble.text}</p>` : nothing}
        <details class="card" ?open=${location.hash === '#open'}>
          <summary>${page.openMatch}</summary>
          ${this.games ? html`<muninn-open .client=${this.client} .games=${this.games} .wished=${this.game}></muninn-open>` : nothing}
        </details>
        <div class="filters">
          <label>${page.state}<select data-filter="status" @change=${(event) => this.#filter('status', event.target.value)}>
            <option value="">${page.all}</option>
            ${STATUSES.map((status) => html`<option value=${status} ?selected=${status === this.status}>${page.statuses[status]}</option>`)}
          </select></label>
          <label>${page.game}<select data-filter="game" @change=${(event) => this.#filter('game', event.target.value)}>
            <option value="">${page.all}</option>
            ${[...titles].map(([id, title]) => html`<option value=${id} ?selected=${id === this.game}>${title}</option>`)}
          </select></label>
          <label>${page.player}<input data-filter="player" .value=${this.player} @change=${(event) => this.#filter('player', event.target.value.trim())}></label>
        </div>
        ${this.refused ? html`<p class="card note bad" id="refused" role="alert">${this.refused.text} <span lang="en">${this.refused.detail}</span></p>` : nothing}
        ${this.items === undefined
          ? html`<p class="faint note">${page.loading}</p>`
          : this.items.length
            ? html`<ul class="card" aria-label=${page.matches}>${repeat(this.items, (match) => match.match, (match) => this.#row(match, titles))}</ul>`
            : html`<p class="card note">${page.noMatches}</p>`}
        ${this.next && this.more < 1000 ? html`<button @click=${() => { this.more = Math.min(1000, this.more * 3); this.#read(); }}>${page.moreMatches}</button>` : nothing}
      </div>
    `;
  }

  #row(match, titles) {
    const players = match.seats.map((seat) => isolated(seat.name ?? page.bots[seat.bot] ?? (seat.taken ? page.seat(seat.seat) : page.openSeat)));
    const open = match.status === 'open' ? match.seats.filter((seat) => !seat.taken) : [];
    const label = `${titles.get(match.game) ?? match.game}: ${players.join(' – ')}`;
    return html`
      <li data-match=${match.match}>
        <a class="picture" href="/watch/${match.match}" tabindex="-1" aria-hidden="true">
          <img class="mini" src=${this.client.address('/v1/matches/{id}/board.svg', { id: match.match, shape: 'board', at: match.version, lang: language })} alt="" loading="lazy"></a>
        <span class="game">${titles.get(match.game) ?? match.game}</span>
        <span class="players">${players.join(' – ')}</span>
        <span class="meta faint"><span class="state ${match.status}">${page.statuses[match.status]}</span>
          ${match.loaded ? html`<span class="state" title=${page.loadedHelp}>${page.loaded}</span>` : nothing}
          ${match.sandbox ? html`<span class="state">${page.sandbox}</span>` : nothing}
          <time datetime=${match.updated_at}>${when.format(new Date(match.updated_at))}</time></span>
        <span class="actions">
          ${open.map((seat) => html`<button ?disabled=${this.joining === match.match} @click=${() => this.#join(match, seat.seat)}>${page.take(page.seat(seat.seat))}</button>`)}
          <a href="/watch/${match.match}" aria-label=${`${page.watch} ${label}`}>${page.watch}</a>
        </span>
      </li>
    `;
  }

  async #join(match, seat) {
    const name = prompt(page.yourName)?.trim();
    if (name === undefined) return;
    this.joining = match.match;
    this.refused = undefined;
    try {
      const { token } = await this.client.join(match.match, seat, name ? { name } : {});
      location.href = `/play/${match.match}#${token}`;
    } catch (error) {
      this.refused = refusal(error);
    } finally {
      this.joining = undefined;
    }
  }
}

customElements.define('muninn-lobby', Lobby);
