import { Muninn } from '@muninn/client';
import { BoardView } from '@muninn/client/board';
import { createElement, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';

/** @typedef {import('@muninn/client').Match} Match */
/** @typedef {import('@muninn/client').MatchState} MatchState */
/** @typedef {import('@muninn/client').Option} Option */
/**
 * Where a match is, and who looks.
 * @typedef {object} MatchPlace
 * @property {string} server
 * @property {string} match
 * @property {string} [token] without one: a spectator
 * @property {string} [language]
 * @property {boolean} [confirm] whether a choice waits for `confirm()`
 */

/**
 * @typedef {object} Legal
 * @property {readonly Option[]} commands those that are left after the clicks so far
 * @property {readonly Option[]} buttons those that no spot leads to
 * @property {readonly string[]} spots those that can be clicked
 * @property {boolean} narrowed whether something was clicked
 * @property {import('@muninn/client').Preview | null} preview
 * @property {Error | null} problem
 * @property {(spot: string) => void} click
 * @property {(option: Option) => void} choose
 * @property {() => void} confirm
 * @property {() => void} reset
 */

/**
 * A match that is followed while the component is there: `[state, match]`. What cannot be read is in `state.problem`.
 * @param {Match | MatchPlace} place a store, or where the match is
 * @returns {[MatchState, Match]}
 */
export function useMatch(place) {
  const { server, match: id, token, language, confirm } = 'subscribe' in place ? /** @type {Partial<MatchPlace>} */ ({}) : place;
  const given = 'subscribe' in place ? place : null;
  const match = useMemo(() => {
    if (given) return given;
    if (!server || !id) throw new Error('useMatch wants a match, or {server, match}');
    return new Muninn(server, { ...(token && { token }), ...(language && { language }) }).match(id, { ...(confirm && { confirm }) });
  }, [given, server, id, token, language, confirm]);
  const state = useSyncExternalStore(match.subscribe, () => match.state, () => match.state);
  return [state, match];
}

/**
 * What one may do: the spots that can be clicked, the commands for buttons, and what to do with them. Nothing while a command is under way.
 * A refusal goes to `problem`; no function here throws.
 * @param {Match} match
 * @returns {Legal}
 */
export function useLegal(match) {
  const [{ choice, pending, preview, problem }] = useMatch(match);
  return useMemo(() => {
    // Another one in the same tick would be refused: the state of this render does not have the first one yet.
    const quietly = (/** @type {() => Promise<unknown>} */ act) => { if (!match.state.pending) act().catch(() => {}); };
    return {
      commands: pending ? [] : choice.left,
      buttons: pending ? [] : choice.buttons,
      spots: pending ? [] : [...choice.spots],
      narrowed: choice.narrowed,
      preview,
      problem,
      click: (spot) => quietly(() => match.click(spot)),
      choose: (option) => quietly(() => match.choose(option)),
      confirm: () => quietly(() => match.confirm()),
      reset: () => match.reset(),
    };
  }, [match, choice, pending, preview, problem]);
}

/**
 * The picture of a match, to be played by clicks and keys. Style `.choosable`, or put `STYLE` of `@muninn/client/board` into the page.
 * @param {{match: Match, theme?: 'auto' | 'light' | 'dark', shape?: 'wide' | 'tall', className?: string}} props
 */
export function Board({ match, theme, shape, className }) {
  const root = useRef(/** @type {HTMLDivElement | null} */ (null));
  useEffect(() => {
    if (!root.current) return undefined;
    const view = new BoardView(root.current, match, { ...(theme && { theme }), ...(shape && { shape }) });
    return () => view.close();
  }, [match, theme, shape]);
  return createElement('div', { ref: root, className });
}
