// The conformance kit: a client that follows the contract passes, and each planted mistake is noticed, by both runners.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OWN = ['node', new URL('kit.mjs', import.meta.url).pathname];

/** By mistake of the client: the case that notices it, what it says, and a case that runs before it where that is needed. */
const MISTAKES = {
  'new-key': ['command-lost', 'expected the Idempotency-Key of the first attempt'],
  'no-resume': ['stream', 'it came once more'],
  'patch-twice': ['patch', 'result.view.board: expected'],
  'first-page': ['pages-commits', 'it came 0 times'],
  impatient: ['rate-limited', 'expected a wait of 3 s'],
  'unknown-event': ['stream', 'after version 218: expected 1 times, it came 0 times'],
  token: ['view-spectator', 'expected no token'],
  'no-hash': ['chain-forged', 'result.verified: expected false, got true'],
  conflict: ['command-behind', '"code":"version_conflict"'],
  escapes: ['patch-kinds', 'result.documents[4]'],
  order: ['chain', 'result.verified: expected true, got false'],
  gone: ['patch-gone', 'result.view: expected'],
  twice: ['view-seat', 'expected one parameter at, got 2'],
  coded: ['command-refused', 'expected no Content-Encoding, got "gzip"'],
  'one-key': ['open-unavailable', 'expected an Idempotency-Key of its own, got "the-key-of-all-requests", which open-lost had', 'open-lost'],
  'no-clicks': ['choose-copenhagen', 'body.command'],
  prefix: ['choose-alike', 'result.left[1]: expected 1, got 2'],
  'short-page': ['pages-short', 'it came 0 times'],
  'last-event': ['pages-feed-type', 'result.position: expected'],
};

// Where test.sh writes it.
const kit = new URL('../kit', import.meta.url).pathname;
const runners = { node: `${kit}/runner.mjs`, python3: `${kit}/runner.py` };

/** What a runner says of a client. */
async function judged(runner, client, { mistake = '', cases = [], jobs = '4' } = {}) {
  const options = [...cases.flatMap((name) => ['--case', name]), '--jobs', jobs];
  const settings = { env: { ...process.env, MISTAKE: mistake } };
  const { code = 0, stdout } = await run(runner, [runners[runner], ...options, '--', ...client], settings).catch((error) => error);
  return { code, stdout };
}

for (const [runner, client] of [['node', OWN], ['python3', ['python3', `${kit}/client.py`]]]) {
  test(`a client that follows the contract passes, says ${runner}`, async () => {
    const { code, stdout } = await judged(runner, client);
    assert.equal(code, 0, stdout);
    const [, passed, all] = /^(\d+) of (\d+) cases$/m.exec(stdout);
    assert.ok(passed === all && Number(all) >= 33, stdout);
  });

  test(`a number of jobs that is none is wrong usage, says ${runner}`, async () => {
    for (const jobs of ['0.5', '0', '-1', '', 'many']) assert.equal((await judged(runner, client, { jobs })).code, 2, jobs);
  });

  test(`a body may come in pieces, says ${runner}`, async () => {
    const { code, stdout } = await judged(runner, OWN, { mistake: 'pieces', cases: ['join', 'command-refused', 'open-lost'] });
    assert.equal(code, 0, stdout);
  });

  for (const [mistake, [name, told, ...before]] of Object.entries(MISTAKES)) {
    test(`the mistake ${mistake} is noticed, says ${runner}`, async () => {
      const { code, stdout } = await judged(runner, OWN, { mistake, cases: [...before, name], jobs: '1' });
      assert.equal(code, 1, stdout);
      assert.ok(stdout.includes(`FAIL ${name}: `) && stdout.includes(told), stdout);
    });
  }
}

/** What the client to copy from holds, after a server that gives these answers. */
async function held(answers) {
  const server = createServer((_, response) => {
    const [status, headers, body] = answers.shift() ?? [200, { 'content-type': 'application/json' }, '{"at":1}'];
    response.writeHead(status, headers).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = run('python3', [`${kit}/client.py`], { timeout: 20_000 });
  client.child.stdin.end(`${JSON.stringify({ case: 'view', server: `http://127.0.0.1:${server.address().port}`, task: { do: 'view', match: 'x' } })}\n`);
  try {
    return JSON.parse((await client).stdout);
  } finally {
    server.close().closeAllConnections();
  }
}

test('the client to copy from asks again after a page of a proxy, and gives up where it should wait for an hour', async () => {
  const page = [{ 'content-type': 'text/html' }, '<html>Bad Gateway</html>'];
  assert.deepEqual(await held([[502, ...page], [408, {}, ''], [429, ...page]]), { view: { at: 1 } });
  const damaged = [503, { 'content-type': 'application/problem+json', 'retry-after': '3600' }, '{"status":503,"code":"damaged","detail":""}'];
  assert.deepEqual(await held([damaged]), { problem: { status: 503, code: 'damaged' } });
});
