// A match as a page follows it: what is looked at, what comes in, what may be done. No markup here. The store of @muninn/client follows the
// match; what is of this page is the past, the pictures and the words.

import { Problem } from './client/index.js';
import { sleep } from './client/problem.js';
import { History } from './history.js';
import { namesOf } from './names.js';
import { onlyOne } from './question.js';
import { isAborted, refusal as refusalOf, trouble } from './trouble.js';
import { language, ofGame as wordsOf, page } from './words.js';

/** How many commits of the log are told before and after the moment. */
const BEFORE = 25;
const AFTER = 10;
const PICTURES_KEPT = 80;

export class Table {
  #client;
  #id;
  #changed;
  #wished;
  #closing = new AbortController();
  #match;
  #leave = () => {};
  #heard;
  #begun = false;
  #showing;
  #pictures = new Map();
  #noPicture = false;
  #timer;
  /** Of which start the frames are. */
  #run;
  #asked;
  /** How often somebody went somewhere: what was asked for a step before that is no matter any more. */
  #went = 0;
  #acting = false;
  #keepingUp = false;
  #drawn = 0;
  /** The trouble of what was tried last. */
  #failed;
  /** The version that the refusal is about: it means nothing to a later one. */
  #refusedAt = 0;

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
  /** The commits as they came with the moment, before more of them were asked for. */
  around = [];
  canTakeBack = false;
  refusal = null;
  trouble = null;
  notice = null;
  state = null;

  /** `changed` is called whenever something here is another. `at` and `viewer` are where to begin. */
  constructor(client, id, { changed, at, viewer }) {
    this.#client = client;
    this.#id = id;
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

  /** As whom the token looks. */
  get #own() {
    return this.me === null ? 'spectator' : String(this.me);
  }

  /** What the seat of the token may do, if it is to act. */
  get choice() {
    const choice = this.#heard?.choice;
    return choice?.all.length ? choice : null;
  }

  /** May it be chosen here and now? Not before the picture is that of the choice. */
  get mayAct() {
    return this.choice !== null && this.#drawn === this.head && this.version === this.head && this.head === this.info.version;
  }

  /** Is a command under way, or what comes after it not drawn yet? */
  get between() {
    return this.busy || (this.choice !== null && this.live && !this.mayAct);
  }

