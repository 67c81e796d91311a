// What the page knows of each game beside its words: which places of the picture a command names. A game without a line here is
// played by the list alone.

import * as copenhagen from './games/copenhagen.js';
import * as delphi from './games/delphi.js';
import * as rosenkoenig from './games/rosenkoenig.js';
import * as voluspa from './games/voluspa.js';

const GAMES = { copenhagen, delphi, rosenkoenig, voluspa };

/** `spots(command, view, seat, data)` gives values of `data-spot`; `order` the fields of a command as they are best chosen. */
export function ofGame(game) {
  const known = Object.hasOwn(GAMES, game) ? GAMES[game] : {};
  return { spots: known.spots ?? (() => []), order: known.order ?? {} };
}
