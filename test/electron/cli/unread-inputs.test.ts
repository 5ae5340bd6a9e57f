import { profileFromText } from '../../support/profile-from-text.ts';
import { smallPage } from '../../support/small-page.ts';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../../shared/formats/formats.ts';
import type { FormatId } from '../../../shared/facts/format-list.ts';
import { firefoxFile } from '../../support/firefox-file.ts';
import { flamePage } from '../../support/flame-page.ts';
import { goldenLog } from '../../support/read-log.ts';
import { runCli } from '../../support/run-cli.ts';
import { snapshotStream, tarArchive } from '../../support/skywalking-bytes.ts';
import { otlpProfile, otlpSeries } from '../../support/small-otlp.ts';
import { heapProfile } from '../../support/small-pprof.ts';

const golden = (name: string): Uint8Array => readFileSync(`test/golden/${name}`);
const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

const SNAPSHOTS = snapshotStream([
  { segmentId: 's', ms: 1_700_000_000_000, sequence: 0, stack: ['a.B.c:1'] },
]);

/** A file of each format. */
const FILES: Readonly<Record<FormatId, Uint8Array>> = {
  'honest-log': goldenLog('hello'),
  hprof: golden('hprof/small-main.hprof'),
  'hprof-text': golden('hprof/small-main.hprof.txt'),
  jfr: gunzipSync(golden('jfr/shop-jdk17.jfr.gz')),
  pprof: heapProfile(),
  otlp: otlpProfile('range'),
  'otlp-series': otlpSeries([otlpProfile('links'), otlpProfile('values')]),
  tptp: golden('tptp/demo-full-le.trcbin'),
  'tptp-xml': golden('tptp/demo-full.trcxml'),
  'skywalking-archive': tarArchive([{ name: 'work/snapshot.data', content: SNAPSHOTS }]),
  'skywalking-snapshots': SNAPSHOTS,
  speedscope: json({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames: [{ name: 'main' }] },
    profiles: [{ type: 'sampled', name: 'main', unit: 'none', samples: [[0]], weights: [1] }],
  }),
  cpuprofile: json({
    nodes: [{ id: 1, callFrame: { functionName: '(root)', scriptId: '0', url: '', lineNumber: -1 } }],
    startTime: 1,
    endTime: 2,
    samples: [1],
    timeDeltas: [1],
  }),
  firefox: json(
    firefoxFile([{ name: 'main', tid: 1, pid: 1, samples: [{ stack: [{ name: 'main' }], ms: 0 }] }], 60),
  ),
  'thread-dump': golden('thread-dump/jstack-1.txt'),
  'thread-dump-json': json({
    threadDump: { threadContainers: [{ threads: [{ tid: '1', name: 'main', stack: ['a.B.c(B.java:1)'] }] }] },
  }),
  javacore: Buffer.from(
    '0SECTION       THREADS subcomponent dump routine\n3XMTHREADINFO      "main" J9VMThread:0x1, state:R\n',
  ),
  'async-profiler-html': Buffer.from(flamePage('java/lang/Thread.run;Shop.main 3')),
  collapsed: Buffer.from('# stacks\nmain;serve 3\n'),
  'leanscope-page': Buffer.from(smallPage(profileFromText('main\nShop.main').profile)),
};

test.each<readonly [FormatId, Uint8Array, string]>([
  [
    'collapsed',
    Buffer.from('main;serve 3\nmain;se\nmain;draw 1\nmain;add 2\nmain;sub 2\n'),
    '1 line skipped: not a stack followed by a number. The first is line 2.',
  ],
  [
    'speedscope',
    json({
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      shared: { frames: [{ name: 'main' }] },
      profiles: [{ type: 'sampled', name: 'main', unit: 'none', samples: [[0], [9]], weights: [1, 1] }],
    }),
    '1 invalid sample or event skipped.',
  ],
  [
    'cpuprofile',
    json({
      nodes: [{ id: 1, callFrame: { functionName: 'main', scriptId: '0', url: '', lineNumber: -1 } }],
      startTime: 1,
      endTime: 2,
      samples: [1, 7],
      timeDeltas: [1, 1],
    }),
    '1 sample with an unknown call node: not counted.',
  ],
])('%s: what is skipped is a line on standard error, and status 3', async (_, stdin, skipped) => {
  for (const argv of [
    ['summary', '-'],
    ['export', '-', '--format', 'flat'],
  ]) {
    const { status, stderr } = await runCli(argv, { stdin });
    expect([status, stderr]).toEqual([3, `standard input: ${skipped}\n`]);
  }
});

/** What follows where a file was cut, or was written over. */
const REST: readonly Uint8Array[] = [
  new Uint8Array(0),
  Buffer.alloc(5_000, 0xff),
  new Uint8Array(5_000),
  Buffer.from('Dear diary, today nothing at all.\n'.repeat(150)),
];
/** Lengths of the part that is left, in larger steps beyond the first records. */
const LENGTHS = [1, 4, 10, 20, 25, 31, 40, 50, 67, 110, 250];

interface Summary {
  readonly samples: number;
  readonly bytes: number;
  readonly acceptedBytes: number;
}

describe('B04: of a file that is cut, or foreign after its beginning, nothing read is exit status 1', () => {
  test.each(FORMATS.map(({ id }) => id))('%s', async (id) => {
    const refused = new Set<string>();
    for (const length of LENGTHS.filter((each) => each < FILES[id].length)) {
      for (const rest of REST) {
        const stdin = Buffer.concat([FILES[id].subarray(0, length), rest]);
        const { status, stdout, stderr } = await runCli(['summary', '-', '--json'], { stdin });
        if (status === 1) {
          expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^standard input: [^\n]+\n$/)]);
          refused.add(stderr);
          continue;
        }
        expect([0, 3]).toContain(status);
        const { samples, bytes, acceptedBytes } = JSON.parse(stdout) as Summary;
        if (samples === 0) expect(acceptedBytes * 1000, stdout).toBeGreaterThanOrEqual(bytes);
      }
    }
    expect(refused.size).toBeGreaterThan(0);
  });

  test('it says what the file is, and that there is no record', async () => {
    expect(await runCli(['export', '-', '--format', 'flat'], { stdin: FILES.jfr.subarray(0, 50) })).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'standard input: begins like a file of the format JFR recording, but no complete record follows, read 0 % of the file; copy it again, or wait until it is written\n',
    });
    // A record with a name of one byte and no number.
    const record = Buffer.of(1, 0, 0, 0, 0, 0, 0, 0, 1, 0);
    const header = Buffer.concat([FILES.hprof.subarray(0, 31), record, new Uint8Array(1_000)]);
    const { status, stderr } = await runCli(['export', '-', '--format', 'flat'], { stdin: header });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^standard input: string at byte 31 .*; read 2\.\d % of the file\n$/),
    ]);
  });
});
