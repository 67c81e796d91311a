// boardgame.io with Rosenkönig on it, in memory, on a free port of this machine: node server.mjs

import { createRequire } from 'node:module';
import { CARDS, decide, start } from './rules.mjs';

// Its packages have no modules of their own for Node.
const require = createRequire(import.meta.url);
const { Server } = require('boardgame.io/server');
const { INVALID_MOVE, PlayerView } = require('boardgame.io/core');
const { original } = require('immer');

// The rules make a new state of the old one, so they get it as it is, without the proxies that would watch changes.
const move = (type) => ({ G, random }, card, hero) =>
  decide(original(G), type === 'DrawCard' ? { type } : { type, card, hero }, (cards) => random.Shuffle(cards)) ?? INVALID_MOVE;

const rosenkoenig = {
  name: 'rosenkoenig',
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true,
  setup: ({ random }) => start(random.Shuffle(CARDS), random.Die(2) - 1),
  // Whoever acts gets the list of legal commands, as everybody does: hands are open. The draw pile is a secret.
  playerView: PlayerView.STRIP_SECRETS,
  moves: { PlayCard: { move: move('PlayCard'), client: false }, DrawCard: { move: move('DrawCard'), client: false } },
  // At the end nobody is to act, but boardgame.io wants a name until it has seen that it is over.
  turn: { minMoves: 1, maxMoves: 1, order: { first: ({ G }) => G.seat, next: ({ G }) => G.seat ?? 0 } },
  endIf: ({ G }) => G.over ?? undefined,
};

const server = Server({ games: [rosenkoenig], origins: ['http://127.0.0.1'] });
const { appServer } = await server.run({ port: { host: '127.0.0.1', port: 0 } });
console.log(`listening on http://127.0.0.1:${appServer.address().port}`);
