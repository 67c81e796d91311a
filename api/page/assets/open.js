// <muninn-open>: opens a match. The options come from the game's JSON Schema, so a new game needs nothing here.

import { LitElement, css, html, live, nothing } from './vendor/lit.js';
import { sleep } from './client/problem.js';
import { fields, read, shown } from './fields.js';
import { Patient } from './patient.js';
import { shared } from './style.js';
import { refusal, trouble } from './trouble.js';
import { language, ofGame, page } from './words.js';

/** Who may sit at a seat: somebody with its link, whoever takes it in the lobby, a player of the server. */
const SITTERS = ['person', 'open', 'greedy', 'random'];

export class Open extends LitElement {
  static properties = { client: {}, games: {}, wished: {}, game: { state: true }, info: { state: true }, seats: { state: true }, trouble: { state: true }, opened: { state: true }, busy: { state: true }, unlisted: { state: true } };

  static styles = [
    shared,
    css`
      form, .opened { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.9rem; padding: 0 0.9rem 0.9rem; }
      fieldset { border: 0; padding: 0; margin: 0; display: grid; gap: 0.5rem; }
      legend { font-weight: 600; padding: 0; margin-bottom: 0.3rem; }
      .field { display: grid; grid-template-columns: minmax(7rem, 12rem) minmax(0, 1fr); gap: 0.2rem 0.8rem; align-items: center; }
      .field small { grid-column: 2; }
      .field input:not([type="checkbox"]), .field select, .field textarea { max-width: 22rem; width: 100%; }
      .field input[type="checkbox"] { justify-self: start; }
      .seat { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
      .links { display: grid; gap: 0.4rem; margin: 0; padding: 0; list-style: none; }
      .links a { overflow-wrap: anywhere; }
      code { overflow-wrap: anywhere; }
      p { margin: 0; }
      @media (max-width: 34rem) { .field { grid-template-columns: 1fr; } .field small { grid-column: 1; } }
    `,
  ];

  #server;
  #closing;

  connectedCallback() {
    super.connectedCallback();
    this.unlisted = false;
    this.#closing = new AbortController();
    const { signal } = this.#closing;
    const waits = (error) => {
      if (!signal.aborted) this.trouble = trouble(error);
      return signal;
    };
    this.#server = new Patient(this.client.server, { language }, waits);
    this.#choose((this.games.find((game) => game.id === this.wished) ?? this.games[0]).id);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#closing.abort();
  }

  /** What was pressed goes with all that stood there: the focus is where one goes on. Whoever is elsewhere by then stays there. */
  updated(changed) {
    const held = this.getRootNode().activeElement;
    if (!changed.has('opened') || (held && held !== this)) return;
    this.renderRoot.querySelector(this.opened ? '[data-opened]' : '#game').focus();
  }

