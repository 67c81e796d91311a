/** @typedef {import('../types/schema.d.ts').components['schemas']} Schemas */
/**
 * A legal command.
 * @typedef {object} Option
 * @property {Schemas['Command']} command ready to be sent
 * @property {readonly string[]} spots the values of `data-spot` in the picture that it names, in the order of clicks
 * @property {string} label in words
 * @property {number} [points] that it is sure to bring at once, where they were asked for
 */
/**
 * What narrows a choice: a spot, the value of a field, or a command.
 * @typedef {{spot: string} | {field: string, value: unknown} | {command: Schemas['Command']}} Step
 */

export const same = (/** @type {unknown} */ a, /** @type {unknown} */ b) => JSON.stringify(a) === JSON.stringify(b);

/** The legal commands, narrowed down by clicks on the picture. A value: each click gives a new one. */
export class Choice {
  /**
   * @param {readonly Option[]} all
   * @param {readonly Step[]} [steps]
   */
  constructor(all, steps = []) {
    /** All legal commands. */
    this.all = all;
    /** What was chosen so far. */
    this.steps = steps;
    /** The commands that are left. */
    this.left = all.filter(({ command, spots }) => steps.every((step) => {
      if ('spot' in step) return spots.includes(step.spot);
      return 'field' in step ? same(Object(command)[step.field], step.value) : same(command, step.command);
    }));
    const { left } = this;
    const named = [...new Set(left.flatMap(({ spots }) => spots))];
    const shared = named.filter((spot) => left.every(({ spots }) => spots.includes(spot)));
    /**
     * The spots that tell the commands left apart: to be clicked.
     * @type {ReadonlySet<string>}
     */
    this.spots = new Set(left.length === 1 ? shared : named.filter((spot) => !shared.includes(spot)));
    /** The commands that no such spot leads to: for buttons. */
    this.buttons = left.filter(({ spots }) => !spots.some((spot) => this.spots.has(spot)));
    /** Whether something was chosen. */
    this.narrowed = steps.length > 0;
    /**
     * Once narrowed, the spots that all commands left name.
     * @type {ReadonlySet<string>}
     */
    this.chosen = new Set(this.narrowed ? shared : []);
  }

  /**
   * The choice that `legal-commands?include=spots,labels` answers.
   * @param {{items: readonly Schemas['Command'][], spots?: readonly (readonly string[])[], labels?: readonly string[], points?: readonly number[]}} page
   */
  static of({ items, spots, labels, points }) {
    return new Choice(items.map((command, index) => ({ command, spots: spots?.[index] ?? [], label: labels?.[index] ?? command.type, ...(points && { points: points[index] }) })));
  }

  /**
   * What is left after a click. A spot that tells nothing apart changes nothing.
   * @param {string} spot
   */
  click(spot) {
    return this.spots.has(spot) ? this.with({ spot }) : this;
  }

  /** @param {Step} step */
  with(step) {
    return new Choice(this.all, [...this.steps, step]);
  }

  /** @param {number} index of a step */
  without(index) {
    return new Choice(this.all, this.steps.filter((_, at) => at !== index));
  }

  /** The choice before all steps. */
  reset() {
    return this.narrowed ? new Choice(this.all) : this;
  }
}
