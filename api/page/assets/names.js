// How the people of a match are called.

import { page } from './words.js';

/** The names of a match's seats; `called` has those that are known, by seat. */
export function namesOf(info) {
  const called = Object.fromEntries((info?.seats ?? []).filter(({ name }) => name).map(({ seat, name }) => [seat, name]));
  const seat = (number) => called[number] ?? page.seat(number);
  return { called, seat, viewer: (viewer) => (viewer === 'spectator' ? page.spectator : seat(Number(viewer))) };
}
