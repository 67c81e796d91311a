// What to ask next of somebody who chooses from a list. No rule is known here: the server says what is legal, the page only sorts.

/** More commands than these are asked for field by field. */
const FEW = 8;

/** The command that is left after a choice. */
export const onlyOne = ({ left, narrowed }) => (narrowed && left.length === 1 ? left[0] : undefined);

/** The places that were clicked. */
export const clicked = ({ steps }) => new Set(steps.map((step) => step.spot).filter((spot) => spot !== undefined));

/** The options that are left, if they are few, else the values of a field, each with how many options it leaves and the most points that one of them brings. */
export function question({ left }) {
  if (left.length <= FEW) return { options: left };
  const { type } = left[0].command;
  const fields = left.every(({ command }) => command.type === type) ? Object.keys(left[0].command) : ['type'];
  for (const field of fields) {
    const values = new Map();
    for (const { command, points = 0 } of left) {
      const key = JSON.stringify(command[field]);
      const { count, most } = values.get(key) ?? { count: 0, most: -Infinity };
      values.set(key, { value: command[field], count: count + 1, most: Math.max(most, points) });
    }
    if (values.size > 1) return { field, values: [...values.values()] };
  }
  return { options: left };
}
