// How a match stands, in few words.

import { page } from './words.js';

export function statusOf(table) {
  const { info, names, words } = table;
  if (info.status === 'open') return page.waiting;
  if (info.status === 'abandoned') return page.abandoned;
  if (info.status === 'running') return info.active_seat === table.me ? page.yourTurn : page.toMove(names.seat(info.active_seat));
  if (table.version < table.head) return page.statuses.finished;
  return (info.standing ?? []).map((place) => words.standing(place, names)).join(' · ');
}
