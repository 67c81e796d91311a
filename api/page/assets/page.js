// Which page is this? / is the front door, /developers that of people who build something, /watch the lobby, /watch/{id} and /play/{id}#token a match.

import './developers.js';
import './front.js';
import './lobby.js';
import './match.js';
import { language, page } from './words.js';

document.documentElement.lang = language;

const [, place, id] = location.pathname.split('/');
const query = new URLSearchParams(location.search);
const base = document.title;

/** The address tells what is looked at, so that it can be passed on; the fragment, which may hold a token, stays. */
function write(wishes) {
  const known = Object.entries(wishes).filter(([, value]) => value !== undefined && value !== '');
  const search = known.length ? `?${new URLSearchParams(known)}` : '';
  if (search !== location.search) history.replaceState(null, '', location.pathname + search + location.hash);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function match() {
  const element = document.createElement('muninn-match');
  element.match = decoded(id);
  if (query.has('at')) element.at = Number(query.get('at'));
  if (query.has('viewer')) element.viewer = query.get('viewer');
  if (place === 'play') element.token = location.hash.slice(1) || undefined;
  element.addEventListener('moment', ({ detail: { title, ...moment } }) => {
    document.title = `${title} – ${base}`;
    write(moment);
  });
  // Another token is another seat.
  window.addEventListener('hashchange', () => place === 'play' && location.reload());
  return element;
}

function lobby() {
  const element = document.createElement('muninn-lobby');
  for (const name of ['status', 'game', 'player']) element[name] = query.get(name) ?? '';
  element.addEventListener('filtered', (event) => write(event.detail));
  document.title = `${page.matches} – ${base}`;
  return element;
}

function developers() {
  document.title = `${page.developers.title} – ${base}`;
  return document.createElement('muninn-developers');
}

function shown() {
  if (place === 'developers') return developers();
  if (id) return match();
  return place ? lobby() : document.createElement('muninn-front');
}

const main = document.createElement('main');
const nav = document.createElement('nav');
for (const [address, text] of [['/', 'Muninn'], ['/watch', page.matches], ['/docs/', 'API']]) {
  const link = Object.assign(document.createElement('a'), { href: address, textContent: text });
  nav.append(link);
}
main.append(shown());
document.body.append(nav, main);
