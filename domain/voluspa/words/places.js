// Völuspá: a tile of the hand and a cell; the Raven flies to a cell, or stays on its own.

export const order = { PlaceTile: ['tile', 'at', 'mode', 'bump'] };

const cell = ({ x, y }) => `cell:${x},${y}`;

export function spots(command, view) {
  switch (command.type) {
    case 'PlaceTile': return [`hand:${command.tile}`, cell(command.at)];
    case 'DiscardTile': return [`hand:${command.tile}`];
    case 'DiscardFreya': return ['hand:freya'];
    case 'MoveRaven': return [cell(command.at)];
    case 'KeepRaven': return view.raven ? [cell(view.raven.at)] : [];
    default: return [];
  }
}
