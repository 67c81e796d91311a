// The live stream of a match: server-sent events, read with fetch, because EventSource cannot send a token.

import { Problem, isAborted, path, sleep } from './api.js';

/** The server sends a sign of life every 15 seconds: after three of them without any the connection is dead. */
const SILENCE = 50_000;
const LONGEST_WAIT = 8_000;

/** The messages of an event stream: `{id, data}` each. */
async function* messages(body, heard) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let message = { id: undefined, data: [] };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      const lines = (rest + value).split(/\r\n|\n|\r/);
      rest = lines.pop();
      for (const line of lines) {
        if (line === '') {
          if (message.data.length) yield { id: message.id, data: message.data.join('\n') };
          message = { id: message.id, data: [] };
        } else if (line.startsWith('id:')) message.id = line.slice(3).trim();
        else if (line.startsWith('data:')) message.data.push(line.slice(5).replace(/^ /, ''));
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * Every commit of a match after a version, for as long as it is played. Comes back by itself when the connection breaks, and goes on
 * behind the last commit received. `state` hears `live` and `lost`. Ends when the match is over; throws what no waiting mends.
 */
export async function* follow(api, match, { after, viewer, signal, state }) {
  let wait = 500;
  while (!signal.aborted) {
    const connection = new AbortController();
    const stop = () => connection.abort();
    signal.addEventListener('abort', stop, { once: true });
    let watchdog;
    const heard = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(stop, SILENCE);
    };
    try {
      heard();
      const response = await api.fetch(path(`/v1/matches/${match}/stream`, { after, viewer }), { signal: connection.signal });
      if (response.status === 204) return;
      state('live');
      wait = 500;
      for await (const { id, data } of messages(response.body, heard)) {
        after = Number(id);
        yield JSON.parse(data);
      }
    } catch (error) {
      if (error instanceof Problem && error.status < 500 && error.status !== 429) throw error;
      if (!isAborted(error) || !signal.aborted) state('lost');
    } finally {
      clearTimeout(watchdog);
      signal.removeEventListener('abort', stop);
      stop();
    }
    await sleep(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}
