// What all elements look like: one sheet, shared by their shadow roots.

import { css } from './vendor/lit.js';

export const shared = css`
  :host { display: block; color: var(--muninn-ink, CanvasText); font-family: var(--muninn-plain, system-ui); }
  :host([hidden]), [hidden] { display: none !important; }
  * { box-sizing: border-box; }
  h1, h2, h3 { font-family: var(--muninn-text, serif); font-weight: 600; line-height: 1.2; margin: 0; }
  a { color: var(--muninn-accent, LinkText); }
  button, select, input, textarea {
    font: inherit; color: inherit; background: var(--muninn-card, Canvas); border: 1px solid var(--muninn-line, GrayText);
    border-radius: 0.4rem; padding: 0.35rem 0.7rem; min-height: 2.25rem;
  }
  button { cursor: pointer; }
  button:hover:not(:disabled, [aria-disabled="true"]) { border-color: var(--muninn-accent, Highlight); }
  button:is(:disabled, [aria-disabled="true"]) { opacity: 0.45; cursor: default; }
  button.main { background: var(--muninn-accent, Highlight); color: var(--muninn-accent-ink, HighlightText); border-color: transparent; }
  input[type="checkbox"] { min-height: 0; accent-color: var(--muninn-accent, Highlight); }
  :focus-visible { outline: 3px solid var(--muninn-accent, Highlight); outline-offset: 2px; }
  .faint { color: var(--muninn-faint, GrayText); }
  .bad { color: var(--muninn-bad, #a00); }
  .card { background: var(--muninn-card, Canvas); border: 1px solid var(--muninn-line, GrayText); border-radius: 0.6rem; }
  button.rule {
    font-size: 0.78em; min-height: 0; padding: 0 0.35em; border-radius: 0.9em; vertical-align: 0.08em; white-space: nowrap;
    color: var(--muninn-accent, LinkText);
  }
  @media (pointer: coarse) { button.rule { padding: 0.15rem 0.6em; } }
`;
