export { Choice } from './choice.js';
export { Match } from './match.js';
export { Muninn } from './muninn.js';
export { Problem, Unreachable } from './problem.js';
export { follow } from './stream.js';

/** @typedef {import('../types/schema.d.ts').components['schemas']} Schemas */
/** @typedef {import('./choice.js').Option} Option */
/** @typedef {import('./choice.js').Step} Step */
/** @typedef {import('./match.js').MatchState} MatchState */
/** @typedef {import('./match.js').Preview} Preview */
