import { expect, test } from 'vitest';
import { foldedStacks, sortedStacks } from '../../../support/folded-stacks.ts';
import { hprofFile, hprofRecords } from '../../../support/hprof-bytes.ts';
import { runCli } from '../../../support/run-cli.ts';
import { readInput, type ReadInput } from '../../../support/read-input.ts';

const { string, loadClass, frame, trace, startThread, endThread, cpuSamples, settings, record } =
  hprofRecords(4);
/** Frames 1 Shop.main:3, 2 Shop.sell:7, 3 Shop.pay in native code for the agent, 4 the same for Android. */
const SHOP = [
  ...['main', 'Shop', 'sell', 'pay', 'Shop.java'].map((text, at) => string(at + 1, text)),
  loadClass(1, 2),
  frame(1, 1, 5, 1, 3),
  frame(2, 3, 5, 1, 7),
  frame(3, 4, 5, 1, -3),
  frame(4, 4, 5, 1, -2),
  startThread(7, 1, 0, 0),
];
const TRACES = [trace(301, 7, 2, 1), trace(302, 7, 3, 2, 1), trace(303, 7, 4, 2, 1)];

const stacks = ({ profile }: ReadInput, time = false): string[] =>
  sortedStacks(foldedStacks(profile, { thread: (name) => name, time }));
const notes = ({ decoder }: ReadInput): string => decoder.facts().notes.join('\n');
const text = (lines: string, chosen = {}): ReadInput => readInput(Buffer.from(lines), chosen);

test('the last table counts: later ones repeat the earlier ones', () => {
  const read = readInput(
    hprofFile({}, ...SHOP, ...TRACES, cpuSamples(3, [3, 301]), cpuSamples(5, [4, 301], [1, 302])),
  );
  expect(stacks(read)).toEqual(['main;Shop.main;Shop.sell 4', 'main;Shop.main;Shop.sell;Shop.pay 1']);
  expect(notes(read)).toContain('2 tables of samples');
  const cumulative = text(`TRACE 1: (thread=7)
\tShop.main(Shop.java:3)
CPU SAMPLES BEGIN (total = 1) now
   1 100.00% 100.00%  1 1 Shop.main
CPU SAMPLES END
TRACE 2: (thread=7)
\tShop.sell(Shop.java:7)
\tShop.main(Shop.java:3)
CPU SAMPLES BEGIN (total = 7) later
rank   self  accum   count trace method
   1 57,14% 57,14%  4 1 Shop.main
   2 42,86% 100,00%  3 2 Shop.sell
CPU SAMPLES END
`);
  expect(stacks(cumulative)).toEqual(['thread 7;Shop.main 4', 'thread 7;Shop.main;Shop.sell 3']);
});

test('a table that the end of the file cuts counts when there is no whole one', () => {
  const whole = hprofFile({}, ...SHOP, ...TRACES, cpuSamples(5, [4, 301], [1, 302]));
  const cut = readInput(whole.subarray(0, -3));
  expect(stacks(cut)).toEqual(['(not listed);(not listed) 1', 'main;Shop.main;Shop.sell 4']);
  expect(cut.decoder.damage).toMatchObject({
    what: 'table of CPU samples',
    found: 'the end of the file after 30 bytes',
    expected: '33 bytes',
  });
  const { accepted, skipped, pending } = cut.decoder.bytes;
  expect([accepted, skipped, pending]).toEqual([whole.length - 33, 30, 0]);
  const first = readInput(
    hprofFile({}, ...SHOP, ...TRACES, cpuSamples(3, [3, 301]), cpuSamples(5, [5, 302])).subarray(0, -3),
  );
  expect(stacks(first)).toEqual(['main;Shop.main;Shop.sell 3']);
  const ended = text(`TRACE 1: (thread=7)
\tShop.main(Shop.java:3)
CPU SAMPLES BEGIN (total = 9) now
   1 100.00% 100.00%  4 1 Shop.main
`);
  expect(stacks(ended)).toEqual(['(not listed);(not listed) 5', 'thread 7;Shop.main 4']);
  expect(ended.decoder.damage).toMatchObject({
    what: 'table of CPU samples',
    expected: 'a line CPU SAMPLES END',
  });
  expect(text('TRACE 1: (thread=7)\n\tShop.main(Shop.java:3)\n').decoder.damage).toMatchObject({
    what: 'stack traces',
    expected: 'a table of CPU samples',
  });
});

