// The API as the page uses it: JSON or text in, problems out.

/** The server answered with a problem. */
export class Problem extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title ?? problem.code);
    Object.assign(this, { code: problem.code, status: problem.status, rule: problem.rule, problem });
  }
}

/** There was no answer at all. */
export class Unreachable extends Error {}

/** Does this only say that somebody is no longer interested? */
export const isAborted = (error) => error?.name === 'AbortError';

export const sleep = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => { clearTimeout(timer); resolve(); }, { once: true });
  });

/** A path with a query; what is undefined, null or empty is left out. */
export function path(base, query = {}) {
  const known = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return known.length ? `${base}?${new URLSearchParams(known)}` : base;
}

/** A server, and perhaps the token of a seat. The token travels in a header, never in an address. */
export class Api {
  #token;

  constructor(server, token) {
    this.server = server.replace(/\/$/, '');
    this.#token = token;
  }

  get hasToken() {
    return Boolean(this.#token);
  }

  /** The answer to a request; throws a Problem, Unreachable, or AbortError. */
  async fetch(address, { method = 'GET', body, signal, headers = {} } = {}) {
    const init = { method, signal, headers: { ...headers }, credentials: 'omit', referrerPolicy: 'no-referrer' };
    if (this.#token) init.headers.authorization = `Bearer ${this.#token}`;
    if (body !== undefined) {
      init.headers['content-type'] = 'application/json';
      init.body = JSON.stringify(body);
    }
    for (let attempt = 1; ; attempt += 1) {
      let response;
      try {
        response = await fetch(this.server + address, init);
      } catch (error) {
        throw isAborted(error) ? error : new Unreachable(error.message);
      }
      if (response.ok) return response;
      const wait = Number(response.headers.get('retry-after')) || 1;
      if (response.status === 429 && attempt < 5 && wait <= 10) {
        await sleep(wait * 1000, signal);
        continue;
      }
      const problem = await response.json().catch(() => ({ status: response.status, code: 'internal', detail: response.statusText }));
      throw new Problem(problem);
    }
  }

  async get(address, options) {
    const response = await this.fetch(address, options);
    return this.#read(response, () => response.json());
  }

  async text(address, options) {
    const response = await this.fetch(address, options);
    return this.#read(response, () => response.text());
  }

  async post(address, body, options) {
    const response = await this.fetch(address, { method: 'POST', body, ...options });
    return this.#read(response, () => response.json());
  }

  /** A body that breaks off is a server that went away. */
  async #read(response, read) {
    try {
      return await read();
    } catch (error) {
      throw isAborted(error) || error instanceof SyntaxError ? error : new Unreachable(error.message);
    }
  }
}