  async #choose(id) {
    this.game = this.games.find((game) => game.id === id);
    this.info = undefined;
    this.trouble = undefined;
    this.seats = Array.from({ length: this.game.seats_min }, () => ({ name: '', by: 'person' }));
    while (this.isConnected && this.game.id === id && !this.info) {
      try {
        const [info, words] = await Promise.all([this.client.get('/v1/games/{game}', { game: id }), ofGame(this.client, id)]);
        if (this.game.id === id) Object.assign(this, { words, info, trouble: undefined });
      } catch (error) {
        if (this.game.id !== id) return;
        this.trouble = trouble(error);
        if (!this.trouble.passing) return;
        await sleep(2000);
      }
    }
  }

  get #options() {
    const schema = this.info?.schemas.options;
    if (!schema) return [];
    return fields(schema, schema.$defs ?? {});
  }

  render() {
    if (this.opened) return this.#links();
    const { game } = this;
    const seats = this.seats.length;
    // Nobody could come to a seat that is taken in the lobby where the match is not.
    const taken = this.seats.some(({ by }) => by === 'open');
    // What is written makes no render: `live` compares with what the field says, not with the render before.
    return html`
      <form @submit=${this.#submit}>
        <div class="field"><label for="game">${page.game}</label>
          <select id="game" @change=${(event) => this.#choose(event.target.value)}>
            ${this.games.map((known) => html`<option value=${known.id} ?selected=${known.id === game.id}>${known.title}</option>`)}
          </select><small class="faint">${this.words?.text}</small></div>
        <fieldset><legend>${page.seats}</legend>
          <div class="field"><label for="count">${page.howMany}</label>
            <input id="count" type="number" min=${game.seats_min} max=${game.seats_max} .value=${String(seats)} @change=${(event) => this.#count(event.target.valueAsNumber)}></div>
          ${this.seats.map((seat, index) => html`<div class="seat">
            <label>${page.nameOf(index)} <input maxlength="64" autocomplete="off" .value=${live(seat.name)} @input=${(event) => { seat.name = event.target.value; }}></label>
            <label><span class="faint">${page.playedBy} </span><select data-seat=${index} .value=${live(seat.by)} @change=${(event) => { seat.by = event.target.value; this.requestUpdate(); }}>
              ${SITTERS.map((by) => html`<option value=${by} ?selected=${by === seat.by} ?disabled=${by === 'open' && this.unlisted}>${page.sitters[by]}</option>`)}
            </select></label>
          </div>`)}
        </fieldset>
        ${this.#options.length ? html`<fieldset><legend>${page.options}</legend>${this.#options.map((option) => this.#field(option))}</fieldset>` : nothing}
        <fieldset>
          <div class="field"><label for="take-back">${page.takeBackOption}</label><input id="take-back" name="take_back" type="checkbox"></div>
          <div class="field"><label for="private">${page.privateMatch}</label><input id="private" name="private" type="checkbox" .checked=${live(this.unlisted)} ?disabled=${taken}
            aria-describedby="unlisted" @change=${(event) => { this.unlisted = event.target.checked; }}>
            <small class="faint" id="unlisted" ?hidden=${!taken && !this.unlisted}>${page.privateOrOpen}</small></div>
        </fieldset>
        ${this.trouble ? html`<p class="bad" role="alert">${this.trouble.text} ${this.#why()}</p>` : nothing}
        <p><button class="main" ?disabled=${this.busy || !this.info}>${page.openMatch}</button></p>
      </form>
    `;
  }

  #field(option) {
    const id = `option-${option.name}`;
    const name = `option.${option.name}`;
    const said = this.words.option(option.name);
    return html`<div class="field"><label for=${id}>${said.name}</label>${this.#input(option, id, name)}
      ${said.help ? html`<small class="faint">${said.help}</small>` : nothing}</div>`;
  }

  #input(option, id, name) {
    const { kind, nullable, items, default: given = null } = option;
    const word = this.#word(option);
    if (kind === 'truth') return html`<input id=${id} name=${name} type="checkbox" ?checked=${given === true}>`;
    if (kind === 'choice') {
      return html`<select id=${id} name=${name}>${nullable ? html`<option value="">–</option>` : nothing}
        ${option.enum.map((value) => html`<option value=${value} ?selected=${value === given}>${word(value)}</option>`)}</select>`;
    }
    if (kind === 'number') {
      const step = option.type === 'number' ? 'any' : nothing;
      return html`<input id=${id} name=${name} type="number" step=${step} min=${option.minimum ?? nothing} max=${option.maximum ?? nothing} value=${shown(option)}>`;
    }
    if (kind === 'json') return html`<textarea id=${id} name=${name} rows="3" placeholder="JSON" spellcheck="false" .defaultValue=${shown(option)}></textarea>`;
    const values = kind === 'list' ? (items.enum ?? []).map(word) : [];
    return html`<input id=${id} name=${name} placeholder=${values.join(', ')} value=${shown(option, word)}>`;
  }

  /** Says a value of an option. */
  #word(option) {
    return (value) => this.words.optionValue(option.name, value);
  }

  /** Details are in English; the text of a rule is in the language of the page. */
  #why() {
    const { detail, rule } = this.trouble;
    return (language === 'en' ? detail : this.words?.rule(rule)) ?? '';
  }

  #count(wished) {
    const { seats_min: least, seats_max: most } = this.game;
    const count = Math.min(most, Math.max(least, Number.isInteger(wished) ? wished : least));
    this.seats = Array.from({ length: count }, (_, index) => this.seats[index] ?? { name: '', by: 'person' });
  }

  /** Only what differs from the default is sent. */
  #read(form) {
    const options = {};
    for (const option of this.#options) {
      const { name, kind, default: given = null } = option;
      const input = form.elements[`option.${name}`];
      const value = kind === 'truth' ? input.checked : read(option, input.value.trim(), this.#word(option));
      if (JSON.stringify(value) !== JSON.stringify(given)) options[name] = value;
    }
    return options;
  }

  #submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const seats = this.seats.map(({ name, by }) => {
      if (by === 'open') return { open: true };
      const called = name.trim() || page.bots[by];
      return { ...(called && { name: called }), ...(by !== 'person' && { bot: by }) };
    });
    const body = { game: this.game.id, options: this.#read(form), seats };
    if (form.elements.take_back.checked) body.take_back = true;
    if (this.unlisted) body.visibility = 'private';
    this.busy = true;
    this.trouble = undefined;
    // The form may be about something else before there is an answer.
    const sitting = this.seats.map((seat) => ({ ...seat }));
    try {
      this.opened = { ...(await this.#server.open(body)), sitting };
      this.trouble = undefined;
    } catch (error) {
      this.trouble = refusal(error);
    } finally {
      this.busy = false;
    }
  };

  #links() {
    const { match, seat_tokens: tokens, owner_token: owner, sitting } = this.opened;
    const link = (address, name) => html`<li><a href=${address} data-link>${name}</a></li>`;
    return html`<div class="opened">
      <p role="status" tabindex="-1" data-opened>${page.opened}</p>
      <ul class="links">
        ${tokens.map((token, seat) => (token ? link(`/play/${match}#${token}`, page.playAs(sitting[seat].name.trim() || page.seat(seat))) : html`<li class="faint">${page.seat(seat)}: ${page.sitters[sitting[seat].by]}</li>`))}
        ${link(`/watch/${match}`, page.watch)}
      </ul>
      <details><summary class="faint">${page.owner}</summary><code>${owner}</code></details>
      <p><button @click=${() => { this.opened = undefined; }}>${page.another}</button></p>
    </div>`;
  }
}

customElements.define('muninn-open', Open);
