import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { inCheckout } from './support/built-program.ts';

const CHECKS: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['types', 'typescript/bin/tsc', '-b'],
  ['lint', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'oxfmt/bin/oxfmt', '--check'],
];

test.each(CHECKS)('%s', async (_name, program, ...args) => {
  const child = spawn(process.execPath, [inCheckout(`node_modules/${program}`), ...args], {
    cwd: inCheckout(''),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const status = await new Promise((done) => child.once('close', done));
  expect(status, output).toBe(0);
});
