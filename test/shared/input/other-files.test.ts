import { expect, test } from 'vitest';
import { detectFormat } from '../../../shared/input/detect-format.ts';
import { runCli } from '../../support/run-cli.ts';

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

const heatMap = (style: string): string =>
  `<!DOCTYPE html>\n<html lang='en'>\n<head>\n<style>${style}</style>\n</head>\n<body>\n<h1 id="title">Heatmap</h1>\n<canvas id='heatmap-canvas'></canvas>\n<a href='https://github.com/async-profiler/async-profiler'>async-profiler</a>\n<canvas id='canvas'></canvas>\n`;

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
    '{"meta":{"interval":1,"processType":0,"version":27},"threads":[{"samples":{"schema":{},"data":[]}}]}',
    /raw profile of Gecko/,
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
  [heatMap(''), /heat map of async-profiler/, /the recording \(\.jfr\)/],
  // Pages of other versions have a long style sheet first.
  [heatMap('a { color: red }\n'.repeat(2_000)), /heat map of async-profiler/, /the recording \(\.jfr\)/],
  [
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>Tree view</title>\n</head>\n<body>\n<ul class="tree">\n<li>[0] 100.00% 3</li></ul>',
    /call tree page of async-profiler/,
    /-o jfr/,
  ],
  [
    '--- Execution profile ---\nTotal samples       : 3\n\n--- 30000000 ns (100.00%), 3 samples\n  [ 0] Shop.main\n',
    /text output of async-profiler/,
    /-o jfr or -o collapsed/,
  ],
  [
    '          ns  percent  samples  top\n  ----------  -------  -------  ---\n',
    /text output of async/,
    /-o jfr/,
  ],
  [
    '\n----- pid 4711 at 2026-11-27 12:00:00.123+0000 -----\nCmd line: com.acme.app\nBuild fingerprint: x\nABI: arm64\n\nDALVIK THREADS (1):\n"main" prio=5 tid=1 Blocked\n  | group="main" sCount=1\n  at com.acme.Main.run(Main.java:10)\n',
    /dump of Android’s runtime, as of an ANR/,
    /as text/,
  ],
  [
    '#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGSEGV (0xb) at pc=0x7f, pid=1, tid=2\n',
    /crash log of the JVM \(hs_err\)/,
    /a recording or a thread dump/,
  ],
  [
    '#\r\n# There is insufficient memory for the Java Runtime Environment to continue.\r\n',
    /crash log of the JVM \(hs_err\)/,
    /a recording or a thread dump/,
  ],
  [
    "::: {node-1}{abc}{127.0.0.1}\n   Hot threads at 2026-11-27T12:00:00.000Z, interval=500ms, busiestThreads=3, ignoreIdleThreads=true:\n\n   88.1% [cpu=88.1%, other=0.0%] (440.9ms out of 500ms) cpu usage by thread 'elasticsearch[node-1][search][T#1]'\n     10/10 snapshots sharing following 3 elements\n       app//org.elasticsearch.A.b(A.java:1)\n",
    /hot threads of Elasticsearch/,
    /jstack/,
  ],
  [
    'jdk.ExecutionSample {\n  startTime = 12:00:00.000 (2026-11-27)\n  sampledThread = "main" (javaThreadId = 1)\n  stackTrace = [\n    Shop.main(String[]) line: 7\n  ]\n}\n',
    /output of jfr print/,
    /the recording \(\.jfr\) itself/,
  ],
  [
    '{\n  "recording": {\n    "events": [{\n      "type": "jdk.ExecutionSample", \n      "values": {}}]}}',
    /output of jfr print as JSON/,
    /the recording \(\.jfr\) itself/,
  ],
  [
    '<?xml version="1.0" encoding="UTF-8"?>\n<recording xmlns:xsi="x">\n  <event type="jdk.ExecutionSample">\n',
    /output of jfr print as XML/,
    /the recording \(\.jfr\) itself/,
  ],
  [
    '\n Version: 2.1\n Chunks: 1\n\n Event Type                              Count  Size (bytes) \n=====\n jdk.ExecutionSample 5 10\n',
    /output of jfr summary/,
    /the recording \(\.jfr\) itself/,
  ],
  ['PERFFILE\0\0', /perf\.data/, /stackcollapse-perf\.pl/],
  // The keys of an object have no order.
  [
    '{"title":"x","head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"children":[]}}',
    /V8 heap profile/,
    /cpuprofile/,
  ],
  ['{"nodes":[],"snapshot":{"meta":{"node_fields":[]}}}', /V8 heap snapshot/, /developer tools/],
  ['{"dictionary":{},"resourceProfiles":[]}', /OTLP profile in JSON/, /protobuf/],
])('%#', (input, guess, advice) => {
  const [found, instead] = refusal(input);
  expect(found).toMatch(guess);
  expect(instead).toMatch(advice);
});

test.each<readonly [text: string, guess: string]>([
  ['[2026-11-27 12:00:00] INFO started\n', 'plain text'],
  ['{lambda} is no JSON\n', 'plain text'],
  ['[main] INFO started\n', 'plain text'],
  ['<module> (app.py:1) is no XML\n', 'plain text'],
  ['<3 and more\n', 'plain text'],
  ['<project><name>x</name></project>', 'an XML file'],
  ['<project/>', 'an XML file'],
  ['<?xml version="1.0"?>\n<project>', 'an XML file'],
  ['{}', 'a JSON file'],
  ['{\n  "a\\"b" : 1', 'a JSON file'],
  ['[1, 2', 'a JSON file'],
  ['[{"a": 1', 'a JSON file'],
  ['["a", "b"', 'a JSON file'],
  ['[null]', 'a JSON file'],
])('%j looks like %s', (text, guess) => {
  expect(detectFormat(latin1(text), true)).toMatchObject({ format: undefined, guess });
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
