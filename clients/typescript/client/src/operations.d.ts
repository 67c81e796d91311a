// The types of requests and answers, read from those that openapi-typescript makes of the document.

import type { paths } from '../types/schema.d.ts';

export type Paths = paths;

/** The paths that take a method. */
export type PathOf<M extends 'get' | 'post'> = { [P in keyof Paths]: Paths[P][M] extends { responses: unknown } ? P : never }[keyof Paths];

type Known<T> = [NonNullable<T>] extends [never] ? {} : NonNullable<T>;

/** The parameters of an operation in its path and in its query, in one object. */
export type Parameters<O> = O extends { parameters: { path?: infer P; query?: infer Q } } ? Known<P> & Known<Q> : {};

/** The body of a request. */
export type Body<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : undefined;

type Bytes = { 'application/vnd.apache.parquet': unknown } | { 'application/x-tar': unknown };

type Content<R> = R extends { content: { 'application/json': infer J } | { 'application/json-patch+json': infer J } } ? J : R extends { content: Bytes } ? ArrayBuffer : R extends { content: {} } ? string : null;

/** What an operation answers: JSON where it is JSON, bytes where it is Parquet or an archive, otherwise text. */
export type Answer<O> = O extends { responses: infer R } ? Content<R[keyof R & (200 | 201)]> : never;
