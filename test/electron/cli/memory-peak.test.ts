import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { memoryAllowed } from '../../../shared/aggregate/memory-budget.ts';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { hprofFile, hprofRecords } from '../../support/hprof-bytes.ts';
import { JfrBytes } from '../../support/jfr-writer/jfr-bytes.ts';
import { JfrChunk } from '../../support/jfr-writer/jfr-chunk.ts';
import { typeId } from '../../support/jfr-writer/jfr-types.ts';
import { snapshotStream, tarArchive } from '../../support/skywalking-bytes.ts';
import { message } from '../../support/small-otlp.ts';

/**
 * The budget counts what is kept. Besides it there is garbage, which the collector leaves for a while, and more of it on
 * a busy machine: at most 143 MB as measured in Node 20. Without a limit these inputs take 0.6 to 3.6 GB.
 */
const GARBAGE = 320 << 20;

const MOST_UNPACKED = 40 << 20;

const many = (unit: Uint8Array | string, bytes = MOST_UNPACKED): Buffer => Buffer.alloc(bytes, unit);
const numbered = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('');

/** A profile with a sample type and its names. */
const PPROF = Uint8Array.of(0x0a, 4, 8, 1, 16, 2, 0x32, 0, 0x32, 1, 0x61, 0x32, 1, 0x62);
const OTLP = message([1, message([2, message([2, message([1, message([1, 1], [2, 2])])])])]);
const FIREFOX =
  '{"meta":{"preprocessedProfileVersion":47},"threads":[{"samples":{"stack":[0]},"frameTable":{"func":[0]},"funcTable":{"name":[0]},"stackTable":{"prefix":[],"frame":[';
const CPUPROFILE =
  '{"nodes":[{"id":1,"callFrame":{"functionName":"a"},"hitCount":1}],"samples":[1],"timeDeltas":[1],"x":[';
const DUMP = '2024-01-01 00:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17):\n\n';
const THREAD =
  '"t" #1 prio=5 os_prio=0 tid=0x1000 nid=0x1 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.m(B.java:1)\n';
const XML =
  '<?xml version="1.0"?>\n<TRACE>\n<classDef name="c" classId="1"/><methodDef name="m" signature="()" methodId="1" classIdRef="1"/>\n';

const YAML_BYTES = 1_000_000;

/** An export of SkyWalking with this basic.yml. */
const exported = (basic: string): Uint8Array =>
  tarArchive([
    { name: 'work/basic.yml', content: `segments: []\n${basic}` },
    {
      name: 'work/snapshot.data',
      content: snapshotStream([{ ms: 1_795_174_578_459, sequence: 0, stack: ['a.B.c:1'] }]),
    },
  ]);

const RECORDS = hprofRecords(4);

const bigEndian = (...values: number[]): Uint8Array => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
};

/** Name -> the input before it is compressed. */
const INPUTS: Readonly<Record<string, () => Uint8Array | string>> = {
  'pprof: empty strings': () => Buffer.concat([PPROF, many(Uint8Array.of(0x32, 0))]),
  'pprof: a location of empty lines': () => {
    const lines = many(Uint8Array.of(0x22, 0));
    return Buffer.concat([PPROF, message([4, Buffer.concat([Uint8Array.of(8, 1), lines])])]);
  },
  'pprof: sample types': () => Buffer.concat([PPROF, many(Uint8Array.of(0x0a, 2, 8, 1))]),
  'otlp: empty functions': () => Buffer.concat([OTLP, message([2, many(Uint8Array.of(0x1a, 0))])]),
  'otlp: empty locations': () => Buffer.concat([OTLP, message([2, many(Uint8Array.of(0x12, 0))])]),
  'otlp: empty stacks': () => Buffer.concat([OTLP, message([2, many(Uint8Array.of(0x3a, 0))])]),
  'cpuprofile: lists of a number': () =>
    Buffer.concat([Buffer.from(CPUPROFILE), many('[1000],'), Buffer.from('0]}')]),
  'firefox: stacks of one frame': () =>
    Buffer.concat([Buffer.from(FIREFOX), many('0,'), Buffer.from('0]}}]}')]),
  'thread dump: threads': () =>
    DUMP + numbered(150_000, (at) => THREAD.replace('"t" #1', `"t${at}" #${at}`).replace('.m(', `.m${at}(`)),
  'thread dump: locks': () =>
    DUMP +
    THREAD +
    numbered(600_000, (at) => `\t- locked <0x${(at + 100_000).toString(16)}> (a java.lang.Object)\n`),
  'tptp: threads': () =>
    XML + numbered(200_000, (at) => `<methodEntry threadIdRef="${at}" methodIdRef="1" time="1.0"/>\n`),
  'tptp: open calls': () =>
    XML + '<methodEntry threadIdRef="1" methodIdRef="1" time="1.0"/>\n'.repeat(600_000),
  'skywalking: tags': () => exported(`x: [${'!a ,'.repeat(YAML_BYTES / 4)}]`),
  'skywalking: commas': () => exported(`x: [a${','.repeat(YAML_BYTES)}]`),
  'skywalking: lists': () => exported(`x: [${'{},'.repeat(YAML_BYTES / 3)}]`),
  'jfr: settings': () => {
    const [setting, fields] = [new JfrBytes(), new JfrBytes()];
    // Start, event type, name, value and thread.
    for (const value of [1, 1, 0, 0, 0]) fields.integer(value);
    setting.event(typeId('jdk.ActiveSetting'), fields);
    const chunk = new JfrChunk(['jdk.ExecutionSample', 'jdk.ActiveSetting']);
    chunk.raw(many(setting.written, 5_000_000 * setting.length));
    return chunk.finish();
  },
  'hprof: threads': () => {
    const threads = Array.from({ length: 1_000_000 }, (_, at) =>
      RECORDS.record(10, bigEndian(at + 1, at + 1, 1, 1, 1, 1)),
    );
    return hprofFile({}, Buffer.concat(threads));
  },
  'hprof: a stack of 80 MB': () =>
    hprofFile({}, RECORDS.record(5, bigEndian(1, 1, 20 << 20), Buffer.alloc(80 << 20))),
};

/** The most memory that a command had while it read the input, in bytes. */
function peakOf(input: Uint8Array | string, command = 'summary'): number {
  const folder = temporaryFolder();
  const [file, peak, preload] = ['input', 'peak', 'preload.cjs'].map((name) => join(folder, name));
  writeFileSync(file, input);
  const note = `require('fs').writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS))`;
  writeFileSync(preload, `process.on('exit', () => ${note});`);
  const program = inCheckout('dist/electron/cli.cjs');
  const { status } = spawnSync(process.execPath, ['-r', preload, program, command, file], {
    stdio: 'ignore',
  });
  expect([0, 1, 3]).toContain(status);
  return Number(readFileSync(peak, 'utf8')) * 1024;
}

describe('D06: a few compressed bytes take no more memory than 64 MiB and 64 bytes each', () => {
  useBuiltProgram();
  let own: number | undefined;

  test.each(Object.entries(INPUTS))('%s', (_, make) => {
    own ??= peakOf('a;b 1\n');
    const stored = gzipSync(make());
    expect(peakOf(stored) - own).toBeLessThan(memoryAllowed(stored.length) + GARBAGE);
  });

  test('convert-trace, which makes no profile', () => {
    own ??= peakOf('a;b 1\n');
    const stored = gzipSync(INPUTS['tptp: threads']());
    expect(peakOf(stored, 'convert-trace') - own).toBeLessThan(memoryAllowed(0) + GARBAGE);
  });
});
