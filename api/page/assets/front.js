// <muninn-front>: the front door. What this is, a match to watch, the games, and the ways on.

import { LitElement, css, html, nothing } from './vendor/lit.js';
import { follow } from './client/index.js';
import { sleep } from './client/problem.js';
import { isolated } from './names.js';
import { Patient } from './patient.js';
import { shared } from './style.js';
import { isAborted, refusal, trouble } from './trouble.js';
import { language, page } from './words.js';

/** How long the picture stays at least, and how long to wait for another match, in ms. */
const GLANCE = 700;
const REST = 5000;

export class Front extends LitElement {
  static properties = {
    server: {}, games: { state: true }, match: { state: true }, version: { state: true }, live: { state: true }, empty: { state: true },
    opening: { state: true }, trouble: { state: true },
  };

  static styles = [
    shared,
    css`
      .page { max-width: 72rem; margin: 0 auto; padding: 1.2rem 1rem 2rem; display: grid; gap: 1.6rem; }
      .top { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.25fr); gap: 1.2rem 2rem; align-items: center; }
      .what { display: grid; gap: 0.9rem; }
      h1 { font-size: 2.3rem; display: flex; align-items: center; gap: 0.7rem; }
      h1 img { width: 3.2rem; height: 3.2rem; }
      h2 { font-size: 1.35rem; }
      p { margin: 0; }
      .lead { font-size: 1.12rem; }
      .ways { display: flex; flex-wrap: wrap; gap: 0.6rem; }
      .way {
        display: inline-block; padding: 0.45rem 0.95rem; border-radius: 0.4rem; border: 1px solid var(--muninn-line, GrayText);
        text-decoration: none; color: inherit; background: var(--muninn-card, Canvas);
      }
      .way:hover { border-color: var(--muninn-accent, Highlight); }
      .way.main { background: var(--muninn-accent, Highlight); color: var(--muninn-accent-ink, HighlightText); border-color: transparent; }
      .show { display: grid; padding: 0.7rem; gap: 0.5rem; text-decoration: none; color: inherit; }
      .show img { width: 100%; height: 24rem; object-fit: contain; display: block; }
      .show .caption { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; align-items: baseline; }
      .show .players { overflow-wrap: anywhere; }
      .mark { border: 1px solid currentColor; border-radius: 0.9rem; padding: 0 0.55rem; font-size: 0.8rem; color: var(--muninn-accent, LinkText); }
      .nothing { display: grid; gap: 0.8rem; padding: 1.4rem; justify-items: start; }
      .games { display: grid; grid-template-columns: repeat(auto-fill, minmax(15.5rem, 1fr)); gap: 1rem; list-style: none; margin: 0.7rem 0 0; padding: 0; }
      .games > li { display: grid; gap: 0.55rem; padding: 0.9rem; align-content: start; }
      .games img { width: 100%; height: 11.5rem; object-fit: contain; display: block; }
      .games h3 { font-size: 1.15rem; }
      summary { cursor: pointer; padding: 0.3rem 0; }
      .rules { margin: 0; max-height: 20rem; overflow: auto; font-size: 0.9rem; }
      .rules dt { font-weight: 600; margin-top: 0.45rem; }
      .rules dd { margin: 0; }
      .links { display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; }
      @media (max-width: 52rem) { .top { grid-template-columns: minmax(0, 1fr); } .show img { height: auto; max-height: 24rem; } }
    `,
  ];

  #closing = new AbortController();
  /** The version of the match that is shown, even if nobody looks. */
  #latest;

  connectedCallback() {
    super.connectedCallback();
    this.#closing = new AbortController();
    const { signal } = this.#closing;
    this.client = new Patient(this.server ?? new URL(import.meta.url).origin, { language }, (error) => {
      if (!signal.aborted) this.trouble = trouble(error);
      return signal;
    });
    document.addEventListener('visibilitychange', this.#look, { signal });
    this.#readGames();
    this.#watch();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#closing.abort();
  }

  #look = () => {
    if (!document.hidden) this.version = this.#latest;
  };

