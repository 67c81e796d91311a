// A server that is waited for: what is to be done once is sent again with its key until there is an answer.

import { Muninn, Unreachable } from './client/index.js';
import { retryMs, sleep } from './client/problem.js';

const REST = 2000;
/** In seconds. A server that says more, as one that is full does, is not waited for. */
const MOST = 60;
const PASSING = ['unavailable', 'outcome_unknown', 'rate_limited'];

/** It was certainly not done for now, or nobody knows yet. */
const passes = (error) => (error instanceof Unreachable || PASSING.includes(error.code)) && (error.retryAfter ?? 0) <= MOST;

/** Calls `waits` with the error before it sends something again; the signal that this gives ends the waiting. */
export class Patient extends Muninn {
  constructor(server, settings, waits) {
    super(server, settings);
    this.waits = waits;
  }

  async post(path, parameters, body, options = {}) {
    for (let { attempts } = options; ; attempts = 1) {
      try {
        return await super.post(path, parameters, body, { ...options, attempts });
      } catch (error) {
        if (!options.key || !passes(error)) throw error;
        const signal = this.waits(error);
        await sleep(Math.max(REST, retryMs(error)), signal);
        if (signal.aborted) throw error;
      }
    }
  }
}