test('what a table does not list, and what the file does not have', () => {
  const read = readInput(hprofFile({}, ...SHOP, ...TRACES, cpuSamples(10, [4, 301], [2, 999], [0, 302])));
  expect(stacks(read)).toEqual(['(not listed);(not listed) 6', 'main;Shop.main;Shop.sell 4']);
  expect(notes(read)).toContain('6 samples without a stack. The table does not list them');
  expect(notes(read)).toContain('1 row not counted. The table names traces that are not in the file.');
  const odd = readInput(
    hprofFile(
      {},
      ...SHOP,
      trace(301, 8, 1),
      trace(301, 8, 2),
      trace(302, 8),
      trace(303, 8, 99),
      cpuSamples(6, [1, 301], [2, 302], [3, 303]),
    ),
  );
  expect(stacks(odd)).toEqual([
    'thread 8;(frame not in the file) 3',
    'thread 8;<empty> 2',
    'thread 8;Shop.main 1',
  ]);
  expect(notes(odd)).toContain('1 trace not counted. An earlier trace has the same number.');
});

test('samples are counts until the period is given', () => {
  const input = hprofFile({}, ...SHOP, ...TRACES, cpuSamples(4, [4, 301]));
  const counts = readInput(input);
  expect([counts.decoder.facts().units.value, stacks(counts, true)]).toEqual([
    undefined,
    ['main;Shop.main;Shop.sell 0'],
  ]);
  expect(notes(counts)).toContain('samples have no time until it is given');
  const times = readInput(input, { period: '2.5' });
  expect(stacks(times, true)).toEqual(['main;Shop.main;Shop.sell 10000000']);
  expect(stacks(times)).toEqual(['main;Shop.main;Shop.sell 4']);
  expect(times.decoder.facts().units.value?.unit).toBe('ns');
  expect(notes(times)).not.toContain('counts until');
});

test('who wrote a binary file decides which line is native code', () => {
  const bciOf = ({ profile }: ReadInput): Record<string, number> => {
    const { frames, methods } = profile;
    return Object.fromEntries(
      Array.from({ length: frames.length }, (_, row) => [
        `${methods.names[frames.method[row]]?.methodName}:${frames.line[row]}`,
        frames.bci[row],
      ]),
    );
  };
  const rows = cpuSamples(1, [1, 302]);
  const android = readInput(hprofFile({}, settings(2, 9), ...SHOP, TRACES[2], cpuSamples(1, [1, 303])));
  expect(bciOf(android)).toEqual({ 'main:3': -1, 'sell:7': -1, 'pay:-100': -3 });
  expect(notes(android)).toContain('wall-clock');
  const agent = readInput(
    hprofFile({ magic: 'JAVA PROFILE 1.0.1' }, settings(2, 9), ...SHOP, TRACES[1], rows),
  );
  expect(bciOf(agent)).toEqual({ 'main:3': -1, 'sell:7': -1, 'pay:-100': -3 });
  expect(notes(agent)).toContain('Only runnable threads were sampled');
});

test('cpu=times in a binary file: milliseconds', () => {
  const read = readInput(
    hprofFile({ magic: 'JAVA PROFILE 1.0.1' }, settings(0, 9), ...SHOP, ...TRACES, cpuSamples(40, [40, 301])),
  );
  expect(read.decoder.facts().units.counted.many).toBe('milliseconds');
  expect(stacks(read, true)).toEqual(['main;Shop.main;Shop.sell 40000000']);
  expect(read.decoder.facts().choices.map(({ id }) => id)).toEqual(['cut']);
});

