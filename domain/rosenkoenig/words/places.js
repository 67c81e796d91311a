// Rosenkönig: a card, and the field to which it leads the crown.

const STEPS = { n: [0, -1], ne: [1, -1], e: [1, 0], se: [1, 1], s: [0, 1], sw: [-1, 1], w: [-1, 0], nw: [-1, -1] };

export const order = { PlayCard: ['card', 'hero'] };

export function spots(command, view, seat) {
  if (command.type === 'DrawCard') return ['pile:draw'];
  const [dx, dy] = STEPS[command.card.slice(0, -1)];
  const far = Number(command.card.at(-1));
  const heroes = command.hero ? Array.from({ length: view.heroes[seat] }, (_, number) => `hero:${seat}-${number}`) : [];
  return [`card:${command.card}`, `cell:${view.crown.x + dx * far},${view.crown.y + dy * far}`, ...heroes];
}
