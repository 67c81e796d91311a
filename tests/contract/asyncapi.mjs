// Is the AsyncAPI document one? node asyncapi.mjs FILE, with @asyncapi/parser installed.
import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';

const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[2], 'utf8'));
for (const { severity, path, message } of diagnostics) {
  console.log(severity === 0 ? 'error' : 'warning', path.join('.'), message);
}
if (!document || diagnostics.some(({ severity }) => severity === 0)) process.exit(1);
console.log(document.operations().all().map((operation) => `${operation.id()}: ${operation.channels()[0].address()}`).join('\n'));