  async #readGames() {
    const { signal } = this.#closing;
    while (!this.games && !signal.aborted) {
      try {
        const { items } = await this.client.get('/v1/games', {}, { signal });
        const words = ({ id: game }) => this.client.get('/v1/games/{game}/words', { game, lang: language }, { signal });
        const said = await Promise.all(items.map(words));
        this.games = items.map((game, index) => ({ ...game, words: said[index] }));
        this.trouble = null;
      } catch (error) {
        if (isAborted(error)) return;
        this.trouble = trouble(error);
        await sleep(REST, signal);
      }
    }
  }

  /** Shows one match after the other, each for as long as it goes on. */
  async #watch() {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        if (!document.hidden && (await this.#choose(signal))) await this.#follow(signal);
      } catch (error) {
        if (isAborted(error)) return;
      }
      await sleep(REST, signal);
    }
  }

  /** The running match that moved last, otherwise the match that ended last. Does it go on? */
  async #choose(signal) {
    const newest = async (query) => (await this.client.get('/v1/matches', { ...query, limit: 1 }, { signal })).items[0];
    const running = await newest({ status: 'running' });
    const match = running ?? (await newest({}));
    this.live = running !== undefined;
    this.empty = !match;
    this.match = match;
    this.#latest = this.version = match?.version;
    return this.live;
  }

  async #follow(signal) {
    const { match, version: after } = this.match;
    for await (const commit of follow(this.client, match, { after, signal })) {
      this.#latest = commit.last_version;
      this.#look();
      await sleep(GLANCE, signal);
    }
    this.live = false;
  }

  /** The server's bots play a match of each game. */
  async #letBotsPlay() {
    this.opening = true;
    try {
      for (const game of this.games) {
        const seats = Array.from({ length: game.seats_min }, () => ({ bot: 'greedy' }));
        await this.client.open({ game: game.id, seats, sandbox: {} });
      }
      this.trouble = null;
      if (await this.#choose(this.#closing.signal)) this.#closing.signal.throwIfAborted();
    } catch (error) {
      if (!isAborted(error)) this.trouble = refusal(error);
    } finally {
      this.opening = false;
    }
  }

  render() {
    const words = page.front;
    return html`
      <div class="page">
        <section class="top">
          <div class="what">
            <h1><img src="/pages/raven.svg" alt="">Muninn</h1>
            <p class="lead">${words.what}</p>
            <p>${words.how}</p>
            <p class="ways">
              <a class="way main" href="/watch">${words.toMatches}</a>
              <a class="way" href="/watch#open">${page.openMatch}</a>
              <a class="way" href="/developers">${page.developers.title}</a>
            </p>
          </div>
          ${this.#shown(words)}
        </section>
        ${this.trouble ? html`<p class="bad" role="alert">${this.trouble.text}</p>` : nothing}
        <section aria-labelledby="games">
          <h2 id="games">${words.games}</h2>
          ${this.games ? html`<ul class="games">${this.games.map((game) => this.#game(game, words))}</ul>` : html`<p class="faint">${page.loading}</p>`}
        </section>
        <section aria-labelledby="build">
          <h2 id="build">${words.build}</h2>
          <p>${words.buildHow}</p>
          <p class="links">
            <a href="/developers">${page.developers.title}</a> <a href="/docs/">${words.toApi}</a> <a href="/openapi.json">OpenAPI</a> <a href="/asyncapi.json">AsyncAPI</a>
            <a href="/v1/games">/v1/games</a> <a href="/v1/matches">/v1/matches</a>
          </p>
        </section>
      </div>
    `;
  }

  #shown(words) {
    const { match } = this;
    if (this.empty) {
      return html`<div class="card nothing" data-empty><p>${words.empty}</p>
        <button class="main" data-control="bots" ?disabled=${this.opening || !this.games} @click=${() => this.#letBotsPlay()}>${words.letBotsPlay}</button></div>`;
    }
    if (!match) return html`<div class="card nothing"><p class="faint">${page.loading}</p></div>`;
    const title = this.games?.find((game) => game.id === match.game)?.words.title ?? match.game;
    const players = match.seats.map((seat) => isolated(seat.name ?? page.bots[seat.bot] ?? page.seat(seat.seat))).join(' – ');
    return html`
      <a class="card show" href="/watch/${match.match}" data-match=${match.match}>
        <img src=${this.client.address('/v1/matches/{id}/board.svg', { id: match.match, shape: 'board', at: this.version, lang: language })} alt=${words.pictureOf(title, players)}>
        <span class="caption"><strong>${title}</strong> <span class="players">${players}</span>
          <span class="mark">${this.live ? page.live : page.statuses[match.status]}</span>
          ${match.sandbox ? html`<span class="mark">${page.sandbox}</span>` : nothing}</span>
      </a>
    `;
  }

  #game({ id, words: said, seats_min: least, seats_max: most }, words) {
    return html`
      <li class="card" data-game=${id}>
        <img src="/v1/games/${id}/board.svg?shape=board&lang=${language}" alt=${words.boardOf(said.title)} loading="lazy">
        <h3>${said.title}</h3>
        <p>${said.text}</p>
        <p class="faint">${least === most ? words.exactly(least) : words.players(least, most)}</p>
        <p class="links"><a href="/watch?game=${id}">${page.matches}</a> <a href="/watch?game=${id}#open">${page.openMatch}</a></p>
        <details><summary>${words.rules}</summary>
          <dl class="rules" tabindex="0" aria-label=${words.rulesOf(said.title)}>${Object.entries(said.rules).map(([number, text]) => html`<dt>${number}</dt><dd>${text}</dd>`)}</dl></details>
      </li>
    `;
  }
}

customElements.define('muninn-front', Front);
