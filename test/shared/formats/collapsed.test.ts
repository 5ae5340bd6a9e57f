import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { writeTree } from '../../../shared/export/tree.ts';
import { collectText } from '../../../shared/export/text-sink.ts';
import type { Chosen } from '../../../shared/facts/choice.ts';
import { COLLAPSED } from '../../../shared/formats/collapsed/format.ts';
import { frameFromText } from '../../../shared/profile/frame-text.ts';
import { NO_LINE } from '../../../shared/profile/frame-table.ts';
import { collapsedOf } from '../../support/collapsed-text.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { decodeInput, type ReadInput } from '../../support/read-input.ts';

const read = (text: string | Uint8Array, chosen?: Chosen): ReadInput =>
  decodeInput(COLLAPSED, typeof text === 'string' ? Buffer.from(text) : text, chosen);

/** `text` with its margin taken away. */
function drawn(text: string): string {
  return text.replace(/^\n/, '').replaceAll(/^ +/gm, '');
}

function treeOf({ profile }: ReadInput, frames: 'fqmn' | 'line' = 'fqmn'): string {
  const grouping = { threads: 'name', frames } as const;
  const filter = { hideErrors: false, contains: [] };
  const text = collectText((sink) => writeTree({ profile, ...grouping, filter }, sink));
  return text.replaceAll('\t', ' ');
}

test('threads, kinds of frames, lines, equal stacks', () => {
  const text = drawn(`
    # java.util.Timer
    [main tid=7];java/lang/Thread.run_[0];Shop.serve:12_[j] 17
    [main tid=7];java/lang/Thread.run_[1];Shop.serve:14_[i];memcpy_[k] 3
    [tid=9];Shop.serve:12_[j] 2

    [main tid=7];java/lang/Thread.run_[0];Shop.serve:12_[j] 1`);
  expect(treeOf(read(text), 'line')).toBe(
    drawn(`
      0 main 0 21 0 0
      1 java.lang.Thread.run:-100 0 21 0 0
      2 Shop.serve:12 18 18 0 0
      2 Shop.serve:14 0 3 0 0
      3 memcpy:-100 3 3 0 0
      0 tid=9 0 2 0 0
      1 Shop.serve:12 2 2 0 0
    `),
  );
  expect(treeOf(read(text, { threads: 'off', 'frame-types': 'on' }))).toBe(
    drawn(`
      0 all threads 0 23 0 0
      1 [main tid=7] 0 21 0 0
      2 java/lang/Thread.run_[0] 0 18 0 0
      3 Shop.serve:12_[j] 18 18 0 0
      2 java/lang/Thread.run_[1] 0 3 0 0
      3 Shop.serve:14_[i] 0 3 0 0
      4 memcpy_[k] 3 3 0 0
      1 [tid=9] 0 2 0 0
      2 Shop.serve:12_[j] 2 2 0 0
    `),
  );
  expect(
    read(text)
      .decoder.facts()
      .choices.map(({ id }) => id),
  ).toEqual(['unit', 'threads', 'frame-types']);
  expect(
    read('a;b 1\n')
      .decoder.facts()
      .choices.map(({ id }) => id),
  ).toEqual(['unit']);
});

test('a stack has those frames of the stack before it that end where they end in both', () => {
  const lines = [
    '[main tid=1];a.b;c.d 1',
    '[main tid=1];a.b;c.dd 2',
    '[main tid=1];a.b 4',
    '[main tid=1];a.bc;c.d 8',
    '[main tid=2];a.bc;c.d 16',
    '[main tid=2] 32',
    '[main tid=2];a.bc 64',
    ';a.bc;;c.d 128',
    ';a.bc;c.d;e.f 256',
    ';g.hi;c.d 512',
  ];
  const expected = drawn(`
    0 all threads 0 928 0 0
    1 [main tid=2] 32 32 0 0
    1 a.bc 0 384 0 0
    2 c.d 128 384 0 0
    3 e.f 256 256 0 0
    1 g.hi 0 512 0 0
    2 c.d 512 512 0 0
    0 main 0 95 0 0
    1 a.b 4 7 0 0
    2 c.d 1 1 0 0
    2 c.dd 2 2 0 0
    1 a.bc 64 88 0 0
    2 c.d 24 24 0 0
  `);
  // As many lines before them as tell how many counts a stack has.
  const before = '#\n'.repeat(1 << 19);
  expect(treeOf(read(before + lines.join('\n')))).toBe(expected);
  // A reader gives all lines in the memory of the first one.
  const aggregator = new ProfileAggregator();
  const decoder = COLLAPSED.createDecoder(aggregator, {});
  decoder.append(Buffer.from(before));
  const buffer = new Uint8Array(30);
  for (const line of lines) {
    buffer.fill(0x20).set(Buffer.from(line));
    buffer[29] = 0x0a;
    decoder.append(buffer);
  }
  decoder.emitOpen(true);
  expect(treeOf({ profile: aggregator.profile, aggregator, decoder })).toBe(expected);
});

