// What the tests stand on: the real program, and a connection between it and a client that can be cut.

import { connect, createServer } from 'node:net';

/** A way to a server that can be cut and opened again. */
export class Way {
  #sockets = new Set();
  #open = true;
  carried = 0;

  /** @param {string} address */
  async start(address) {
    const { port } = new URL(address);
    this.server = createServer((near) => {
      if (!this.#open) return near.destroy();
      const far = connect(Number(port), '127.0.0.1');
      for (const [one, other] of [[near, far], [far, near]]) {
        this.#sockets.add(one);
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => { this.#sockets.delete(one); other.destroy(); });
      }
      this.carried += 1;
    });
    await new Promise((resolve) => { this.server.listen(0, '127.0.0.1', () => resolve(undefined)); });
    this.address = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  /** Cuts all connections; with `open` new ones may be made. */
  cut({ open }) {
    this.#open = open;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close() {
    this.cut({ open: false });
    await new Promise((resolve) => { this.server.close(resolve); });
  }
}

/** A match of Delphi played at random goes on for thousands of turns; this one begins where all tasks are done. */
export async function homewards(muninn, seats) {
  for (;;) {
    const body = { seats, options: { map: 'random' } };
    const { position } = await muninn.post('/v1/games/{game}/positions', { game: 'delphi' }, body);
    const players = position.players.map((player) => ({ ...player, tasks: { shrine: 0, statue: [], offering: [], monster: [] } }));
    if (!position.pending.length) return { ...position, players };
  }
}
