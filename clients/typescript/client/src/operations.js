// The types of requests and answers, read from those that openapi-typescript makes of the document. Nothing here at run time.

export {};

/** @typedef {import('../types/schema.d.ts').paths} Paths */

/**
 * The paths that take a method.
 * @template {'get' | 'post'} M
 * @typedef {{ [P in keyof Paths]: Paths[P][M] extends { responses: unknown } ? P : never }[keyof Paths]} PathOf
 */

/**
 * @template T
 * @typedef {[NonNullable<T>] extends [never] ? {} : NonNullable<T>} Known
 */

/**
 * The parameters of an operation in its path and in its query, in one object.
 * @template O
 * @typedef {O extends { parameters: { path?: infer P, query?: infer Q } } ? Known<P> & Known<Q> : {}} Parameters
 */

/**
 * The body of a request.
 * @template O
 * @typedef {O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : undefined} Body
 */

/**
 * @template R
 * @typedef {R extends { content: { 'application/json': infer J } } ? J : R extends { content: {} } ? string : null} Content
 */

/**
 * What an operation answers: JSON where it is JSON, otherwise text.
 * @template O
 * @typedef {O extends { responses: infer R } ? Content<R[keyof R & (200 | 201)]> : never} Answer
 */
