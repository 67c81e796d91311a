// Nim in English.

export default {
  title: 'Nim',
  events: {
    MatchStarted: (e) => `The heaps have ${e.heaps.join(', ')} stones.`,
    StonesTaken: (e, n) => `${n.seat(e.seat)} takes ${e.count} from heap ${e.heap}.`,
    TurnStarted: (e, n) => `${n.seat(e.seat)} is to act.`,
    MatchFinished: (e, n) => `${n.seat(e.winner)} took the last stone.`,
  },
  commands: {
    Take: (c) => `Take ${c.count} from heap ${c.heap}`,
  },
};
