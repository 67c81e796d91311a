/** @typedef {import('../types/schema.d.ts').components['schemas']} Schemas */
/**
 * A legal command.
 * @typedef {object} Option
 * @property {Schemas['Command']} command ready to be sent
 * @property {readonly string[]} spots the values of `data-spot` in the picture that it names, in the order of clicks
 * @property {string} label in words
 */

/** The legal commands, narrowed down by clicks on the picture. A value: each click gives a new one. */
export class Choice {
  /**
   * @param {readonly Option[]} all
   * @param {readonly Option[]} [left]
   */
  constructor(all, left = all) {
    /** All legal commands. */
    this.all = all;
    /** Those that are left after the clicks so far. */
    this.left = left;
    const counts = new Map();
    for (const { spots } of left) for (const spot of new Set(spots)) counts.set(spot, (counts.get(spot) ?? 0) + 1);
    /**
     * The spots that tell the commands left apart: those to mark as clickable.
     * @type {ReadonlySet<string>}
     */
    this.spots = new Set([...counts.keys()].filter((spot) => counts.get(spot) < left.length || left.length === 1));
    /** The commands that no such spot leads to: those to offer as buttons. */
    this.buttons = left.filter(({ spots }) => !spots.some((spot) => this.spots.has(spot)));
    /** Whether something was clicked. */
    this.narrowed = left.length < all.length;
    /**
     * After a click, the spots that all commands left name: those to mark as chosen.
     * @type {ReadonlySet<string>}
     */
    this.chosen = new Set(this.narrowed ? [...counts.keys()].filter((spot) => counts.get(spot) === left.length) : []);
  }

  /**
   * The choice in what `legal-commands?include=spots,labels` answers.
   * @param {{items: readonly Schemas['Command'][], spots?: readonly (readonly string[])[], labels?: readonly string[]}} page
   */
  static of({ items, spots, labels }) {
    return new Choice(items.map((command, index) => ({ command, spots: spots?.[index] ?? [], label: labels?.[index] ?? command.type })));
  }

  /**
   * What is left after a click. A spot that tells nothing apart changes nothing.
   * @param {string} spot
   */
  click(spot) {
    return this.spots.has(spot) ? new Choice(this.all, this.left.filter(({ spots }) => spots.includes(spot))) : this;
  }

  /** The choice before all clicks. */
  reset() {
    return this.narrowed ? new Choice(this.all) : this;
  }
}
