// Where things are: which of some rectangles is next in a direction.

export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export const centre = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

/**
 * The index of the rectangle that is next to `from` in the direction `[x, y]`; undefined if there is none. What lies straight ahead is
 * nearer than what lies aside; what lies rather aside than ahead is taken only where there is nothing else.
 */
export function nextIn([x, y], from, rects) {
  const [ax, ay] = centre(from);
  let best;
  rects.forEach((rect, index) => {
    const [bx, by] = centre(rect);
    const ahead = (bx - ax) * x + (by - ay) * y;
    const aside = Math.abs((bx - ax) * y + (by - ay) * x);
    if (ahead < 1) return;
    const far = ahead + 2 * aside + (aside > ahead ? 100_000 : 0);
    if (!best || far < best.far) best = { index, far };
  });
  return best?.index;
}