const REFUSED = ['a heap dump without CPU samples', expect.stringContaining('open it with a heap analyser')];

test('a heap dump is refused as one', async () => {
  const dump = hprofFile({ idSize: 8 }, record(0x0c, Buffer.alloc(5_000)), record(0x2c));
  const read = readInput(dump);
  expect([read.format, read.decoder.damage, read.aggregator.sampleCount]).toEqual(['hprof', undefined, 0]);
  expect([read.decoder.refusal, read.decoder.instead]).toEqual(REFUSED);
  const ofText = text(
    'JAVA PROFILE 1.0.1, created now\n--------\nHEAP DUMP BEGIN (1 objects)\nROOT 1\nHEAP DUMP END\n',
  );
  expect([ofText.decoder.refusal, ofText.decoder.instead]).toEqual(REFUSED);
  const { status, stderr } = await runCli(['summary', '-'], { stdin: dump });
  expect([status, stderr]).toEqual([
    1,
    'standard input: not a supported profile: this is a heap dump without CPU samples; open it with a heap analyser, such as Eclipse MAT or VisualVM\n',
  ]);
  const both = readInput(
    hprofFile({ idSize: 8 }, record(0x0c, Buffer.alloc(5_000)), record(0x2c), cpuSamples(3, [3, 0])),
  );
  expect([both.aggregator.sampleCount, both.decoder.refusal]).toEqual([3, undefined]);
});

test('threads: events in order, groups, who ended, how many samples', () => {
  const input = hprofFile(
    {},
    ...SHOP,
    string(9, 'shop'),
    startThread(8, 3, 9, 1),
    endThread(7),
    endThread(55),
    ...TRACES,
    cpuSamples(4, [4, 301]),
  );
  expect(readInput(input).decoder.facts().tables[0].rows).toEqual([
    ['main', '7', undefined, undefined, 1, 3, 'yes', 4],
    ['sell', '8', 'shop', 'main', 2, undefined, 'no', 0],
    ['thread 55', '55', undefined, undefined, undefined, 4, 'yes', 0],
  ]);
});

test("threads of the JDK's agent: when they started and ended, also after the 71 minutes that 32 bits hold", () => {
  const at = (minutes: number) => hprofRecords(4, (minutes * 60e6) % 2 ** 32);
  const { columns, rows } = readInput(
    hprofFile(
      { magic: 'JAVA PROFILE 1.0.1' },
      ...SHOP,
      at(0).startThread(7, 3, 1, 1),
      at(40).startThread(8, 3, 1, 1),
      // Written a little later than the event after it.
      at(39.5).endThread(7),
      at(90).startThread(9, 3, 1, 1),
      at(150).endThread(8),
      ...TRACES,
      cpuSamples(4, [4, 301]),
    ),
  ).decoder.facts().tables[0];
  const times = columns.flatMap(({ name, kind }, column) => (kind === 'ns' ? [{ name, column }] : []));
  expect(times.map(({ name }) => name)).toEqual(['Started after', 'Ended after']);
  const minutes = (row: number): readonly unknown[] =>
    times.map(({ column }) => rows[row][column] && Math.round((rows[row][column] as number) / 6e9) / 10);
  expect([0, 1, 2].map(minutes)).toEqual([
    [0, 39.5],
    [40, 150],
    [90, undefined],
  ]);
});

test('names of threads are not escaped', () => {
  const { decoder } = text(`THREAD START (obj=1, id = 5, name="a", group="b", group="c")
THREAD START (obj=2, id = 6, name="it"s", group="null")
CPU SAMPLES BEGIN (total = 0) now
CPU SAMPLES END
`);
  expect(decoder.facts().tables[0].rows.map((row) => row.slice(0, 3))).toEqual([
    ['a", group="b', '5', 'c'],
    ['it"s', '6', undefined],
  ]);
});

