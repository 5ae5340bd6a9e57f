import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ASYNC_PROFILER_HTML } from '../../shared/formats/async-profiler-html.ts';
import { addedUp, collapsedOf, dottedFrame } from '../support/collapsed-text.ts';
import { flamePage } from '../support/flame-page.ts';
import { decodeInput, readInput } from '../support/read-input.ts';

test('bytes beyond 2^32, to the last one', () => {
  const stacks = readFileSync('test/golden/collapsed/shop-jdk17.lock.reference.collapsed', 'utf8');
  const { profile, decoder } = readInput(Buffer.from(flamePage(stacks, 'bytes')));
  expect(collapsedOf(profile, 'all', 'fqmn', 'time')).toBe(addedUp(stacks, dottedFrame));
  expect(decoder.facts().units.value).toEqual({ name: 'Bytes', unit: 'bytes' });
});

const page = (script: string): Buffer =>
  Buffer.from(
    `<!DOCTYPE html>\n<h1>Wall &amp; all</h1>\n<canvas id='canvas'></canvas>\n<script>\n// async-profiler\n${script}\n</script>\n`,
  );

test('names, levels and widths that go on from the call before', () => {
  const input = page(
    [
      "const cpool = [\n'all',\n' [main tid=7]',\n' it\\\\\\'s',\n' java/lang/Thread.run',\n'1start'\n];\nunpack(cpool);\n",
      'n(3,20)',
      'f(11,1,2,15)',
      'u(25)',
      'u(33,4,1,0,2)',
      'n(20)',
      'd=7',
      'f(25,1,7,3)',
    ].join('\n'),
  );
  const { profile, decoder, format } = readInput(input);
  expect(format).toBe('async-profiler-html');
  expect(collapsedOf(profile, 'name')).toBe(
    [
      '[all threads tid=1];(not drawn) 2',
      '[all threads tid=1];java.lang.Thread.run 3',
      '[main tid=7];java.lang.Thread.run 7',
      "[main tid=7];java.lang.Thread.run;it\\'s 4",
      '[main tid=7];java.lang.Thread.run;java.lang.Thread.start 4\n',
    ].join('\n'),
  );
  expect(decoder.facts().notes).toEqual([
    'The page compares two profiles: the samples are those of the new one. Open both profiles to compare them.',
    'Frames that were too narrow to be drawn are missing: their samples count as self samples of their callers.',
    'Title of the page: Wall &amp; all.',
    '2 samples without any drawn frame: counted as (not drawn).',
  ]);
});

test('a page that compares two profiles says so', () => {
  const names = "const cpool = [\n'all',\n' Shop.main',\n' Shop.gone'\n];\n";
  const calls = ['f(0,0,0,5)', 'u(8,3)', 'n(16,2)'];
  const firstNote = (script: string): string => {
    const { decoder, profile } = readInput(page(script));
    expect(collapsedOf(profile)).toBe('Shop.gone 2\nShop.main 3\n');
    return decoder.facts().notes[0];
  };
  const note = /^The page compares two profiles: the samples are those of the new one/;
  const differences = ['d=2', 'd=-1', 'd=U'].map((line, at) => `${line}\n${calls[at]}`);
  expect(firstNote(`${names}${differences.join('\n')}`)).toMatch(note);
  expect(firstNote(`const maxdiff = 2;\n${names}${calls.join('\n')}`)).toMatch(note);
  expect(firstNote(`const maxdiff = -1;\n${names}${calls.join('\n')}`)).not.toMatch(note);
});

test('the old form, from before version 2', () => {
  const input = page("f(0,0,10,3,'all')\nf(1,0,10,1,'Shop.main')\nf(2,0,4,2,'it\\'s')\nf(2,4,1,4,'A::b',1,0,0)\n");
  expect(collapsedOf(readInput(input).profile)).toBe("Shop.main 5\nShop.main;A::b 1\nShop.main;it's 4\n");
});

test('invalid frames are counted', () => {
  const read = (script: string) => decodeInput(ASYNC_PROFILER_HTML, page(script)).decoder;
  const names = "const cpool = [\n'all',\n' a'\n];\n";
  expect(read(`${names}n(3,5)\nf(8,9,0,1)\nu(800,1)\nu(8,7)`).facts().skips).toEqual([
    '3 invalid frames skipped.',
  ]);
  expect(read('').damage).toMatchObject({ what: 'flame graph', found: 'no frames' });
  const bomb = `const cpool = [\n'${'a'.repeat(60_000)}',\n${"'\uffffb',\n".repeat(10_000)}];\nn(0,1)`;
  expect(read(bomb).damage).toMatchObject({ found: 'names that unpack to gigabytes' });
});
