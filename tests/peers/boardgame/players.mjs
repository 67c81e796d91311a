// Random players at the tables of a boardgame.io server, each with a connection of their own, over its own protocol on socket.io.
// node players.mjs ADDRESS PID TABLES WARM SECONDS prints a line of JSON: what was played in these seconds, after so many to warm up.
//
// Not the client of boardgame.io, which also carries out every move by itself: that costs the client's time, not the server's, and
// makes it easy to count moves that no server has seen. Here a move counts when the server's state has it.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { io } = createRequire(import.meta.url)('socket.io-client');

const [address, pid, tables, warm, seconds] = [process.argv[2], ...process.argv.slice(3).map(Number)];

let moves = 0;
let matches = 0;
const finals = [];
let stopping = false;
const tablesOpen = [];

async function post(path, body, headers = {}) {
  const answer = await fetch(address + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** User and system time of the server, in seconds. */
function cpu() {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

class Table {
  constructor() {
    this.sockets = ['0', '1'].map((seat) => {
      const socket = io(`${address}/rosenkoenig`, { transports: ['websocket'], forceNew: true, reconnection: false });
      socket.on('sync', (match, { state }) => this.see(match, seat, state));
      socket.on('update', (match, state) => this.see(match, seat, state));
      socket.on('disconnect', (why) => stopping || fail(`a player was disconnected: ${why}`));
      return socket;
    });
  }

  async open() {
    const { matchID } = await post('/games/rosenkoenig/create', { numPlayers: 2 });
    const joined = await Promise.all(['0', '1'].map((playerID) => post(`/games/rosenkoenig/${matchID}/join`, { playerID, playerName: `player ${playerID}` })));
    Object.assign(this, { match: matchID, credentials: joined.map((one) => one.playerCredentials), seen: -1, acted: -1, commands: 0 });
    this.sockets.forEach((socket, seat) => socket.emit('sync', matchID, String(seat), this.credentials[seat], 2));
  }

  see(match, seat, { G, ctx, _stateID: version }) {
    if (match !== this.match) return;
    this.at = Date.now();
    if (version > this.seen) {
      if (this.seen >= 0) {
        // Each state has one move more.
        if (version !== this.seen + 1) fail(`state ${version} comes after ${this.seen}`);
        moves += 1;
        this.commands += 1;
      }
      this.seen = version;
      if (ctx.gameover !== undefined) return this.over(G, ctx.gameover);
    }
    if (stopping || ctx.gameover !== undefined || ctx.currentPlayer !== seat || version <= this.acted) return;
    this.acted = version;
    const { type, card, hero } = G.legal[Math.floor(Math.random() * G.legal.length)];
    const args = type === 'DrawCard' ? [] : [card, hero];
    const action = { type: 'MAKE_MOVE', payload: { type, args, playerID: seat, credentials: this.credentials[seat] } };
    this.sockets[seat].emit('update', action, version, match, seat);
  }

  over(G, { reason, points }) {
    matches += 1;
    finals.push({ board: G.board.match(/.{9}/g), points, reason, commands: this.commands });
    this.match = null;
    if (!stopping) this.open().catch(fail);
  }
}

function fail(why) {
  console.error(why);
  process.exit(1);
}

const sleep = (time) => new Promise((resolve) => setTimeout(resolve, 1000 * time));

for (let number = 0; number < tables; number += 1) tablesOpen.push(new Table());
await Promise.all(tablesOpen.map((table) => table.open()));
await sleep(warm);
const [begun, before] = [Date.now(), { moves, matches, cpu: cpu(), time: performance.now() }];
await sleep(seconds);
const [played, ended, used, time] = [moves - before.moves, matches - before.matches, cpu() - before.cpu, (performance.now() - before.time) / 1000];
const stuck = tablesOpen.filter((table) => table.at < begun);
if (stuck.length > 0) fail(`${stuck.length} tables stand still`);
stopping = true;
console.log(JSON.stringify({ moves: played, matches: ended, cpu: used, seconds: time, finals: finals.slice(0, 100) }));
tablesOpen.forEach((table) => table.sockets.forEach((socket) => socket.close()));
process.exit(0);