test('a text file whose longest stacks look cut, and one whose deepest stack is only deep', () => {
  const file = (...traces: readonly string[]): string =>
    `${traces
      .map(
        (frames, at) =>
          `TRACE ${at}: (thread=7)\n${frames
            .split(' ')
            .map((each) => `\t${each}(S.java)\n`)
            .join('')}`,
      )
      .join('')}CPU SAMPLES BEGIN (total = ${traces.length}) now
${traces.map((_, at) => ` 1 1% 1% 1 ${at} m\n`).join('')}CPU SAMPLES END
`;
  // Innermost first.
  expect(stacks(text(file('S.c S.b S.main', 'S.d S.c S.b', 'S.main')))).toEqual([
    'thread 7;(truncated at depth 3);S.b;S.c;S.d 1',
    'thread 7;(truncated at depth 3);S.main;S.b;S.c 1',
    'thread 7;S.main 1',
  ]);
  expect(text(file('S.c S.b S.main', 'S.d S.c S.b', 'S.main')).decoder.facts().deepestStack).toBe(3);
  expect(stacks(text(file('S.c S.b S.main', 'S.main')))).toEqual([
    'thread 7;S.main 1',
    'thread 7;S.main;S.b;S.c 1',
  ]);
  expect(stacks(text(file('S.d S.c S.b', 'S.main'), { cut: 'off' }))).not.toContain('cut');
});

test('frames of text files', () => {
  const frameOf = (line: string): string => {
    const { profile } = text(
      `TRACE 1:\n\t${line}\nCPU SAMPLES BEGIN (total = 1) now\n 1 1% 1% 1 1 m\nCPU SAMPLES END\n`,
    );
    const names = profile.methods.names[profile.frames.method[0]];
    return `${names?.className} ${names?.methodName} ${names?.file} ${profile.frames.line[0]} ${profile.frames.bci[0]}`;
  };
  expect(frameOf('a.C.m(File.java:12)')).toBe('a.C m File.java 12 -1');
  expect(frameOf('a.C.m(File.java)')).toBe('a.C m File.java -100 -1');
  expect(frameOf('a.C.m(Unknown Source)')).toBe('a.C m  -100 -1');
  expect(frameOf('a.C.m(Native Method)')).toBe('a.C m  -100 -3');
  expect(frameOf('a.C.m(File.java:Unknown line)')).toBe('a.C m File.java -100 -1');
  expect(frameOf('a.C.m(File.java:Native method)')).toBe('a.C m File.java -100 -3');
  expect(frameOf('a.C.m(<Unknown Source>:Compiled method)')).toBe('a.C m  -100 -1');
  expect(frameOf('a.C.<Unknown Method>(<Unknown Source>:Unknown line)')).toBe(
    'a.C <Unknown Method>  -100 -1',
  );
  expect(frameOf('app//C.m(F.java:1)')).toBe('C m F.java 1 -1');
  expect(frameOf('java.base@17.0.15/java.lang.Thread.run(Thread.java:840)')).toBe(
    'java.lang.Thread run Thread.java 840 -1',
  );
  expect(frameOf('app//Shop$$Lambda$14/0x00007f8ee0005510.run(Unknown Source)')).toBe(
    'Shop$$Lambda$14/0x00007f8ee0005510 run  -100 -1',
  );
  expect(frameOf('Shop$$Lambda$14/123456.run(Unknown Source)')).toBe('Shop$$Lambda$14/123456 run  -100 -1');
});

test('a text finds a thread by its id, however large it is', () => {
  for (const id of [3_000_000_000, 2 ** 40 + 2 ** 31]) {
    const read = text(`TRACE 1: (thread=${id})
\tShop.main(Shop.java:3)
THREAD START (obj=1, id = ${id}, name="worker", group="main")
THREAD END (id = ${id})
CPU SAMPLES BEGIN (total = 1) now
   1 100.00% 100.00%  1 1 Shop.main
CPU SAMPLES END
`);
    expect(stacks(read)).toEqual(['worker;Shop.main 1']);
    expect(read.decoder.facts().tables[0].rows).toHaveLength(1);
  }
});
