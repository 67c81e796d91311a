/** @typedef {import('../types/schema.d.ts').components['schemas']} Schemas */

/** A refusal of the server (RFC 9457). Programs branch on `code` and `rule`; `message` is for people. */
export class Problem extends Error {
  /**
   * @param {Schemas['Problem'] | Schemas['VersionConflict']} body
   * @param {number} [retryAfter] seconds, from the header `Retry-After`
   */
  constructor(body, retryAfter) {
    super(body.detail);
    this.name = 'Problem';
    this.code = body.code;
    this.status = body.status;
    this.rule = body.rule;
    this.ruleText = body.rule_text;
    this.retryAfter = retryAfter;
    this.body = body;
  }
}

/** No answer, or one that broke off. Whether a command was carried out is not known. */
export class Unreachable extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'Unreachable';
  }
}

/**
 * Whether the same request is refused however long one waits.
 * @param {unknown} error
 */
export const isFinal = (error) => error instanceof Problem && error.status < 500 && ![408, 429].includes(error.status);

/** @param {any} error */
export const retryMs = (error) => (error.retryAfter ?? 0) * 1000;

/**
 * Waits, at most until a signal ends.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 */
export const sleep = (ms, signal) => new Promise((resolve) => {
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    resolve(undefined);
  };
  const timer = setTimeout(end, ms);
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
});

/**
 * A failure as an error. That of a proxy without a server is no answer.
 * @param {Response} response
 */
export async function errorOf(response) {
  const { status, statusText: title, headers } = response;
  const detail = title || `status ${status}`;
  const told = headers.get('content-type')?.includes('problem+json') && (await response.json().catch(() => {}));
  const body = typeof told?.code === 'string' && typeof told.detail === 'string' && told;
  if (!body && (status >= 500 || status === 408)) return new Unreachable(detail);
  return new Problem(body || { type: 'about:blank', title, status, code: status === 429 ? 'rate_limited' : 'internal', detail, request_id: '' }, Number(headers.get('retry-after')) || undefined);
}
