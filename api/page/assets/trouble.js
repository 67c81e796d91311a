// Failures in words.

import { Problem, Unreachable } from './client/index.js';
import { page } from './words.js';

/** Whether an error only says that a signal was aborted. */
export const isAborted = (error) => error instanceof Error && error.name === 'AbortError';

/** Whether there was no answer; a reading of the store that takes too long ends with a `TimeoutError`. */
const away = (error) => error instanceof Unreachable || error.name === 'TimeoutError';

/** What a person should read, and whether waiting may help. */
export function trouble(error) {
  if (away(error)) return { text: page.problems.unreachable, passing: true };
  if (!(error instanceof Problem)) reportError(error);
  const text = page.problems[error.code] ?? page.problems.other;
  return { text, detail: error.message, rule: error.rule, passing: error.status >= 500 || error.status === 429 };
}

/** The same of what is sent once: nothing keeps trying. */
export function refusal(error) {
  const said = trouble(error);
  if (away(error)) return { ...said, text: page.problems.no_answer };
  return error.code === 'unavailable' || error.code === 'rate_limited' ? { ...said, text: page.problems.later } : said;
}