test('a last line without its line break counts, and goes on when there is more', () => {
  const aggregator = new ProfileAggregator();
  const decoder = COLLAPSED.createDecoder(aggregator, { unit: 'bytes' });
  const after = (text: string): string => {
    decoder.append(Buffer.from(text));
    decoder.emitOpen(true);
    return collapsedOf(aggregator.profile).replaceAll('\n', ', ');
  };
  expect(after('a;b 1\na;b 2')).toBe('a;b 3, ');
  expect(after('5')).toBe('a;b 26, ');
  expect(after('\na;c')).toBe('a;b 26, ');
  expect(decoder.bytes).toEqual({ accepted: 13, skipped: 3, pending: 0 });
  expect(after('d 7\n')).toBe('a;b 26, a;cd 7, ');
  expect(decoder.bytes).toEqual({ accepted: 20, skipped: 0, pending: 0 });
  expect(decoder.records).toBe(3);
  expect(aggregator.sampleCount).toBe(33);
});

test('a thread number that is given again is another thread', () => {
  const { profile } = read('[a tid=7];run 1\n[b tid=7];run 2\n[a tid=7];run 4\n');
  expect(collapsedOf(profile, 'id')).toMatch(/run 5\n.*run 2\n|run 2\n.*run 5\n/);
});

test('weights in the unit that the user knows', () => {
  const { profile, decoder } = read('a;b 5000000000\na 0.25\n', { unit: 'bytes' });
  expect(decoder.facts().units).toEqual({
    counted: { one: 'byte', many: 'bytes', isDependent: true },
    value: { name: 'Bytes', unit: 'bytes' },
  });
  expect(treeOf({ profile } as ReadInput)).toBe(
    '0 all threads 0 5000000000.25 0 5000000000\n1 a 0.25 5000000000.25 0 5000000000\n2 b 5000000000 5000000000 5000000000 5000000000\n',
  );
});

test.each([
  ['a;b 3', 'a;b 3\n'],
  ['a b;c d  3  ', 'a b;c d 3\n'],
  ['a;b\t3', 'a;b 3\n'],
  ['a;b 1.25', 'a;b 1.25\n'],
  ['a;b .5', 'a;b 0.5\n'],
  ['a;b 1.5e+10', 'a;b 15000000000\n'],
  ['a;b 9007199254740991', 'a;b 9007199254740991\n'],
  ['a;b 0', ''],
  ['a;;b; 3', 'a;b 3\n'],
  ['a 3\r', 'a 3\n'],
  ['/usr/lib/libc.so 3', '/usr/lib/libc.so 3\n'],
])('%j is a stack', (line, collapsed) => {
  const { profile, decoder } = read(`${line}\n`);
  expect(collapsedOf(profile)).toBe(collapsed);
  expect(decoder.bytes).toEqual({ accepted: line.length + 1, skipped: 0, pending: 0 });
});

test.each([
  'a;b',
  'a;b x',
  'a;b -3',
  '17',
  ' 17',
  ';; 3',
  'a;b 1e400',
  'a;b 9007199254740993',
  'a;b 0x10',

  '[main tid=7]; 3',
])('%j is none, and is counted', (line) => {
  const { profile, decoder } = read(`x 1\n${line}\ny 1\n`);
  expect(collapsedOf(profile)).toBe('x 1\ny 1\n');
  expect(decoder.records).toBe(2);
  expect(decoder.bytes).toEqual({ accepted: 8, skipped: line.length + 1, pending: 0 });
  expect(decoder.facts().skips).toEqual([
    '1 line skipped: not a stack followed by a number. The first is line 2.',
  ]);
});

test('a million frames, and a line that shares all but the last with it', () => {
  const frames = Array.from({ length: 1_000_000 }, (_, at) => `f${at % 1000}`).join(';');
  const { profile, aggregator } = read(`${frames};a 1\n${frames};b 2\n`);
  expect(aggregator.deepestStack).toBe(1_000_001);
  expect(profile.nodes.length).toBe(1_000_003);
  expect(collapsedOf(profile)).toBe(`${frames};a 1\n${frames};b 2\n`);
});

