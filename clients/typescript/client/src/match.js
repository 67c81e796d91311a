import { Choice, same } from './choice.js';
import { newKey } from './key.js';
import { Problem, Unreachable, isFinal, retryMs, sleep } from './problem.js';
import { LONGEST_WAIT_MS, SILENCE_MS, follow } from './stream.js';

/** @typedef {import('../types/schema.d.ts').components['schemas']} Schemas */
/** @typedef {import('./choice.js').Option} Option */
/**
 * @typedef {object} MatchOptions
 * @property {boolean} [confirm] whether the last command left waits for {@link Match.confirm} and shows what it would do
 * @property {boolean} [points] {@link Match.hint}
 */
/**
 * What a command would do, up to the first event that is drawn by chance or reveals something hidden.
 * @typedef {object} Preview
 * @property {Schemas['Command']} command
 * @property {number} version the version at which it was asked
 * @property {Schemas['DryRun']} outcome
 */
/**
 * A match as its viewer sees it; each change gives a new object.
 * @typedef {object} MatchState
 * @property {'idle' | 'connecting' | 'live' | 'lost' | 'over'} connection
 * @property {number} version 0 until the match was read
 * @property {Schemas['Status'] | null} status
 * @property {Schemas['MatchInfo'] | null} info as of the first reading, the latest seat taken, or the end
 * @property {number | null} seat one's own; null for a spectator
 * @property {number | null} activeSeat
 * @property {Schemas['View'] | null} view while a command is under way that was previewed: what it will be
 * @property {Choice} choice empty when it is not one's turn
 * @property {Preview | null} preview
 * @property {Schemas['Command'] | null} pending the command that is under way
 * @property {Schemas['CommitEntry'] | null} commit the latest that arrived: none is missed, but `view` may be of another version
 * @property {Problem | Error | null} problem of the latest command, or of reading
 */

const NO_CHOICE = new Choice([]);

/** @type {MatchState} */
const NOTHING = {
  connection: 'idle', version: 0, status: null, info: null, seat: null, activeSeat: null, view: null, choice: NO_CHOICE, preview: null, pending: null,
  commit: null, problem: null,
};

/** One reading waits for another, but not for ever. */
const inTime = () => ({ signal: AbortSignal.timeout(SILENCE_MS) });

/** @param {Schemas['MatchInfo']} info */
const infoOf = (info) => ({ info, status: info.status, seat: typeof info.viewer === 'number' ? info.viewer : null });

/**
 * A store that follows a match: subscribers hear of each change of `state`. It is connected while it has some, and resumes for later ones.
 */
export class Match {
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {AbortController | undefined} */
  #running;
  /** @type {Promise<unknown>} */
  #refreshed = Promise.resolve();
  /** How far the stream told its commits; 0 before. */
  #told = 0;
  #state = NOTHING;
  /** How many commands were refused. */
  #refused = 0;
  /** The rule against saying nothing. */
  #formless = '';

  /**
   * @param {import('./muninn.js').Muninn} client with the token of the seat, or without one for a spectator
   * @param {string} id
   * @param {MatchOptions} [options]
   */
  constructor(client, id, options = {}) {
    this.client = client;
    this.id = id;
    this.options = options;
  }

  get state() {
    return this.#state;
  }

