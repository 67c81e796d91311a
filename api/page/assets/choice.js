// Narrowing a list of legal commands to one. No rule is known here: the server says what is legal, the page only sorts.

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** More commands than these are asked for field by field. */
const FEW = 8;

export class Choice {
  #spots;
  #labels;
  #points;

  /** The legal commands, with the places of the picture that each names, its label, and the points that it is sure to bring at once. */
  constructor({ items, spots, labels, points }) {
    this.commands = items;
    this.#spots = new Map(items.map((command, index) => [command, new Set(spots[index])]));
    this.#labels = new Map(items.map((command, index) => [command, labels[index]]));
    this.#points = new Map(items.map((command, index) => [command, points?.[index] ?? 0]));
    this.chosen = [];
  }

  /** The points that a command is sure to bring at once. */
  points(command) {
    return this.#points.get(command);
  }

  /** A command in words. */
  label(command) {
    return this.#labels.get(command);
  }

  /** What is still possible. */
  get left() {
    return this.chosen.reduce((left, step) => left.filter((command) => this.#fits(command, step)), this.commands);
  }

  #fits(command, { spot, field, value }) {
    return spot === undefined ? same(command[field], value) : this.#spots.get(command).has(spot);
  }

  /** The command, when only one is left and somebody has chosen. */
  get one() {
    const left = this.left;
    return left.length === 1 && this.chosen.length ? left[0] : undefined;
  }

  /** All places that would narrow further, those already chosen, and with one command left all of its places. */
  get choosable() {
    const places = new Set(this.chosen.filter((step) => step.spot !== undefined).map((step) => step.spot));
    for (const command of this.left) for (const spot of this.#spots.get(command)) places.add(spot);
    return places;
  }

  /** What all commands that are left have in common, when something is chosen. */
  get common() {
    if (!this.chosen.length) return {};
    const [first, ...others] = this.left;
    return Object.fromEntries(Object.entries(first).filter(([field, value]) => others.every((other) => same(other[field], value))));
  }

  /** Can something be begun at this place? */
  begins(spot) {
    return this.commands.some((command) => this.#spots.get(command).has(spot));
  }

  get chosenSpots() {
    return new Set(this.chosen.filter((step) => step.spot !== undefined).map((step) => step.spot));
  }

  /** Chooses a place of the picture. The same one again takes the choice back; one that no longer fits begins anew. */
  spot(spot) {
    if (this.chosen.some((step) => step.spot === spot)) {
      this.chosen = this.chosen.filter((step) => step.spot !== spot);
      return;
    }
    const fits = this.left.some((command) => this.#spots.get(command).has(spot));
    this.chosen = fits ? [...this.chosen, { spot }] : [{ spot }];
  }

  field(field, value) {
    this.chosen = [...this.chosen, { field, value }];
  }

  /** Takes a step of the choice back. */
  without(index) {
    this.chosen = this.chosen.filter((_, at) => at !== index);
  }

  /** What to ask next: commands, if they are few, else the values of a field, each with how many commands it leaves and the most points that one of them brings. */
  get question() {
    const left = this.left;
    if (left.length <= FEW) return { commands: left };
    const type = left[0].type;
    const fields = left.every((command) => command.type === type) ? Object.keys(left[0]) : ['type'];
    for (const field of fields) {
      const values = new Map();
      for (const command of left) {
        const key = JSON.stringify(command[field]);
        const { count, most } = values.get(key) ?? { count: 0, most: -Infinity };
        values.set(key, { value: command[field], count: count + 1, most: Math.max(most, this.points(command)) });
      }
      if (values.size > 1) return { field, values: [...values.values()] };
    }
    return { commands: left };
  }
}