test('what the exporter writes reads back as the same stacks', () => {
  const { profile } = profileFromText(`
    main           main                  worker 3
    Shop.serve:12  java.lang.Thread.run  Shop.draw
    Cart.add       Shop.serve:14         nativeCall
    Cart.add
  `);
  for (const frames of ['fqmn', 'line'] as const) {
    const written = collapsedOf(profile, 'all', frames);
    expect(written.split('\n').length).toBe(4);
    expect(collapsedOf(read(written).profile, 'all', frames)).toBe(written);
  }
  // Threads are written as async-profiler writes them, and are threads again.
  const withThreads = collapsedOf(profile, 'name');
  expect(withThreads).toMatch(/^\[main tid=\d+\];/);
  expect(collapsedOf(read(withThreads).profile, 'name')).toContain('[main tid=19043658];Shop.serve');
  expect(collapsedOf(read(withThreads).profile)).toBe(collapsedOf(profile));
});

test.each([
  ['java/lang/Thread.run', 'java.lang.Thread', 'run', NO_LINE],
  ['Shop$$Lambda$83+0x00007f4a.17.run:65', 'Shop$$Lambda$83+0x00007f4a.17', 'run', 65],
  ['shop/Cart$$Lambda/0x00007f4a.run', 'shop.Cart$$Lambda/0x00007f4a', 'run', NO_LINE],
  ['Shop$$Lambda$88/1023892928.run', 'Shop$$Lambda$88/1023892928', 'run', NO_LINE],
  ['shop/Cart$$Lambda$88/1023892928.run', 'shop.Cart$$Lambda$88/1023892928', 'run', NO_LINE],
  ['com/sun/proxy/$Proxy12.get', 'com.sun.proxy.$Proxy12', 'get', NO_LINE],
  ['clojure/core$map.invoke', 'clojure.core$map', 'invoke', NO_LINE],
  ['net/http.Get', 'net/http', 'Get', NO_LINE],
  ['github.com/a/b.Run', 'github.com/a/b', 'Run', NO_LINE],
  ['github.com/A/B.Run', 'github.com/A/B', 'Run', NO_LINE],
  ['java.util.ArrayList.<init>', 'java.util.ArrayList', '<init>', NO_LINE],
  ['byte[]', '', 'byte[]', NO_LINE],
  ['Compiler::compile_method', '', 'Compiler::compile_method', NO_LINE],
  ['std::vector<a.b>::push(int)', '', 'std::vector<a.b>::push(int)', NO_LINE],
  ['127.0.0.1:8080', '', '127.0.0.1:8080', NO_LINE],
  ['read', '', 'read', NO_LINE],
])('frame %s', (text, className, methodName, line) => {
  expect(frameFromText(text)).toEqual({ file: '', className, methodName, line });
});

const verdict = (text: string | Uint8Array): string => {
  const found = COLLAPSED.recognise(typeof text === 'string' ? Buffer.from(text) : text);
  return found.verdict;
};

const DIFFERENCE = 'Main.main;Shop.price 10 12\nMain.main;Shop.list 5 9\r\n# x\nMain.main;Shop.gone 4 0';

test('two counts of each stack: the new one, the base, or a part of the name', () => {
  const side = (chosen?: Chosen): unknown[] => {
    const { profile, decoder, aggregator } = read(DIFFERENCE, chosen);
    const { notes, choices, skips } = decoder.facts();
    const choice = choices.find(({ id }) => id === 'count');
    expect(skips).toEqual([]);
    return [aggregator.sampleCount, collapsedOf(profile), choice?.chosen, notes];
  };
  const note = (which: string): unknown => [
    expect.stringContaining(
      `Each stack has two counts, as difffolded.pl writes them: the ${which} is shown.`,
    ),
  ];
  expect(side()).toEqual([21, 'Main.main;Shop.list 9\nMain.main;Shop.price 12\n', 'new', note('new one')]);
  expect(side({ count: 'base' })).toEqual([
    19,
    'Main.main;Shop.gone 4\nMain.main;Shop.list 5\nMain.main;Shop.price 10\n',
    'base',
    note('base'),
  ]);
  expect(side({ count: 'one' })).toEqual([
    21,
    'Main.main;Shop.list 5 9\nMain.main;Shop.price 10 12\n',
    'one',
    [],
  ]);
});

