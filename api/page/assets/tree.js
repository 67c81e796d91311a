// A view as nested lists: what is shown where the server has no picture of the game.

import { html } from './vendor/lit.js';
import { line, plain } from './words.js';

const isPlain = (value) => value === null || typeof value !== 'object' || line(value).length <= 70;

/** The markup of any JSON object. */
export const tree = (value, depth = 0) => html`<ul class="tree">${Object.entries(value).map(([name, part]) =>
  isPlain(part)
    ? html`<li><span class="faint">${plain(name)}</span> ${line(part)}</li>`
    : html`<li><details ?open=${depth < 1}><summary>${plain(name)}</summary>${tree(part, depth + 1)}</details></li>`)}</ul>`;
