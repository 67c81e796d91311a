// Server-sent events by `fetch`: EventSource sends no token.

import { isFinal, retryMs, sleep } from './problem.js';

/** @typedef {import('../types/schema.d.ts').components['schemas']} Schemas */

/** The server sends a comment every 15 seconds. */
export const SILENCE_MS = 50_000;
const FIRST_WAIT_MS = 250;
export const LONGEST_WAIT_MS = 8_000;

/**
 * The data of messages without a name, one line each: others are no commits.
 * @param {ReadableStream<Uint8Array>} body
 * @param {() => void} heard
 */
async function* messages(body, heard) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let data = '';
  let named = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('data:')) data = line.slice(5);
        else if (line.startsWith('event:')) named = true;
        if (line !== '') continue;
        if (data && !named) yield data;
        data = '';
        named = false;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * Every commit of a match after a version, as the caller sees it: none is missed, none comes twice. Ends with the match, or after `signal`.
 *
 * With `patch` each commit has a `patch` (RFC 6902) of the view.
 *
 * Throws `Problem` where waiting does not help: 4xx, but for 429.
 * @param {import('./muninn.js').Muninn} client
 * @param {string} match
 * @param {{after?: number, patch?: boolean, signal?: AbortSignal, onConnection?: (connection: 'live' | 'lost') => void}} [options]
 */
export async function* follow(client, match, { after = 0, patch = false, signal, onConnection = () => {} } = {}) {
  let wait = FIRST_WAIT_MS;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const stop = () => connection.abort();
    signal?.addEventListener('abort', stop);
    /** @type {any} */
    let watchdog;
    const heard = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(stop, SILENCE_MS);
    };
    try {
      heard();
      const response = await client.send('GET', `/v1/matches/${encodeURIComponent(match)}/stream?after=${after}${patch ? '&patch=true' : ''}`, undefined, { signal: connection.signal, attempts: 1 });
      if (response.status === 204 || !response.body) return;
      onConnection('live');
      wait = FIRST_WAIT_MS;
      for await (const data of messages(response.body, heard)) {
        if (signal?.aborted) return;
        /** @type {Schemas['CommitEntry']} */
        const commit = JSON.parse(data);
        after = commit.last_version;
        yield commit;
      }
    } catch (error) {
      if (isFinal(error)) throw error;
      wait = Math.max(wait, 2 * retryMs(error));
      if (!signal?.aborted) onConnection('lost');
    } finally {
      clearTimeout(watchdog);
      signal?.removeEventListener('abort', stop);
      stop();
    }
    await sleep(wait * (0.5 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}
