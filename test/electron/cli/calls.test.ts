import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { OperationsData } from '../../../shared/answers/schemas.ts';
import { cliOutput, runCli } from '../../support/run-cli.ts';

const file = 'test/golden/tptp/demo-full-le.trcbin';

interface ExpectedCall {
  readonly method: string;
  readonly calls: number;
  readonly children: readonly ExpectedCall[];
}

const expected = JSON.parse(readFileSync('test/golden/tptp/demo.expected.json', 'utf8')) as {
  readonly threads: readonly { readonly roots: readonly ExpectedCall[] }[];
  readonly methods: readonly { readonly method: string; readonly totalNs: number }[];
  readonly invocations: number;
};

/** Calls of a method that are not inside another one of it. */
function outermost(calls: readonly ExpectedCall[], method: string): number {
  return calls.reduce(
    (sum, call) => sum + (call.method === method ? call.calls : outermost(call.children, method)),
    0,
  );
}

const wholeOf = async (...scope: readonly string[]): Promise<{ samples: number; seconds: number }> =>
  (
    JSON.parse(await cliOutput('top', file, '--json', ...scope)) as {
      whole: { samples: number; seconds: number };
    }
  ).whole;

test('calls of a trace are requests, whose times are those that the trace was made with', async () => {
  const { rows, whole, keys } = JSON.parse(
    await cliOutput('operations', file, '--json', '--limit', '100'),
  ) as OperationsData;
  expect([whole, keys]).toEqual([expected.invocations, ['operation']]);
  expect(rows.map(({ name }) => name).sort()).toEqual(expected.methods.map(({ method }) => method).sort());
  const roots = expected.threads.flatMap((thread) => thread.roots);
  for (const { method, totalNs } of expected.methods) {
    const row = rows.find(({ name }) => name === method)!;
    expect([method, row.count]).toEqual([method, outermost(roots, method)]);
    expect(Math.abs(row.total * 1e9 - totalNs)).toBeLessThan(100);
  }
  const price = rows.find(({ name }) => name === 'demo.shop.Cart.price')!;
  const inPrice = await wholeOf('--context', 'operation=demo.shop.Cart.price');
  expect(inPrice.samples).toBe(price.samples);
  const slow = await wholeOf(
    '--context',
    'operation=demo.shop.Cart.price',
    '--took',
    `${Math.round(price.longest * 1e9)}ns..`,
  );
  expect(slow.samples).toBeLessThan(inPrice.samples);
  const every = await cliOutput(
    'operations',
    file,
    '--every',
    '1ms',
    '--context',
    'operation=demo.shop.Cart.price',
    '--json',
  );
  const parts = (JSON.parse(every) as OperationsData).rows;
  expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(price.count);
  const sides = ['--slower', '80%', '--context-base', 'operation=demo.shop.Cart.price'];
  const report = await cliOutput(
    'compare',
    file,
    file,
    '--context',
    'operation=demo.shop.Cart.price',
    ...sides,
  );
  expect(report).toContain('demo-full-le.trcbin (context operation=demo.shop.Cart.price, slower 80%)');
});

test('what has no calls, or cannot be divided by them, says so', async () => {
  const problemOf = async (...argv: readonly string[]): Promise<string> => (await runCli(argv)).stderr;
  expect(await problemOf('top', file, '--context', 'operation=demo.shop.Cart.prise')).toMatch(
    /no request has the operation demo\.shop\.Cart\.prise; did you mean 'demo\.shop\.Cart\.price'/,
  );
  for (const command of ['spread', 'tree'])
    expect(await problemOf(command, file, '--threads', 'context:operation')).toMatch(
      /--threads context:operation cannot be used with .*: its requests are its calls/,
    );
  expect(await problemOf('operations', 'test/golden/tptp/demo-aggregated-le.trcbin')).toMatch(
    /cannot be used/,
  );
  expect(await problemOf('operations', file, '--choose', 'value=cpu')).toMatch(
    /cannot be used with CPU times of .*, which do not say when a call began; --choose value=wall/,
  );
});
