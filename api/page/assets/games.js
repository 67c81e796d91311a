// What the page knows of each game: scripts that come with the game, its words in each language and the places of the picture that a
// command names. A game without words is told field by field, one without places is played by the list alone.

import { SCRIPTS } from './scripts.js';

/** A script of a game, if it has this one. */
export const script = async (game, name) =>
  Object.hasOwn(SCRIPTS, game) && SCRIPTS[game].includes(`${name}.js`) ? import(`./games/${game}/${name}.js`) : undefined;

/** `spots(command, view, seat, data)` gives values of `data-spot`; `order` the fields of a command as they are best chosen. */
export async function ofGame(game) {
  const known = await script(game, 'places');
  return { spots: known?.spots ?? (() => []), order: known?.order ?? {} };
}
