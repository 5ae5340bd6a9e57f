import { expect, test } from 'vitest';
import { runCli } from '../../../support/run-cli.ts';

/** Two threads and their stacks, root first, with samples. */
const STACKS = `[main tid=1];App.main;App.load;java.util.List.add;java.util.Arrays.copy 3
[main tid=1];App.main;App.load;App.main;App.draw 4
[main tid=1];App.main;Lib.go;App.draw 5
[gc tid=2];Gc.run 6
`;

async function exported(...options: string[]): Promise<string> {
  const run = await runCli(['export', '-', '--format', 'collapsed', ...options], {
    stdin: Buffer.from(STACKS),
  });
  expect([run.status, run.stderr]).toEqual([0, '']);
  return run.stdout;
}

test.each([
  [['--thread', 'gc'], 'Gc.run 6\n'],
  [['--thread', '/^(gc|nobody)$/'], 'Gc.run 6\n'],
  [
    ['--keep', 'App.draw'],
    `App.main;App.load;App.main;App.draw 4
App.main;Lib.go;App.draw 5
`,
  ],
  [['--keep', 'App.draw', '--drop', 'Lib.go'], 'App.main;App.load;App.main;App.draw 4\n'],
  [
    ['--focus', 'App.load'],
    `App.load;App.main;App.draw 4
App.load;java.util.List.add;java.util.Arrays.copy 3
`,
  ],
  [
    ['--merge', 'App.main', '--merge', 'Gc.run', '--threads', 'name'],
    `[gc tid=2] 6
[main tid=1];App.load;App.draw 4
[main tid=1];App.load;java.util.List.add;java.util.Arrays.copy 3
[main tid=1];Lib.go;App.draw 5
`,
  ],
  [
    ['--only', 'App.d', '--only', 'java.util.L', '--thread', 'main'],
    `App.draw 9
java.util.List.add 3
`,
  ],
  [
    ['--collapse', 'java.util.', '--collapse', 'App.', '--thread', 'main'],
    `App.* 4
App.*;Lib.go;App.* 5
App.*;java.util.* 3
`,
  ],
  [
    [
      '--collapse-recursion',
      'direct',
      '--keep',
      'App.load',
      '--merge',
      'App.load',
      '--collapse-recursion',
      'direct',
    ],
    `App.main;App.draw 4
App.main;java.util.List.add;java.util.Arrays.copy 3
`,
  ],
  [
    ['--collapse-recursion', 'all', '--thread', 'main'],
    `App.main;App.draw 4
App.main;App.load;java.util.List.add;java.util.Arrays.copy 3
App.main;Lib.go;App.draw 5
`,
  ],
])('%j', async (options, expected) => {
  expect(await exported(...options)).toBe(expected);
});

test('a class ends where its name does, and has the classes nested in it', async () => {
  const stacks = `a.Order.add;a.Order$Item.price;a.OrderService.run 1
a.Order.add;a.Orders.all;a.Order$1.run;a.Order.add 2
`;
  const collapsed = async (...options: string[]): Promise<string> => {
    const args = ['export', '-', '--format', 'collapsed', ...options];
    return (await runCli(args, { stdin: Buffer.from(stacks) })).stdout;
  };
  expect(await collapsed('--collapse-class', 'a.Order')).toBe(`a.Order.*;a.OrderService.run 1
a.Order.*;a.Orders.all;a.Order.* 2
`);
  // A prefix is one of keys, whatever comes after it.
  expect(await collapsed('--collapse', 'a.Order')).toBe('a.Order* 3\n');
  // A class is no key: ids in front of keys do not matter.
  const byId = await collapsed('--collapse-class', 'a.Order', '--frames', 'method-id');
  expect(byId.replace(/\(-?\d+\) /g, '')).toBe(await collapsed('--collapse-class', 'a.Order'));
});

test('names that are made up at run time become stable ones, of each kind that is named', async () => {
  const stacks = `a.App$$Lambda/0x7f12.run;com.sun.proxy.$Proxy17.get;jdk.internal.reflect.GeneratedMethodAccessor9.invoke 1
a.App$$Lambda/0x7f99.run;com.sun.proxy.$Proxy3.get;a.Dao$$SpringCGLIB$$0.find 2
`;
  const folded = async (names: string): Promise<string> => {
    const args = ['export', '-', '--format', 'collapsed', '--fold', names];
    return (await runCli(args, { stdin: Buffer.from(stacks) })).stdout;
  };
  expect(await folded('lambda,proxy,reflection,generated'))
    .toBe(`a.App$$Lambda.run;com.sun.proxy.$Proxy.get;a.Dao$$SpringCGLIB.find 2
a.App$$Lambda.run;com.sun.proxy.$Proxy.get;jdk.internal.reflect.GeneratedMethodAccessor.invoke 1
`);
  expect(await folded('proxy'))
    .toBe(`a.App$$Lambda/0x7f12.run;com.sun.proxy.$Proxy.get;jdk.internal.reflect.GeneratedMethodAccessor9.invoke 1
a.App$$Lambda/0x7f99.run;com.sun.proxy.$Proxy.get;a.Dao$$SpringCGLIB$$0.find 2
`);
});

test('the order of transforms counts: their keys are those after the transforms before them', async () => {
  expect(await exported('--collapse', 'App.', '--keep', 'App.*')).toContain('Lib.go');
  const { stdout, stderr } = await runCli(
    ['export', '-', '--format', 'collapsed', '--keep', 'App.*', '--collapse', 'App.'],
    { stdin: Buffer.from(STACKS) },
  );
  expect(stdout).toBe('');
  expect(stderr).toContain('standard input: no sample has the frame App.* on its stack (--keep)');
});

test('every format writes the scope, also those of the complete profile', async () => {
  const lean = await exported('--focus', 'Lib.go', '--format', 'lean');
  expect(lean.split('\n').map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual([
    'T 1',
    'N 1',
    'N 2',
    '',
  ]);
  const callers = await exported('--keep', 'Lib.go', '--format', 'callers', '--method', 'App.draw');
  expect(callers.split('\n')[0]).toBe('0\tApp.draw\t5\t5\t0\t0');
});

test('summary says how many samples are outside', async () => {
  const run = await runCli(['summary', '-', '--json', '--drop', 'Lib.go'], { stdin: Buffer.from(STACKS) });
  expect((JSON.parse(run.stdout) as { scope: unknown }).scope).toEqual({ samples: 13, outside: 5 });
  const all = await runCli(['summary', '-', '--json'], { stdin: Buffer.from(STACKS) });
  expect((JSON.parse(all.stdout) as { scope: unknown }).scope).toBe(null);
  const text = await runCli(['summary', '-', '--drop', 'Lib.go'], { stdin: Buffer.from(STACKS) });
  expect(text.stdout).toContain('scope    13 samples, 5 outside\n');
});

test.each([
  [['--thread', '/(/'], "--thread cannot be '/(/': Invalid regular expression"],
  [
    ['--fold', 'lambda,foo'],
    "--fold cannot be 'lambda,foo': it is all, none, or some of lambda, proxy, reflection, generated",
  ],
  [['--collapse-recursion', 'some'], "--collapse-recursion cannot be 'some'"],
])('%j is refused', async (options, problem) => {
  const run = await runCli(['export', '-', '--format', 'flat', ...options], { stdin: Buffer.from(STACKS) });
  expect(run.status).toBe(2);
  expect(run.stderr).toContain(problem);
});
