import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { detectFormat } from '../../shared/input/detect-format.ts';
import { ASYNC_PROFILER_HTML } from '../../shared/formats/async-profiler-html.ts';
import { JAVACORE, THREAD_DUMP } from '../../shared/formats/thread-dump/format.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import { decodeInput } from '../support/read-input.ts';

/**
 * An expression that can begin at each of n places and searches to the end from each looks at n² characters, and one
 * that has two such parts at n³. A law cannot count what an expression looks at. But at this size n² characters take
 * minutes, and n take milliseconds: whoever is interrupted is not linear.
 */
const SIZE = 1 << 20;
const INTERRUPTED_AFTER_MS = 10_000;

function interruptible<T>(action: () => T): T {
  const context = createContext({ action });
  return runInContext('action()', context, { timeout: INTERRUPTED_AFTER_MS }) as T;
}

/** `begin`, then `unit` again and again, then `end`. */
interface Hostile {
  readonly begin?: string;
  readonly unit: string;
  readonly end?: string;
}

const bytesOf = ({ begin = '', unit, end = '' }: Hostile): Uint8Array =>
  new TextEncoder().encode(
    begin + unit.repeat(Math.floor((SIZE - begin.length - end.length) / unit.length)) + end,
  );

const TEXTS: readonly Hostile[] = [
  // Firefox Profiler
  { begin: '{', unit: '"meta":{' },
  { begin: '{', unit: '"meta":{ "processType" ' },
  // Chrome traces, V8's heaps
  { begin: '{', unit: '"traceEvents" ' },
  { begin: '[{', unit: '"ph" "pid" ' },
  { begin: '{"head":{', unit: '"selfSize" ' },
  { begin: '{"snapshot"', unit: ' ' },
  // callgrind
  { unit: 'version: 1\n' },
  { unit: 'version: 1\n', end: 'events' },
  // perf script
  { begin: 'java', unit: ' 1' },
  { begin: 'java', unit: ' ' },
  { begin: 'java 1 1.1: ', unit: 'a:' },
  { begin: 'java ', unit: '1 1.1: a: ' },
  { unit: 'java 1 1.1: a:\n' },
  { begin: 'java 1 1.1: a:\n 7f a', unit: ' ()' },
  { begin: 'java 1 1.1: a:\n', unit: '\n' },
  { unit: 'java 1 [1] 1.1: a:\n 7f a (b\n' },
  // Other kinds of files
  { unit: '=' },
  { unit: 'Weight\t' },
  { begin: '<?xml', unit: ' ' },
  { begin: '<?xml?>', unit: '<svg ' },
  { begin: '# ', unit: '=' },
  { begin: '#', unit: ' ' },
  // Thread dumps
  { begin: '"', unit: '" id=1 ' },
  { begin: '"', unit: 'id=1 ' },
  { begin: '"a" ', unit: 'tid=1 ' },
  { begin: '"a" tid=', unit: 'f' },
  { unit: '"' },
  { unit: '" ' },
  { unit: '"a"\n' },
  { unit: '" - Thread t@' },
  { unit: '#1 "' },
  { begin: '#1 "a" ', unit: 'A' },
  { unit: '\n' },
  { unit: ' ' },
  { unit: '\t\n' },
  { unit: '\r\n' },
  { unit: 'A' },
  { unit: 'INFO | jvm 1 |' },
  { unit: 'INFO | jvm 1 | \n' },
  { unit: '1' },
  { unit: '1.' },
  { unit: '-' },
  { unit: '----- 1 -----\n' },
  { unit: 'Thread 1' },
  { unit: 'Full thread dum' },
  { begin: 'NULL\n', unit: '\n' },
  { begin: '{"threadDump"', unit: ' ' },
  { begin: '{', unit: '"threads":' },
  // Flame graph pages
  { begin: '<!DOCTYPE html>async-profiler', unit: '<canvas ' },
  { begin: '<!DOCTYPE html>async-profiler<canvas', unit: ' id=' },
  // TPTP
  { unit: '<!--' },
  { unit: '<!---->' },
  { unit: '<??>' },
  { unit: '<!A[]>' },
  { begin: '<!A', unit: '[' },
  { begin: '<!A', unit: ' []' },
  { begin: '<TRACE_', unit: 'A' },
  { begin: '<methodEntry', unit: ' a=' },
  // SkyWalking
  { begin: 'list:\n', unit: ' ', end: '1\n' },
  { begin: 'list:\n', unit: '- ', end: '1\n' },
  // Collapsed stacks
  { unit: 'a;' },
  { unit: 'a 1 ' },
  { unit: 'a 1\n' },
  { begin: 'a', unit: ' ' },
  { begin: 'a ', unit: '1' },
  { begin: '[a', unit: ' tid=1' },
  { unit: 'operator' },
];