test('frames that end with a number are not taken for a count if one of the first has none', () => {
  const { profile, decoder } = read('GC Thread 1;mark 3\nGC Thread 1 4\n');
  expect(collapsedOf(profile)).toBe('GC Thread 1 4\nGC Thread 1;mark 3\n');
  expect(decoder.facts().notes).toEqual([]);
  // All of the first lines decide; a later one with a single count is skipped, and that is said.
  const long = read(`${'a;b 1 2\n'.repeat(600)}a;b 3\n`);
  expect([long.aggregator.sampleCount, long.decoder.facts().skips]).toEqual([
    1_200,
    ['1 line skipped: not a stack followed by a number. The first is line 601.'],
  ]);
});

test('what is taken for collapsed stacks', () => {
  expect(verdict('a;b 1\nc 2\n')).toBe('is');
  expect(verdict('Shop.main 5\nstd::sort<int> 3\ncom.acme.Type$1.run:12_[j] 1\n')).toBe('is');
  expect(verdict('a;b;c 1')).toBe('is');
  // The end of a line of a million bytes is not awaited.
  const long = 'com.example.Shop.serve;'.repeat(50_000);
  for (const before of ['# a remark\n', '[main tid=3];']) {
    expect(verdict(`${before}${long}`.slice(0, 4096))).toBe('possible');
    expect(verdict(`${before}${long}`)).toBe('is');
  }
  expect(verdict(`body{color:red;margin:0}${'p{top:0;left:0}'.repeat(300)}\n`)).toBe('possible');
  expect(verdict('[main tid=3];Shop.serve 7')).toBe('is');
  expect(verdict('a;b')).toBe('possible');
  expect(verdict('')).toBe('no');
  // Frames may begin with any bracket.
  expect(verdict('<module> (app.py:1);main (app.py:9) 12\n<module> (app.py:1) 3\n')).toBe('is');
  expect(verdict('<module> (app.py:1);main (app.py:9) 12')).toBe('is');
  expect(verdict('{lambda}::operator();sort 12\n{lambda}::operator();heap 3\n')).toBe('is');
  expect(verdict('[unknown];[libjvm.so];Shop.main 12\n[unknown];Shop.list 3\n')).toBe('is');
  expect(verdict('"quoted";Shop.main 12\n')).toBe('is');
  expect(verdict('App</render;App/<;fmt for &str;run(int&) 12\n')).toBe('is');
  expect(verdict(`<module>;${'com.example.Shop.serve;'.repeat(400)}`.slice(0, 4096))).toBe('possible');
  expect(verdict('a;b 1.5e+10\n')).toBe('is');
  // Stacks may follow.
  expect(verdict('main 5\nrun 3\n')).toBe('possible');
  expect(verdict('# Support bundle\n\nGenerated 2026\n')).toBe('possible');
  expect(verdict('nr_free_pages 981000\npgfault 12\n')).toBe('possible');
  expect(verdict('#!/bin/sh\nexit 101\n')).toBe('possible');
  expect(verdict('TAMIL CONSONANT K;0B95 0BCD\nKEYCAP 1;0031 FE0F 20E3\nR WITH TILDE;0072 0303\n')).toBe(
    'possible',
  );
  expect(verdict('<a>x;y</a> 5\n<b>x;y</b> 6\n')).toBe('possible');
  expect(verdict('x &lt; 5\ny &lt; 6\n')).toBe('possible');
  expect(verdict('<U4E00> <U4E00>;IGNORE;IGNORE # 1\n<U4E28> <U4E28>;IGNORE;IGNORE # 2\n')).toBe('possible');
  expect(verdict('a;b | 5\nc;d | 6\n')).toBe('possible');
  expect(verdict('; at most 5\n; at least 6\n')).toBe('possible');
  expect(verdict('{"a;b": 5,\n["a;b", 5\n')).toBe('possible');
  expect(verdict('One thing; another 5\nA third; one more 6\n')).toBe('possible');
  expect(verdict('Hello, world 5\nand more\n')).toBe('possible');
  expect(verdict('a: 5\nb: 7\n')).toBe('possible');
  expect(verdict('{\n"a": 5\n}\n')).toBe('possible');
  expect(verdict('int a = 5; int b = 6;\nfoo();\n')).toBe('possible');
  expect(verdict('a;b 1\n\u0000\u0001')).toBe('no');
});
