// Copenhagen: slots of the harbor, kinds of tiles, and all the spaces that a tile would cover.

import { covered } from './shape.js';

export const order = { PlaceTile: ['tile', 'orientation', 'y', 'x', 'payment'] };

export function spots(command, view, seat, data) {
  switch (command.type) {
    case 'TakeCard': return [`slot:${command.slot}`];
    case 'DiscardCard': return [`card:${command.color}`];
    case 'TakeAbility': return [`ability:${command.ability}`];
    case 'PlaceSpecialTile': return ['tile:special', `cell:${command.x},${command.y}`];
    case 'PlaceTile': return [`tile:${command.tile}`, ...covered(command, data).map(({ x, y }) => `cell:${x},${y}`)];
    default: return [];
  }
}
