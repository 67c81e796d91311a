// How the people of a match are called.

import { page } from './words.js';

/** Letters that are written from right to left: Hebrew, Arabic and their like. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name as it stands beside others: isolated if any of it is written from right to left, so that it turns nothing around. */
export const isolated = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** The names of a match's seats; `called` has those that are known, by seat. */
export function namesOf(info) {
  const called = Object.fromEntries((info?.seats ?? []).filter(({ name }) => name).map(({ seat, name }) => [seat, isolated(name)]));
  const seat = (number) => called[number] ?? page.seat(number);
  return { called, seat, viewer: (viewer) => (viewer === 'spectator' ? page.spectator : seat(Number(viewer))) };
}
