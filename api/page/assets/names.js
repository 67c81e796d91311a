// How the people of a match are called.

import { page } from './words.js';

/** The names of a match's seats, also for the words of a game. */
export function namesOf(info) {
  const seat = (number) => {
    const known = info?.seats?.[number];
    return known?.name ?? page.seat(number);
  };
  return { seat, seats: (numbers) => page.and(numbers.map(seat)), viewer: (viewer) => (viewer === 'spectator' ? page.spectator : seat(Number(viewer))) };
}