test.each(TEXTS)('recognising $begin ($unit)* $end', (text) => {
  const input = bytesOf(text);
  expect(interruptible(() => detectFormat(input, true))).toBeDefined();
});

const PAGE = "<!DOCTYPE html><canvas id='canvas'></canvas>async-profiler\n";

const IN_STACK = '0SECTION TITLE\n3XMTHREADINFO "a" state:R\n3XMTHREADINFO3 Java callstack:\n';

const DECODED: readonly (Hostile & { readonly format: ProfileFormat })[] = [
  { format: ASYNC_PROFILER_HTML, begin: PAGE, unit: '<h1' },
  { format: ASYNC_PROFILER_HTML, begin: PAGE, unit: '<h1>' },
  { format: ASYNC_PROFILER_HTML, begin: PAGE, unit: '\n' },
  { format: ASYNC_PROFILER_HTML, begin: PAGE, unit: "unit='" },
  { format: ASYNC_PROFILER_HTML, begin: `${PAGE}const cpool = [\n`, unit: "\\'" },
  { format: ASYNC_PROFILER_HTML, begin: `${PAGE}const cpool = [\n'`, unit: "\\'" },
  { format: ASYNC_PROFILER_HTML, begin: `${PAGE}const cpool = [\n`, unit: '\n' },
  { format: ASYNC_PROFILER_HTML, begin: `${PAGE}f(0,0,1,0,'`, unit: "\\'" },
  { format: JAVACORE, begin: `${IN_STACK}4XESTACKTRACE at a(`, unit: '(Inlined' },
  { format: JAVACORE, begin: `${IN_STACK}3XMTHREADINFO "b"\n3XMJAVALTHREAD (getId:0x`, unit: 'f' },
  { format: JAVACORE, begin: '3XMTHREADINFO      "', unit: '" ' },
  { format: JAVACORE, unit: '0SECTION ' },
  { format: THREAD_DUMP, begin: '"a" ', unit: 'tid=0x1 ' },
  { format: THREAD_DUMP, begin: '"', unit: ' owned by "' },
  { format: THREAD_DUMP, begin: '"', unit: '" daemon' },
  { format: THREAD_DUMP, begin: '"', unit: '" id=' },
  { format: THREAD_DUMP, begin: '"a" tid=1 nid=1\n  at a', unit: '(' },
  { format: THREAD_DUMP, begin: '"a" tid=1 nid=1\n- a', unit: ') @bci=' },
  { format: THREAD_DUMP, begin: '----- 1 -----\n0x1  a', unit: ' + 0x1' },
  { format: THREAD_DUMP, begin: '"a" tid=1 nid=1\n  - locked <0x1> (a ', unit: ')' },
  { format: THREAD_DUMP, begin: '"a" tid=1 nid=1\n', unit: ' ' },
];

test.each(DECODED)('decoding $format.id: $begin ($unit)* $end', ({ format, ...text }) => {
  const input = bytesOf(text);
  const { decoder } = interruptible(() => decodeInput(format, input));
  const { accepted, skipped, pending } = decoder.bytes;
  expect([accepted + skipped, pending]).toEqual([input.length, 0]);
});
