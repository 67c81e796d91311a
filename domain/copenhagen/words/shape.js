// The squares of a tile in an orientation (C-106), from the printed data of the game.

const mirrored = (rows) => rows.map((row) => [...row].reverse().join(''));
const turned = (rows) => Array.from(rows[0], (_, x) => rows.map((row) => row[x]).reverse().join(''));

/** The rows of a tile: `W` a window, `B` a brick, `.` nothing. */
export function shape(tile, orientation, data) {
  let rows = data.tiles.find((known) => known.id === tile).shape;
  if (orientation >= 4) rows = mirrored(rows);
  for (let turn = 0; turn < orientation % 4; turn += 1) rows = turned(rows);
  return rows;
}

/** The spaces that a tile covers. */
export function covered({ tile, orientation, x, y }, data) {
  const rows = shape(tile, orientation, data);
  return rows.flatMap((row, down) => [...row].flatMap((square, right) => (square === '.' ? [] : [{ x: x + right, y: y + down }])));
}

/** The same in a line of text. */
export const drawn = (tile, orientation, data) =>
  shape(tile, orientation, data).map((row) => row.replace(/W/g, '□').replace(/B/g, '■').replace(/\./g, '·')).join(' / ');
