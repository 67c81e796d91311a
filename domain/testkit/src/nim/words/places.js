// Nim: a heap.

export const order = { Take: ['heap', 'count'] };

export const spots = (command) => [`heap:${command.heap}`];
