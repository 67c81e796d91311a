import { newKey } from './key.js';
import { Match } from './match.js';
import { Problem, Unreachable, errorOf, sleep } from './problem.js';

/** @typedef {import('../types/schema.d.ts').components['schemas']} Schemas */
/** @typedef {import('./operations.d.ts').Paths} Paths */
/**
 * @typedef {object} Settings
 * @property {string} [token] the token of a seat, sent with every request
 * @property {string} [language] the language of labels, such as `de`
 * @property {typeof fetch} [fetch] instead of the global one
 */
/**
 * @typedef {object} RequestOptions
 * @property {AbortSignal} [signal]
 * @property {string} [key] an `Idempotency-Key`: the request is repeated until somebody knows its outcome
 * @property {number} [attempts] at most; 5 by default
 */

const LONGEST_WAIT_SECONDS = 10;

/**
 * A path with its parameters; the others are its query, of an object its fields.
 * @param {string} path
 * @param {object} parameters
 */
function addressOf(path, parameters) {
  const query = new URLSearchParams();
  let address = path;
  for (const [name, value] of Object.entries(parameters)) {
    if (value == null) continue;
    const filled = address.replace(`{${name}}`, encodeURIComponent(value));
    if (filled === address) for (const [key, one] of value.constructor === Object ? Object.entries(value) : [[name, value]]) if (one != null) query.set(key, one);
    address = filled;
  }
  return `${query}` ? `${address}?${query}` : address;
}

/** @param {Response} response */
const read = (response) => {
  const type = `${response.headers.get('content-type')}`;
  return /[/+]json/.test(type) ? response.json() : /parquet|x-tar/.test(type) ? response.arrayBuffer() : response.text();
};

/** A server, and perhaps the token of a seat. */
export class Muninn {
  #settings;

  /**
   * @param {string} server the address, such as `http://127.0.0.1:8080`
   * @param {Settings} [settings]
   */
  constructor(server, settings = {}) {
    this.server = server.replace(/\/+$/, '');
    this.#settings = settings;
  }

  /**
   * The same server with a token.
   * @param {string} token
   */
  as(token) {
    return new Muninn(this.server, { ...this.#settings, token });
  }

  /**
   * An address for links and images, which send no token.
   * @template {import('./operations.d.ts').PathOf<'get'>} P
   * @param {P} path
   * @param {import('./operations.d.ts').Parameters<Paths[P]['get']>} parameters
   */
  address(path, parameters) {
    return this.server + addressOf(path, parameters);
  }

  /**
   * Reads something.
   *
   * Throws {@link Problem} where the server refuses, {@link Unreachable} where it does not answer, and the reason of `signal`.
   * @template {import('./operations.d.ts').PathOf<'get'>} P
   * @param {P} path of the document
   * @param {import('./operations.d.ts').Parameters<Paths[P]['get']>} parameters of path and query
   * @param {RequestOptions} [options]
   * @returns {Promise<import('./operations.d.ts').Answer<Paths[P]['get']>>}
   */
  async get(path, parameters, options = {}) {
    return this.send('GET', addressOf(path, parameters), undefined, options, read);
  }

  /**
   * Sends something. Without a `key` nothing is repeated.
   *
   * Throws {@link Problem} where the server refuses, {@link Unreachable} where it does not answer, and the reason of `signal`.
   * @template {import('./operations.d.ts').PathOf<'post'>} P
   * @param {P} path of the document
   * @param {import('./operations.d.ts').Parameters<Paths[P]['post']>} parameters of path and query
   * @param {import('./operations.d.ts').Body<Paths[P]['post']>} body
   * @param {RequestOptions} [options]
   * @returns {Promise<import('./operations.d.ts').Answer<Paths[P]['post']>>}
   */
  async post(path, parameters, body, options = {}) {
    return this.send('POST', addressOf(path, parameters), body, options, read);
  }

  /**
   * Opens a match; one {@link Match} for each seat, null for open ones and those of bots. The tokens are told only this once.
   *
   * Throws {@link Problem}, for instance `invalid_options` or `quota_reached`, or {@link Unreachable}.
   * @param {Schemas['OpenRequest']} request
   */
  async open(request) {
    const opened = await this.post('/v1/matches', {}, request, { key: newKey() });
    const seats = opened.seat_tokens.map((token) => (token ? this.as(token).match(opened.match) : null));
    return { ...opened, seats };
  }

  /**
   * Takes an open seat. `token` is told only this once.
   *
   * Throws {@link Problem}, `seat_taken` where somebody was faster, or {@link Unreachable}.
   * @param {string} match
   * @param {number} seat
   * @param {Schemas['JoinRequest']} [request]
   */
  async join(match, seat, request = {}) {
    const { seat_token: token } = await this.post('/v1/matches/{id}/seats/{seat}', { id: match, seat }, request);
    return { token, match: this.as(token).match(match) };
  }

  /**
   * The store of a match, as the seat of the token, or as a spectator. It asks nothing before somebody subscribes.
   * @param {string} id
   * @param {import('./match.js').MatchOptions} [options]
   */
  match(id, options) {
    return new Match(this, id, options);
  }

  /**
   * A response that is a success. Repeats after 429 with a short `Retry-After`; what reads or has a key also after 503 and no answer.
   *
   * Throws as `get` does.
   * @param {'GET' | 'POST'} method
   * @param {string} address the path and the query
   * @param {unknown} [body]
   * @param {RequestOptions} [options]
   * @template [T=Response]
   * @param {(response: Response) => T} [take]
   */
  async send(method, address, body, { signal, key, attempts = 5 } = {}, take = (/** @type {any} */ response) => response) {
    const { token, language, fetch: ask = fetch } = this.#settings;
    const init = {
      method,
      signal,
      body: JSON.stringify(body),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(language && { 'accept-language': language }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
    };
    const safe = method === 'GET' || key;
    for (let attempt = 1; ; attempt += 1) {
      /** @type {any} */
      let error;
      try {
        const response = await ask(this.server + address, init);
        if (response.ok) return await take(response);
        error = await errorOf(response);
      } catch (cause) {
        error = new Unreachable(cause);
      }
      signal?.throwIfAborted();
      const wait = error.retryAfter ?? attempt / 4;
      const away = !(error instanceof Problem) || [408, 503].includes(error.status);
      const again = error.code === 'rate_limited' || (safe && away);
      if (!again || attempt >= attempts || wait > LONGEST_WAIT_SECONDS) throw error;
      await sleep(wait * 1000, signal);
      signal?.throwIfAborted();
    }
  }
}