  /**
   * Calls `listener` after each change; returns what ends that.
   * @param {() => void} listener
   */
  subscribe = (listener) => {
    // Two may share a function.
    const mine = () => listener();
    this.#listeners.add(mine);
    if (!this.#running) this.#start();
    return () => {
      this.#listeners.delete(mine);
      if (!this.#listeners.size) this.#stop();
    };
  };

  /**
   * The first state for which `condition` holds.
   *
   * Throws what ends the connection, also the end of the match.
   * @param {(state: MatchState) => boolean} condition
   * @returns {Promise<MatchState>}
   */
  until(condition) {
    return new Promise((resolve, reject) => {
      let unsubscribe = () => {};
      const look = () => {
        try {
          const { connection, problem } = this.state;
          if (condition(this.state)) resolve(this.state);
          else if (connection === 'over') throw new Error('the match is over');
          else if (connection === 'idle' && problem) throw problem;
          else return;
        } catch (error) {
          reject(error);
        }
        unsubscribe();
      };
      unsubscribe = this.subscribe(look);
      look();
    });
  }

  /** One's own turns: the state at each decision, and after a refusal again, until the match is over. Throws as {@link Match.until} does. */
  async *turns() {
    const unsubscribe = this.subscribe(() => {});
    try {
      for (;;) {
        const state = await this.until(({ choice, pending, connection }) => (choice.all.length > 0 && !pending) || connection === 'over');
        if (state.connection === 'over') return;
        const refused = this.#refused;
        yield state;
        if (this.state.choice === state.choice) await this.until(({ version, connection }) => version > state.version || connection === 'over' || refused < this.#refused);
      }
    } finally {
      unsubscribe();
    }
  }

  /**
   * A click on a spot of the picture: narrows the choice. The last command left is carried out, or with `confirm` previewed.
   *
   * Throws as {@link Match.submit} does.
   * @param {string} spot
   */
  async click(spot) {
    if (!this.#state.choice.spots.has(spot)) return;
    this.narrow(this.#state.choice.click(spot));
    const { left } = this.#state.choice;
    if (left[0] && left.length === 1) await this.choose(left[0]);
  }

  /**
   * Chooses otherwise, such as `state.choice.without(0)`; carries out nothing.
   * @param {Choice} choice
   */
  narrow(choice) {
    this.#set({ choice, preview: null, problem: null });
  }

  /**
   * Chooses one of the commands: carries it out, or with `confirm` previews it.
   *
   * Throws as {@link Match.submit} does.
   * @param {Option} option
   */
  async choose(option) {
    this.#set({ choice: this.#state.choice.with(option) });
    await (this.options.confirm ? this.preview(option.command) : this.submit(option.command));
  }

  /**
   * Carries out the one command that is left; without one it does nothing.
   *
   * Throws as {@link Match.submit} does.
   */
  async confirm() {
    const { left, narrowed, all } = this.#state.choice;
    if (left[0] && left.length === 1 && (narrowed || all.length === 1)) await this.submit(left[0].command);
  }

  /** Forgets the clicks and the preview. */
  reset() {
    this.narrow(this.#state.choice.reset());
  }

  /**
   * Whether options say `points`. The clicks stay.
   * @param {boolean} points
   */
  async hint(points) {
    this.options = { ...this.options, points };
    const { version } = this.#state;
    const { all } = await this.#choices(version);
    if (this.#state.version === version && this.options.points === points) this.#set({ choice: new Choice(all, this.#state.choice.steps) });
  }

  /**
   * The rule against a click on a spot now, if there is one.
   *
   * Throws {@link Problem} or {@link Unreachable}.
   * @param {string} spot
   */
  async why(spot) {
    const { narrowed, left } = this.#state.choice;
    const fields = Object.entries((narrowed && left[0]?.command) || {});
    const common = fields.filter(([field, value]) => left.every(({ command }) => same(Object(command)[field], value)));
    const told = await this.#against({ ...Object.fromEntries(common), spot });
    this.#formless ||= (await this.#against({}))?.rule ?? '';
    return told?.rule === this.#formless ? null : told;
  }

  /** @param {any} command */
  async #against(command) {
    try {
      const { completions, refused } = await this.complete(command);
      return (!completions?.length && refused?.[0]) || null;
    } catch (error) {
      if (error instanceof Problem && error.code === 'illegal_command') return { rule: error.rule, reason: error.message };
      throw error;
    }
  }

  /**
   * What a command would do, up to the first event that is drawn by chance or reveals something hidden. Nothing is stored.
   *
   * Throws as {@link Match.submit} does.
   * @param {Schemas['Command']} command
   */
  async preview(command) {
    const { version, choice: { steps } } = this.#state;
    const outcome = await this.#tell(this.complete(command));
    const preview = { command, version, outcome };
    if (this.#state.version === version && this.#state.choice.steps === steps) this.#set({ preview });
    return preview;
  }

  /**
   * What completes half a command.
   * @param {Schemas['CommandRequest']['command']} command
   */
  complete(command) {
    return /** @type {Promise<Schemas['DryRun']>} */ (this.client.post('/v1/matches/{id}/commands', { id: this.id, dry_run: true }, { command }));
  }

  /**
   * Carries out a command, exactly once. Meanwhile it is in `state.pending`; if it was previewed, `state.view` shows its outcome.
   * `state.choice` has the next decision when this resolves.
   *
   * Throws {@link Problem}: `illegal_command` with its `rule`, `not_active_seat`, `version_conflict`; or `Unreachable`. It is in
   * `state.problem` too, and the view is that of before.
   * @param {Schemas['Command']} command
   */
  async submit(command) {
    const { version, view, preview } = this.#state;
    const expected = same(preview?.command, command) && preview?.version === version ? preview.outcome.view : view;
    this.#set({ pending: command, preview: null, problem: null, view: expected });
    const answer = /** @type {Promise<Schemas['Accepted']>} */ (this.client.post('/v1/matches/{id}/commands', { id: this.id, include: 'spots,labels' }, { command, ...(this.#running && version && { expected_version: version }) }, { key: newKey() }));
    // The answer has what comes next: the stream waits for it.
    const reading = answer.then((accepted) => this.#read(accepted.version, false, accepted)).catch(() => {});
    this.#refreshed = Promise.all([this.#refreshed.catch(() => {}), reading]);
    try {
      const accepted = await this.#tell(answer);
      await reading;
      return accepted;
    } catch (error) {
      this.#refused += 1;
      if (this.#state.version === version) this.#set({ view, choice: this.#state.choice.reset() });
      throw error;
    } finally {
      this.#set({ pending: null });
    }
  }

  /**
   * Takes back one's own latest command.
   *
   * Throws {@link Problem} with a rule from M-80 to M-84, `Unreachable` or `TimeoutError`.
   */
  async takeBack() {
    const { version } = this.#state;
    const accepted = await this.#tell(this.client.post('/v1/matches/{id}/take-back', { id: this.id }, { ...(this.#running && version && { expected_version: version }) }));
    await this.#refresh(accepted.version, true);
    return accepted;
  }

  /** @param {Partial<MatchState>} change */
  #set(change) {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * An answer; a problem goes into the state too.
   * @template T
   * @param {Promise<T>} answer
   */
  async #tell(answer) {
    try {
      return await answer;
    } catch (/** @type {any} */ error) {
      this.#set({ problem: error });
      throw error;
    }
  }

  #stop() {
    this.#running?.abort();
    this.#running = undefined;
    if (this.#state.connection !== 'over') this.#set({ connection: 'idle' });
  }

  async #start() {
    let running = (this.#running = new AbortController());
    if (this.#state.connection === 'over') return;
    this.#set({ connection: 'connecting', problem: null });
    for (let wait = 500; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        await this.#follow(running);
        this.#set({ connection: 'over' });
        return;
      } catch (/** @type {any} */ error) {
        if (this.#running !== running) return;
        running = this.#running = new AbortController();
        const passing = error instanceof Unreachable || error.name === 'TimeoutError' || (error instanceof Problem && !isFinal(error));
        wait = Math.max(wait, retryMs(error));
        this.#set({ connection: passing ? 'lost' : 'idle', problem: error });
        if (!passing) return;
      }
      await sleep(wait, running.signal);
      if (this.#running !== running) return;
    }
  }

  /** @param {AbortController} running what it ends where it cannot read */
  async #follow(running) {
    const { signal } = running;
    const info = await this.client.get('/v1/matches/{id}', { id: this.id }, inTime());
    signal.throwIfAborted();
    this.#set({ problem: null, ...infoOf(info) });
    await this.#refresh(info.version);
    this.#told ||= info.version;
    for await (const commit of follow(this.client, this.id, { after: this.#told, signal, onConnection: (connection) => this.#set({ connection }) })) {
      signal.throwIfAborted();
      this.#told = commit.last_version;
      this.#set({ commit });
      // No command: a seat taken, a command taken back, or the match closed.
      if (commit.last_version > info.version) this.#refresh(commit.last_version, commit.command === null).catch((error) => running.abort(error));
    }
    await this.#refreshed;
    signal.throwIfAborted();
  }

  /**
   * Reads a version, one after the other, unless the state is as far or the stream is further.
   * @param {number} version
   * @param {boolean} [whole] also `info`
   */
  #refresh(version, whole = false) {
    return (this.#refreshed = this.#refreshed.catch(() => {}).then(() => ((whole && (this.#state.info?.version ?? 0) < version) || (version > this.#state.version && version >= this.#told) ? this.#read(version, whole) : undefined)));
  }

  /**
   * @param {number} version
   * @param {boolean} whole
   * @param {Schemas['Accepted']} [accepted] the answer to one's own command
   */
  async #read(version, whole, accepted) {
    const view = accepted?.view ?? (await this.client.get('/v1/matches/{id}/view', { id: this.id, at: version }, inTime()));
    const known = this.#state.info;
    // The view of an open match has an active seat.
    const now = infoOf(whole || !known || known.status === 'open' || (view.active_seat === null && known.status !== 'finished') ? await this.client.get('/v1/matches/{id}', { id: this.id }, inTime()) : known);
    const activeSeat = now.status === 'abandoned' ? null : view.active_seat;
    const mine = now.seat !== null && activeSeat === now.seat && now.status === 'running';
    const choice = mine ? await this.#choices(version, accepted) : NO_CHOICE;
    if (version < this.#state.version) return;
    this.#set({ version, view, ...now, activeSeat, choice, ...(this.#state.version < version && { preview: null }) });
  }

  /**
   * @param {number} version
   * @param {Schemas['Accepted']} [accepted]
   */
  async #choices(version, accepted) {
    const { points } = this.options;
    if (accepted?.legal_commands && !points) return Choice.of({ ...accepted, items: accepted.legal_commands });
    try {
      return Choice.of(await this.client.get('/v1/matches/{id}/legal-commands', { id: this.id, at: version, include: `spots,labels${points ? ',points' : ''}` }, inTime()));
    } catch (error) {
      // The match has moved on: the stream tells how.
      if (isFinal(error)) return NO_CHOICE;
      throw error;
    }
  }
}
