// The board alone, live, for a frame in another page: it has no token, so there is nothing to press.

import './board.js';
import { Muninn } from './client/index.js';
import { statusOf } from './status.js';
import { Table } from './table.js';
import { language, page } from './words.js';

document.documentElement.lang = language;

const id = decodeURIComponent(location.pathname.split('/')[2]);
const board = document.createElement('muninn-picture');
const [main, heading, footer, said, link] = ['main', 'h1', 'footer', 'p', 'a'].map((name) => document.createElement(name));
said.setAttribute('role', 'status');
Object.assign(link, { href: `/watch/${encodeURIComponent(id)}`, target: '_blank', rel: 'noopener', textContent: page.watch });
heading.textContent = document.title;
main.append(heading, board);
footer.append(said, link);
document.body.append(main, footer);

/** A screen reader reads out what is written, even if it is the same. */
const write = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

const narrow = matchMedia('(max-width: 30rem) and (orientation: portrait)');
const table = new Table(new Muninn(location.origin, { language }), id, {
  changed: () => {
    const { info, svg, words, names, trouble } = table;
    if (trouble) write(said, trouble.text);
    if (!info || !words) return;
    const title = `${words.title}: ${info.seats.map((seat) => names.seat(seat.seat)).join(' – ')}`;
    if (!trouble) write(said, table.state ?? `${title} · ${statusOf(table)}`);
    write(heading, title);
    write(document.head.querySelector('title'), `${title} – Muninn`);
    Object.assign(board, { svg, bare: true, fit: table.tall ? 'width' : undefined });
  },
});
table.tall = narrow.matches;
table.open();
