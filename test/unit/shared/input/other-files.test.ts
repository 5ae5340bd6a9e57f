import { expect, test } from 'vitest';
import { detectFormat } from '../../../../shared/input/detect-format.ts';
import { runCli } from '../../../support/run-cli.ts';

// Files of other tools are refused by name, with what to do instead, and not by what they lack of the known formats.

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

function refusal(input: Uint8Array | string): readonly [guess: string, advice: string] {
  const found = detectFormat(typeof input === 'string' ? latin1(input) : input, true);
  if (found === undefined || found.format !== undefined)
    throw new Error(`read as ${found?.format ?? 'nothing'}`);
  expect(found.reasons).toEqual([]);
  return [found.guess, found.advice ?? ''];
}

/** A header and a sample of two addresses, in words of a size. */
function gperftools(size: 4 | 8, isLittle: boolean): Uint8Array {
  const words = [0, 3, 0, 10_000, 0, 1, 2, 0x401000, 0x402000, 0, 1, 0];
  const view = new DataView(new ArrayBuffer(words.length * size));
  for (const [at, word] of words.entries())
    if (size === 4) view.setUint32(at * size, word, isLittle);
    else view.setBigUint64(at * size, BigInt(word), isLittle);
  return new Uint8Array(view.buffer);
}

const PERF = `java 12345/12346 [001] 1234.567890:     250000 cycles:u:
\t    7f2a1b2c3d4e Interpreter+0x1 (/tmp/perf-12345.map)
\t    7f2a1b2c3d4f [unknown] ([unknown])
`;

test.each<readonly [input: Uint8Array | string, guess: RegExp, advice: RegExp]>([
  [gperftools(8, true), /gperftools/, /pprof -proto/],
  [gperftools(4, false), /gperftools/, /pprof -proto/],
  ['\0\0\0\x01Bud1\0\0\x10\0', /\.DS_Store/, /^$/],
  ['FLR\0\0\x01\0\0', /Oracle JFR recording of version 1\.0/, /Mission Control/],
  ['FLR\0\0\0\0\x09', /Oracle JFR recording of version 0\.9/, /Mission Control/],
  ['PERFILE2', /perf\.data/, /stackcollapse-perf\.pl/],
  [PERF, /perf script/, /stackcollapse-perf\.pl/],
  [PERF.replace(' 1234.567890:', ''), /perf script/, /stackcollapse-perf\.pl/],
  [PERF.replace(' [001] 1234.567890:     250000', ''), /perf script/, /stackcollapse-perf\.pl/],
  [`# ========\n# captured on    : Mon Feb  4\n${PERF}`, /perf script/, /stackcollapse-perf\.pl/],
  ['{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"children":[]}}', /V8 heap profile/, /./],
  [
    '{"meta":{"interval":1,"processType":0,"preprocessedProfileVersion":49},"threads":[]}',
    /Firefox.*samply/,
    /profiler\.firefox/,
  ],
  [
    '{"traceEvents":[{"ph":"P","name":"ProfileChunk","args":{"nodes":[{"callFrame":{"functionName":"a"}}]}}]}',
    /Chrome trace/,
    /perfetto/,
  ],
  ['[{"name":"a","ph":"X","ts":1,"dur":2,"pid":1}]', /Chrome trace/, /perfetto/],
  [
    '[{"args":{"name":"a}\\"{","data":{"nodes":[{}]}},"cat":"__metadata","ph":"M","pid":1}]',
    /Chrome trace/,
    /perfetto/,
  ],
  [
    `{"metadata":{"source":"DevTools","x":"${'x'.repeat(5_000)}"},"traceEvents":[{"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"functionName":"a"}}]}}},"ph":"P"}]}`,
    /Chrome trace/,
    /perfetto/,
  ],
  [
    '<?xml version="1.0"?>\n<svg><text>Flame Graph</text><g id="frames"></g></svg>',
    /flame graph as SVG/,
    /collapsed/,
  ],
  ['<svg><rect/></svg>', /an SVG image/, /^$/],
  ['{"resourceProfiles":[]}', /OTLP profile in JSON/, /protobuf/],
  [
    '===== FULL THREAD DUMP ===============\nMon Feb 4\nBEA JRockit(R) R27\n\n"Main Thread" id=1 idx=0x4 tid=260 prio=5 alive\n',
    /JRockit/,
    /^$/,
  ],
  ['version: 1\ncreator: callgrind-3.15\npid: 1\nevents: Ir\n\nfn=main\n1 2\n', /callgrind/, /KCachegrind/],
  ['<?xml version="1.0"?>\n<trace-query-result><node/></trace-query-result>', /Instruments/, /./],
  ['Weight\tSelf Weight\t\tSymbol Name\n1.0 s 100%\t0 s\t\tmain\n', /Instruments/, /^$/],
  ['goroutine profile: total 3\n1 @ 0x1\n', /Go profile in text form/, /debug=1/],
  [
    'heap profile:     13:   1024 [    20:  4096] @ heapprofile\n',
    /gperftools profile in text/,
    /pprof -proto/,
  ],
  ['--- heapz 1 ---\n', /gperftools profile in text/, /pprof -proto/],
  ['# SAP JVM Profiler\n', /SAP JVM Profiler/, /^$/],
  ['<?xml version="1.0"?>\n<jra version="1">', /recording of JRockit/, /JRockit Mission Control/],
  ['nBpRoFiLeR\0\x01', /NetBeans or VisualVM/, /VisualVM/],
  ['Nettrace\x14\0\0\0!FastSerialization.1', /\.NET trace/, /dotnet-trace convert/],
  ['\0\x15portable heap dump\0\0\0\x06', /OpenJ9 heap dump/, /^$/],
])('%#', (input, guess, advice) => {
  const [found, instead] = refusal(input);
  expect(found).toMatch(guess);
  expect(instead).toMatch(advice);
});

test('the command line says what it is and what to do, with exit 1', async () => {
  const { status, stderr } = await runCli(['summary', '-'], { stdin: latin1(PERF) });
  expect([status, stderr]).toEqual([
    1,
    'standard input: not a supported profile: this looks like the output of perf script; convert it: stackcollapse-perf.pl FILE > FILE.collapsed\n',
  ]);
});

test('a profile of which nothing can be read is exit 1', async () => {
  const json = (text: string): Promise<{ status: number }> =>
    runCli(['summary', '-'], { stdin: latin1(text) });
  const schema = '{"$schema":"https://www.speedscope.app/file-format-schema.json"';
  expect((await json(`${schema},"profiles":[1, 2`)).status).toBe(1);
});
