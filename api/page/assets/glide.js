// Pieces that move: where a picture replaces another, a piece that both have glides from its old place to the new one.

const MILLISECONDS = 420;

const pieces = (svg) => new Map([...svg.querySelectorAll('[data-piece]')].map((piece) => [piece.dataset.piece, piece]));

/** Where the pieces of a picture are, as parts of its width and height: pictures of another size can be compared. */
export function places(svg) {
  if (!svg) return new Map();
  const whole = svg.getBoundingClientRect();
  return new Map([...pieces(svg)].map(([id, piece]) => {
    const { left, top, width, height } = piece.getBoundingClientRect();
    return [id, { x: (left + width / 2 - whole.left) / whole.width, y: (top + height / 2 - whole.top) / whole.height }];
  }));
}

/** Lets the pieces of a picture come from where they were. Whoever asked for less motion sees them where they are. Returns the animations. */
export function glide(svg, from) {
  if (!from.size || matchMedia('(prefers-reduced-motion: reduce)').matches) return [];
  const whole = svg.getBoundingClientRect();
  // Nobody sees it.
  if (!whole.width) return [];
  const now = places(svg);
  return [...pieces(svg)].flatMap(([id, piece]) => {
    const [before, after] = [from.get(id), now.get(id)];
    if (!before) return [];
    const x = (before.x - after.x) * whole.width;
    const y = (before.y - after.y) * whole.height;
    // What lies on a piece goes with it.
    if (Math.hypot(x, y) < 2 || from.has(piece.parentElement.closest('[data-piece]')?.dataset.piece)) return [];
    // `translate` stands beside the attribute `transform`, and speaks of the units of the group around the piece.
    const { a, b, c, d } = piece.parentElement.getScreenCTM().inverse();
    const start = `${a * x + c * y}px ${b * x + d * y}px`;
    return [piece.animate([{ translate: start }, { translate: '0px 0px' }], { duration: MILLISECONDS, easing: 'ease-in-out' })];
  });
}
