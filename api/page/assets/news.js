// What the others have just done, in words: for those who hear the page, and for those who looked away.

const text = (parts) => parts.filter((part) => typeof part === 'string').join('').trim();

/** A commit in sentences. */
export const told = (commit, words, names) => commit.events.map((event) => text(words.event(event, names))).filter(Boolean).join(' ');

/** What has happened since the seat `me` acted, or for somebody without a seat the latest commit. */
export function news(commits, me, words, names) {
  const own = commits.findLastIndex((commit) => commit.seat === me && me !== null);
  const others = commits.slice(me === null ? -1 : own + 1).slice(-4).filter((commit) => commit.seat !== null);
  return others.map((commit) => told(commit, words, names)).join(' ');
}