  /** What the command that is left would do, where hints are wished. */
  get preview() {
    return this.hints ? (this.#heard?.preview?.outcome ?? null) : null;
  }

  get busy() {
    return this.#acting || Boolean(this.#heard?.pending);
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
  open() {
    this.#heard = undefined;
    this.#begun = false;
    this.#match = this.#client.match(this.#id, { points: this.hints });
    this.#leave = this.#match.subscribe(this.#hear);
  }

  close() {
    this.#closing.abort();
    this.#run = undefined;
    this.#leave();
    this.#showing?.abort();
    clearTimeout(this.#timer);
  }

  /** What the store says. */
  #hear = () => {
    const { state } = this.#match;
    const { version, connection, problem, commit, status, activeSeat } = state;
    const [before, wasRunning] = [this.#heard, this.running];
    this.#heard = state;
    if (connection === 'idle' && problem) {
      this.#broken(problem);
      return;
    }
    if (!version) {
      this.trouble = problem && trouble(problem);
      this.#changed();
      return;
    }
    this.state = connection === 'lost' ? page.lost : null;
    this.info = { ...state.info, status, version, active_seat: activeSeat };
    if (version > this.#refusedAt) this.refusal = null;
    this.names = namesOf(this.info);
    if (!this.#begun) this.#begin(state.info);
    if (commit && commit !== before?.commit) {
      this.history.append(commit, this.viewer === this.#own);
      this.#keepUp();
      this.#mayTakeBack();
    }
    if (wasRunning && !this.running) this.#over(state.info);
    this.#changed();
  };

  /** No waiting helps: there is no such match, or the store is older than what was seen here. Then it begins anew. */
  async #broken(problem) {
    this.trouble = trouble(problem);
    this.#changed();
    if (!this.#begun) return;
    this.#leave();
    await sleep(2000, this.#closing.signal);
    if (!this.#closing.signal.aborted) this.open();
  }

  /** The match was read for the first time. */
  #begin(info) {
    this.#begun = true;
    this.trouble = null;
    // What was seen before may have been of another store.
    this.#pictures.clear();
    this.#noPicture = false;
    this.#drawn = 0;
    const { at, viewer } = this.#wished;
    this.#wished = { viewer };
    this.viewer = viewer ?? this.#own;
    if (!this.viewers.includes(this.viewer)) {
      this.notice = page.notThisView;
      this.viewer = this.#own;
    }
    this.history = new History(this.#client, info, this.viewer);
    const known = Number.isInteger(at) && at >= 1 && at <= this.head;
    if (at !== undefined && !known) this.notice = page.noVersion(this.head);
    this.live = this.running && !known;
    this.show(known ? at : this.head);
    this.#mayTakeBack();
    this.#readWords(info.game);
  }

  async #readWords(game) {
    let said;
    while (!this.words && !this.#closing.signal.aborted) {
      try {
        this.words = await wordsOf(this.#client, game);
      } catch (error) {
        said = this.trouble = trouble(error);
        this.#changed();
        if (!said.passing) return;
        await sleep(2000, this.#closing.signal);
      }
    }
    if (this.trouble === said) this.trouble = null;
    this.#changed();
  }

  /** While it is live: looks at the latest once what it looks at is shown. A reading that is slower than the match would never end otherwise. */
  async #keepUp() {
    if (this.#keepingUp) return;
    this.#keepingUp = true;
    while (this.live && this.version < this.head) await this.show(this.head);
    this.#keepingUp = false;
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
      Object.assign(this, picture, { commits, around: commits, trouble: null });
      this.#drawn = this.version;
    } catch (error) {
      if (signal.aborted || isAborted(error)) return;
      this.trouble = trouble(error);
      // The list alone is enough.
      this.#drawn = this.version;
      if (this.trouble.passing) sleep(Math.max(1500, (error.retryAfter ?? 0) * 1000), signal).then(() => signal.aborted || this.show(this.version));
    }
    this.#changed();
  }

  /** More of the log, without going there. */
  async more(by) {
    const before = this.commits;
    const [from, to] = [before[0].commit, before.at(-1).commit];
    await this.#try(async () => {
      const commits = await this.history.range(by < 0 ? from - BEFORE : from, by < 0 ? to : to + BEFORE);
      // Somewhere else was gone to meanwhile, or a commit came.
      if (this.commits === before) this.commits = commits;
    });
  }

  /** What fails is told, until something that is tried succeeds. */
  async #try(act) {
    try {
      await act();
      if (this.trouble === this.#failed) this.trouble = null;
    } catch (error) {
      if (isAborted(error)) return;
      this.#failed = this.trouble = refusalOf(error);
    }
    this.#changed();
  }

  async #picture(at, signal) {
    const key = `${at} ${this.viewer} ${this.tall}`;
    const known = this.#pictures.get(key);
    if (known) return known;
    const query = { id: this.#id, at, viewer: this.viewer };
    const shape = this.tall ? 'tall' : null;
    const picture = { svg: null, view: null };
    if (!this.#noPicture) {
      try {
        picture.svg = await this.#client.get('/v1/matches/{id}/board.svg', { ...query, shape, pieces: true }, { signal });
      } catch (error) {
        // The server has none of this game, or none of a map like this.
        if (!(error instanceof Problem && (error.status === 404 || error.code === 'invalid_position'))) throw error;
        this.#noPicture = true;
      }
    }
    if (this.#noPicture) picture.view = await this.#client.get('/v1/matches/{id}/view', query, { signal });
    this.#pictures.set(key, picture);
    if (this.#pictures.size > PICTURES_KEPT) this.#pictures.delete(this.#pictures.keys().next().value);
    return picture;
  }

  goTo(version) {
    this.#went += 1;
    this.live = this.running && version >= this.head;
    this.notice = null;
    return this.show(version);
  }

  goLive() {
    this.#went += 1;
    this.pause();
    this.live = true;
    this.notice = null;
    return this.show(this.head);
  }

  /** A step by events or by commits: to the end of this commit or of the one before. */
  async step({ by, commits }) {
    if (!commits) return this.goTo(this.version + by);
    const went = this.#went;
    return this.#try(async () => {
      try {
        const here = await this.history.at(this.version);
        if (went !== this.#went) return undefined;
        if (by > 0 && this.version < here.last_version) return this.goTo(here.last_version);
        if (by < 0 && here.commit === 1) return this.goTo(1);
        const there = await this.history.number(Math.min(Math.max(1, here.commit + by), this.history.commit));
        return went === this.#went ? this.goTo(there.last_version) : undefined;
      } catch (error) {
        // Nobody waits for it any more.
        if (went === this.#went) throw error;
        return undefined;
      }
    });
  }

  toggle() {
    if (this.playing) return this.pause();
    this.#went += 1;
    this.notice = null;
    this.playing = true;
    this.live = false;
    if (this.version >= this.head && !this.running) this.version = 0;
    this.#run = {};
    return this.#frame(this.#run);
  }

  pause() {
    this.playing = false;
    clearTimeout(this.#timer);
    this.#changed();
  }

  /** `run`: of which start; another one may have begun while a picture was on its way. */
  async #frame(run) {
    if (!this.playing || run !== this.#run) return;
    if (this.version >= this.head) {
      this.pause();
      if (this.running) this.goLive();
      return;
    }
    const start = performance.now();
    // Not goTo: nobody went there, and a step that was asked for meanwhile still counts.
    this.live = this.running && this.version + 1 >= this.head;
    await this.show(this.version + 1);
    if (this.version < this.head) this.#picture(this.version + 1).catch(() => {});
    const due = 1000 / this.speed - (performance.now() - start);
    this.#timer = setTimeout(() => this.#frame(run), Math.max(20, due));
  }

  async setViewer(viewer) {
    this.viewer = viewer;
    this.#pictures.clear();
    this.history = new History(this.#client, { match: this.#id, version: this.head, commit: this.history.commit }, viewer);
    await this.show(this.version);
  }

  /** Everything is open now: it is all read anew. */
  async #over(info) {
    this.#pictures.clear();
    this.canTakeBack = false;
    this.history = new History(this.#client, info, this.viewer);
    await this.show(this.live ? this.head : this.version);
    this.live = false;
    this.#changed();
  }

  async #mayTakeBack() {
    const { info, history, me } = this;
    if (!info.take_back || me === null || history.commit === 1) return;
    const latest = await history.number(history.commit).catch(() => null);
    this.canTakeBack = this.info.status === 'running' && latest?.commit === this.history.commit && latest.seat === me && latest.command !== null;
    this.#changed();
  }

  /** Says why not; `version`: of when. */
  #refuse(refusal, version = this.info.version) {
    this.refusal = refusal;
    this.#refusedAt = version;
    this.#changed();
  }

  /** A command has no answer, and will be sent again while somebody is here: until the signal. */
  waits(error) {
    const { signal } = this.#closing;
    if (!signal.aborted) this.#refuse(trouble(error));
    return signal;
  }

  /** Does something, once. */
  async #act(act) {
    if (this.busy) return;
    this.#acting = true;
    this.#went += 1;
    this.refusal = null;
    // From here on whoever goes back in time means it.
    this.live = true;
    this.#keepUp();
    this.#changed();
    try {
      await act();
      this.refusal = null;
    } catch (error) {
      const { text, detail, rule } = refusalOf(error);
      // The server says details in English; the text of a rule is in the language of the page.
      const own = language === 'en' ? detail : error.ruleText;
      this.#refuse({ text: error.code === 'outcome_unknown' ? text : own ?? text, rule }, error.body?.current_version);
    }
    this.#acting = false;
    this.#changed();
  }

  submit(command) {
    return this.#act(() => this.#match.submit(command));
  }

  takeBack() {
    return this.#act(async () => {
      try {
        await this.#match.takeBack();
      } catch (error) {
        // Which commands drew by chance is known to the server alone.
        if (error.code === 'illegal_command') this.canTakeBack = false;
        throw error;
      }
    });
  }

  /** Chooses further, or takes something of the choice back. Where hints are wished, a dry run says what the command that is left would do. */
  narrow(choice) {
    if (this.busy) return;
    this.refusal = null;
    this.#match.narrow(choice);
    const only = this.hints && onlyOne(choice);
    // Without an answer there is no hint.
    if (only) this.#match.preview(only.command).catch(() => {});
  }

  async setHints(hints) {
    this.hints = hints;
    this.#changed();
    await this.#try(async () => {
      await this.#match.hint(hints);
      if (this.choice) this.narrow(this.choice);
    });
  }

  /** Says why a place that cannot be chosen cannot: the rule against each way to name it in a command, or that there is none. */
  async explain(spot) {
    if (this.busy) return undefined;
    const { choice } = this;
    const asked = Symbol(spot);
    this.#asked = asked;
    // The last question alone is answered, and only as long as it is one.
    const due = () => this.choice === choice && this.#asked === asked;
    const say = (refusal) => {
      if (due()) this.#refuse(refusal);
    };
    say(null);
    if (!choice) {
      const waits = this.info.status === 'open';
      return say({ text: waits ? page.problems.match_not_started : page.notYourTurn(this.names.seat(this.info.active_seat)) });
    }
    try {
      const against = await this.#match.why(spot);
      if (!due()) return undefined;
      if (against) return say({ text: this.words.rule(against.rule) ?? against.reason, rule: against.rule });
      // It fits nothing that was begun, but something else: that is begun.
      const other = choice.reset().click(spot);
      if (other.narrowed) return this.narrow(other);
      const inAll = choice.all.some(({ spots }) => spots.includes(spot));
      return say({ text: (inAll ? page.inEveryChoice : page.nothingHere)(this.words.spot(spot)) });
    } catch (error) {
      return say(refusalOf(error));
    }
  }
}
