// A match as a page follows it: what is looked at, what comes in, what may be done. No markup here.

import { Problem, Unreachable, isAborted, path, sleep } from './api.js';
import { Choice } from './choice.js';
import { History } from './history.js';
import { namesOf } from './names.js';
import { follow } from './stream.js';
import { trouble } from './trouble.js';
import { language, ofGame as wordsOf, page } from './words.js';

/** How many commits of the log are told before and after the moment. */
const BEFORE = 25;
const AFTER = 10;
const PICTURES_KEPT = 80;

const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export class Table {
  #api;
  #id;
  #changed;
  #wished;
  #closing = new AbortController();
  #following;
  #showing;
  #pictures = new Map();
  #noPicture = false;
  #refreshing;
  #timer;
  #form;
  #asked;

  info = null;
  version = 0;
  viewer = 'spectator';
  live = false;
  playing = false;
  speed = 1;
  /** Is there more room below the board than beside it? */
  tall = false;
  /** Are the points wished that each choice is sure to bring? */
  hints = false;
  /** The picture as text, or where the server has none the view. */
  svg = null;
  view = null;
  commits = [];
  choice = null;
  busy = false;
  refusal = null;
  trouble = null;
  notice = null;
  state = null;

  /** `changed` is called whenever something here is another. `at` and `viewer` are where to begin. */
  constructor(api, id, { changed, at, viewer }) {
    this.#api = api;
    this.#id = encodeURIComponent(id);
    this.#changed = changed;
    this.#wished = { at, viewer };
  }

  get running() {
    return this.info?.status === 'running' || this.info?.status === 'open';
  }

  get head() {
    return this.history?.version ?? 0;
  }

  /** The seat of the token, if there is one. */
  get me() {
    return typeof this.info?.viewer === 'number' ? this.info.viewer : null;
  }

  /** As whom one may look. */
  get viewers() {
    if (!this.info) return [];
    if (this.info.status === 'finished') return ['spectator', ...this.info.seats.map((seat) => String(seat.seat))];
    return this.me === null ? ['spectator'] : ['spectator', String(this.me)];
  }

  get first() {
    return !this.commits.length || this.commits[0].commit === 1;
  }

  get last() {
    return !this.commits.length || this.commits.at(-1).commit === this.history.commit;
  }

  /** Begins, however long the server takes to answer. */
  async open() {
    for (;;) {
      try {
        await this.#begin();
        break;
      } catch (error) {
        if (this.#closing.signal.aborted || isAborted(error)) return;
        this.trouble = trouble(error);
        this.#changed();
        if (!this.trouble.passing) return;
        await sleep(2000, this.#closing.signal);
      }
    }
    if (this.running) this.#follow();
  }

  close() {
    this.#closing.abort();
    this.#following?.abort();
    this.#showing?.abort();
    clearTimeout(this.#timer);
  }

  async #begin() {
    const signal = this.#closing.signal;
    this.info = await this.#api.get(`/v1/matches/${this.#id}`, { signal });
    this.words = await wordsOf(this.#api, this.info.game);
    this.names = namesOf(this.info);
    this.trouble = null;
    const { at, viewer } = this.#wished;
    const own = this.me === null ? 'spectator' : String(this.me);
    this.viewer = viewer ?? own;
    if (!this.viewers.includes(this.viewer)) {
      this.notice = this.running ? page.notYet : page.noSuchViewer;
      this.viewer = own;
    }
    this.history = new History(this.#api, this.info, this.viewer);
    const known = Number.isInteger(at) && at >= 1 && at <= this.head;
    if (at !== undefined && !known) this.notice = page.noVersion(this.head);
    this.live = this.running && !known;
    await Promise.all([this.show(known ? at : this.head), this.#turn()]);
    this.#changed();
  }

  /** Looks at a version. The latest wish wins. */
  async show(version) {
    this.version = Math.min(Math.max(1, version), this.head);
    this.#changed();
    this.#showing?.abort();
    const showing = new AbortController();
    this.#showing = showing;
    const { signal } = showing;
    try {
      const [picture, commit] = await Promise.all([this.#picture(this.version, signal), this.history.at(this.version)]);
      const commits = await this.history.range(commit.commit - BEFORE, commit.commit + AFTER);
      if (signal.aborted) return;
      Object.assign(this, picture, { commits, trouble: null });
    } catch (error) {
      if (signal.aborted || isAborted(error)) return;
      this.trouble = trouble(error);
      if (this.trouble.passing) sleep(1500, signal).then(() => signal.aborted || this.show(this.version));
    }
    this.#changed();
  }

  /** More of the log, without going there. */
  async more(by) {
    const [from, to] = [this.commits[0].commit, this.commits.at(-1).commit];
    this.commits = await this.history.range(by < 0 ? from - BEFORE : from, by < 0 ? to : to + BEFORE);
    this.#changed();
  }

  async #picture(at, signal) {
    const key = `${at} ${this.viewer} ${this.tall}`;
    const known = this.#pictures.get(key);
    if (known) return known;
    const query = { at, viewer: this.viewer };
    const shape = this.tall ? 'tall' : undefined;
    const picture = { svg: null, view: null };
    if (!this.#noPicture) {
      try {
        picture.svg = await this.#api.text(path(`/v1/matches/${this.#id}/board.svg`, { ...query, shape, pieces: true }), { signal });
      } catch (error) {
        if (!(error instanceof Problem && error.status === 404)) throw error;
        this.#noPicture = true;
      }
    }
    if (this.#noPicture) picture.view = await this.#api.get(path(`/v1/matches/${this.#id}/view`, query), { signal });
    this.#pictures.set(key, picture);
    if (this.#pictures.size > PICTURES_KEPT) this.#pictures.delete(this.#pictures.keys().next().value);
    return picture;
  }

  goTo(version) {
    this.live = false;
    this.notice = null;
    return this.show(version);
  }

  goLive() {
    this.pause();
    this.live = true;
    this.notice = null;
    return this.show(this.head);
  }

  /** A step by events or by commits: to the end of this commit or of the one before. */
  async step({ by, commits }) {
    if (!commits) return this.goTo(this.version + by);
    const here = await this.history.at(this.version);
    if (by > 0 && this.version < here.last_version) return this.goTo(here.last_version);
    if (by < 0 && here.commit === 1) return this.goTo(1);
    const there = await this.history.number(Math.min(Math.max(1, here.commit + by), this.history.commit));
    return this.goTo(there.last_version);
  }

  toggle() {
    if (this.playing) return this.pause();
    this.playing = true;
    this.live = false;
    if (this.version >= this.head && !this.running) this.version = 0;
    return this.#frame();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.#timer);
    this.#changed();
  }

  async #frame() {
    if (!this.playing) return;
    if (this.version >= this.head) {
      this.pause();
      if (this.running) this.goLive();
      return;
    }
    const start = performance.now();
    await this.goTo(this.version + 1);
    if (this.version < this.head) this.#picture(this.version + 1).catch(() => {});
    const due = 1000 / this.speed - (performance.now() - start);
    this.#timer = setTimeout(() => this.#frame(), Math.max(20, due));
  }

  async setViewer(viewer) {
    this.viewer = viewer;
    this.#pictures.clear();
    this.history = new History(this.#api, { match: this.#id, version: this.head, commit: this.history.commit }, viewer);
    if (this.running) this.#follow();
    await this.show(this.version);
  }

  /** Hears what happens, until the match is over. */
  async #follow() {
    this.#following?.abort();
    const following = new AbortController();
    this.#following = following;
    const { signal } = following;
    const state = (state) => {
      const back = this.state !== null && state === 'live';
      this.state = state === 'lost' ? page.lost : null;
      this.#changed();
      if (back) this.#refresh();
    };
    try {
      const from = { after: this.head, viewer: this.viewer, signal, state };
      for await (const commit of follow(this.#api, this.#id, from)) {
        if (signal.aborted) return;
        this.history.append(commit);
        this.#refresh();
      }
    } catch (error) {
      if (signal.aborted) return;
      // The store is older than what was seen here: begin anew.
      this.trouble = trouble(error);
      this.#changed();
      await sleep(2000, signal);
      if (!signal.aborted) this.open();
      return;
    }
    if (!signal.aborted) await this.#over();
  }

  /** Reads the match anew; wishes that come in the meantime are one. */
  #refresh() {
    if (this.#refreshing) {
      this.#refreshing.again = true;
      return this.#refreshing.done;
    }
    const refreshing = { again: true };
    this.#refreshing = refreshing;
    refreshing.done = (async () => {
      try {
        while (refreshing.again && !this.#closing.signal.aborted) {
          refreshing.again = false;
          this.info = await this.#api.get(`/v1/matches/${this.#id}`, { signal: this.#closing.signal });
          this.names = namesOf(this.info);
          await Promise.all([this.live ? this.show(this.head) : undefined, this.#turn()]);
          this.#changed();
        }
      } catch (error) {
        // The stream is about to find out, and comes back when the server does.
        if (!(error instanceof Unreachable) && !isAborted(error)) this.trouble = trouble(error);
      } finally {
        this.#refreshing = undefined;
      }
    })();
    return refreshing.done;
  }

  /** Everything is open now: it is all read anew. */
  async #over() {
    this.info = await this.#api.get(`/v1/matches/${this.#id}`, { signal: this.#closing.signal });
    this.#pictures.clear();
    this.choice = null;
    this.history = new History(this.#api, this.info, this.viewer);
    await this.show(this.live ? this.head : this.version);
    this.live = false;
    this.#changed();
  }

  /** What the seat of the token may do now. */
  async #turn() {
    const { info } = this;
    this.canTakeBack = false;
    if (this.me === null || info.status !== 'running') {
      this.choice = null;
      return;
    }
    if (info.take_back && info.commit > 1) {
      const latest = info.commit <= this.history.commit ? await this.history.number(info.commit) : null;
      this.canTakeBack = latest?.seat === this.me && latest.command !== null;
    }
    if (info.active_seat !== this.me) {
      this.choice = null;
      return;
    }
    const chosen = this.choice?.version === info.version ? this.choice.chosen : [];
    if (this.choice?.version === info.version && this.choice.hinted === this.hints) return;
    this.choice = new Choice(await this.#api.get(path(`/v1/matches/${this.#id}/legal-commands`, { include: `spots,labels${this.hints ? ',points' : ''}`, lang: language })));
    Object.assign(this.choice, { version: info.version, hinted: this.hints, chosen });
  }

  /** Does something. An answer that got lost, or that nobody knows, is asked for again under the same key: nothing is done twice. */
  async #act(address, body) {
    this.busy = true;
    this.refusal = null;
    // From here on whoever goes back in time means it.
    this.live = true;
    this.#changed();
    const headers = { 'idempotency-key': newKey() };
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#api.post(`/v1/matches/${this.#id}/${address}`, body, { headers });
        this.choice = null;
        break;
      } catch (error) {
        const unknown = error instanceof Problem && error.code === 'outcome_unknown';
        if ((error instanceof Unreachable || unknown) && attempt < 6) {
          await sleep(attempt * 700, this.#closing.signal);
          continue;
        }
        const { text, detail, rule } = trouble(error);
        // The server says details in English; the text of a rule is in the language of the page.
        const own = language === 'en' ? detail : this.words.rule(rule);
        this.refusal = { text: unknown ? text : own ?? text, rule };
        if (this.choice) this.choice.version = undefined;
        break;
      }
    }
    await this.#refresh();
    this.busy = false;
    this.#changed();
  }

  /** Says why a place that cannot be chosen cannot: the rule against each way to name it in a command, or that there is none. */
  async explain(spot) {
    const { choice, info } = this;
    const asked = Symbol(spot);
    this.#asked = asked;
    const say = (refusal) => {
      // The last question alone is answered, and only as long as it is one.
      if (this.info.version !== info.version || this.choice !== choice || this.#asked !== asked) return;
      this.refusal = refusal;
      this.#changed();
    };
    say(null);
    if (!choice) return say({ text: page.notYourTurn(this.names.seat(info.active_seat)) });
    const none = { text: page.nothingHere(this.words.spot(spot)) };
    try {
      const against = await this.#against({ ...choice.common, spot });
      if (against && against.rule !== (await this.#formless())) {
        return say({ text: this.words.rule(against.rule) ?? against.text, rule: against.rule });
      }
      // It fits nothing that was begun, but something else: that is begun.
      if (choice.begins(spot)) choice.chosen = [{ spot }];
      return say(choice.begins(spot) ? null : none);
    } catch (error) {
      if (!isAborted(error)) say(trouble(error));
    }
  }

  /** The refusal of half a command; undefined if it can be completed. */
  async #against(command) {
    try {
      const { refused, completions } = await this.#api.post(`/v1/matches/${this.#id}/commands?dry_run=true`, { command });
      return completions?.length || !refused?.length ? undefined : { rule: refused[0].rule, detail: refused[0].reason, text: refused[0].reason };
    } catch (error) {
      if (error instanceof Problem && error.code === 'illegal_command') return trouble(error);
      throw error;
    }
  }

  /** The rule against what has not the form of a command: it says nothing about a place. */
  async #formless() {
    this.#form ??= (await this.#against({}))?.rule;
    return this.#form;
  }

  async setHints(hints) {
    this.hints = hints;
    await this.#refresh();
    this.#changed();
  }

  submit(command) {
    return this.#act('commands', { command, expected_version: this.info.version });
  }

  takeBack() {
    return this.#act('take-back', { expected_version: this.info.version });
  }
}
