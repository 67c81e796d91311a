// The log of a match, read where somebody looks: a long match has tens of thousands of commits.

import { Unreachable, sleep } from './client/problem.js';

/** How many commits are read at once. */
const CHUNK = 250;

/** Milliseconds for a server that does not have yet what another one has told, and how often it is waited for. */
const BEHIND = 200;
const PATIENCE = 20;

const behind = () => new Unreachable(new Error('the server has less of the match than was seen before'));

const chunkOf = (commit) => Math.floor((commit - 1) / CHUNK);

export class History {
  #client;
  #match;
  #viewer;
  #chunks = new Map();
  #loading = new Map();

  /** The latest version and commit. */
  version;
  commit;

  constructor(client, { match, version, commit }, viewer) {
    this.#client = client;
    this.#match = match;
    this.#viewer = viewer;
    this.version = version;
    this.commit = commit;
  }

  /** A commit that was just made; not `seen` if this viewer sees another part of it. */
  append(entry, seen) {
    if (entry.commit <= this.commit) return;
    const chunk = chunkOf(entry.commit);
    if ((entry.commit - 1) % CHUNK === 0) this.#chunks.set(chunk, []);
    const known = this.#chunks.get(chunk);
    if (seen && known && known.length === (entry.commit - 1) % CHUNK) known.push(entry);
    else this.#chunks.delete(chunk);
    this.version = entry.last_version;
    this.commit = entry.commit;
  }

  #load(chunk) {
    if (this.#chunks.has(chunk)) return this.#chunks.get(chunk);
    if (!this.#loading.has(chunk)) this.#loading.set(chunk, this.#read(chunk).finally(() => this.#loading.delete(chunk)));
    return this.#loading.get(chunk);
  }

  async #read(chunk) {
    const entries = [];
    let empty = 0;
    // What is made in the meantime comes with the stream, and may be missing in an answer that is on its way.
    while (entries.length < Math.min(CHUNK, this.commit - chunk * CHUNK)) {
      const query = { id: this.#match, after: chunk * CHUNK + entries.length, limit: CHUNK - entries.length, viewer: this.#viewer };
      const { items } = await this.#client.get('/v1/matches/{id}/commits', query);
      if (!items.length) {
        empty += 1;
        if (empty > PATIENCE) throw behind();
        await sleep(BEHIND);
      }
      entries.push(...items.filter((entry) => entry.commit <= this.commit));
    }
    this.#chunks.set(chunk, entries);
    return entries;
  }

  /** The commits from one to another, both included. */
  async range(from, to) {
    const first = Math.max(1, from);
    const last = Math.min(to, this.commit);
    const chunks = [];
    for (let chunk = chunkOf(first); chunk <= chunkOf(last); chunk += 1) chunks.push(this.#load(chunk));
    const entries = (await Promise.all(chunks)).flat();
    return entries.filter((entry) => entry.commit >= first && entry.commit <= last);
  }

  /** The commit that a version belongs to. */
  async at(version) {
    const within = (entry) => entry.first_version <= version && version <= entry.last_version;
    for (const chunk of this.#chunks.values()) {
      const found = chunk.find(within);
      if (found) return found;
    }
    if (version === this.version) return (await this.range(this.commit, this.commit))[0];
    const { items } = await this.#client.get('/v1/matches/{id}/events', { id: this.#match, after: version - 1, limit: 1 });
    if (!items.length) throw behind();
    return this.number(items[0].commit);
  }

  /** The commit with a number. */
  async number(commit) {
    return (await this.range(commit, commit))[0];
  }
}
