// Told parts as markup: texts, rules that can be looked up, lists of lines.

import { html } from './vendor/lit.js';

/** The number of a rule, to be asked for. */
export const rule = (number) => html`<button type="button" class="rule" data-rule=${number}>${number}</button>`;

/** The markup of a told thing. */
export const told = (parts) =>
  parts.map((part) => {
    if (typeof part === 'string') return part;
    if (part.rule) return html` ${rule(part.rule)}`;
    return html`<ul class="lines">${part.lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  });

/** Tells an element around it which rule somebody wants to read. */
export function askForRule(event) {
  const number = event.target.closest?.('[data-rule]')?.dataset.rule;
  if (!number) return false;
  event.target.dispatchEvent(new CustomEvent('rule', { detail: number, bubbles: true, composed: true }));
  return true;
}
