import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SCRUBBED_EVENTS } from '../../../shared/formats/jfr/scrub.ts';
import { inCheckout } from '../../support/built-program.ts';
import { printedEvents, summaryOf } from '../../support/jdk-jfr.ts';
import { cliOutput, runCli } from '../../support/run-cli.ts';
import { cpuChunk } from '../../support/small-recordings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CHOSEN_JDKS, NO_JVM } from '../../support/test-jvm.ts';
import { testUnless } from '../../support/test-unless.ts';

const SAMPLE = inCheckout('assets/shop.jfr.gz');

test('a scrubbed recording has the same samples, and no longer what it told of the machine', async () => {
  const copy = join(temporaryFolder(), 'copy.jfr');
  expect(await runCli(['scrub', SAMPLE, copy])).toEqual({
    status: 0,
    stdout: '',
    stderr:
      'removed: 1 jdk.JVMInformation, 15 jdk.InitialSystemProperty, 35 jdk.InitialEnvironmentVariable, 50 jdk.OldObjectSample, 85 jdk.SystemProcess\n',
  });
  for (const format of ['lean', 'tree', 'timeline'])
    expect(await cliOutput('export', copy, '-f', format)).toBe(
      await cliOutput('export', SAMPLE, '-f', format),
    );
  const [before, after] = [gunzipSync(readFileSync(SAMPLE)), readFileSync(copy)];
  for (const told of ['-Xmx900m', 'java.class.path']) {
    expect(before.includes(told), told).toBe(true);
    expect(after.includes(told), told).toBe(false);
  }
});

/** Starts a program twice: the JVM puts a long text that it meets again into the pool of texts. */
const STARTING = `
public class Start {
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 2; i++)
      new ProcessBuilder("true", "--password=correct-horse-battery-staple").start().waitFor();
    for (long until = System.nanoTime() + 200_000_000L, sum = 0; System.nanoTime() < until;) sum += until % 7;
  }
}`;

for (const { major, home } of CHOSEN_JDKS)
  testUnless(NO_JVM)(
    `the JDK reads a scrubbed recording of JDK ${major}: all other events are there`,
    async () => {
      const folder = temporaryFolder();
      const [source, recording, copy] = ['Start.java', 'start.jfr', 'copy.jfr'].map((name) =>
        join(folder, name),
      );
      writeFileSync(source, STARTING);
      const { status } = spawnSync(
        join(home, 'bin/java'),
        [`-XX:StartFlightRecording=filename=${recording},settings=profile`, '-Xlog:jfr=off', source],
        { env: { ...process.env, TOKEN: 'hunter2-in-the-environment' } },
      );
      expect(status).toBe(0);
      const secrets = ['correct-horse-battery-staple', 'hunter2-in-the-environment'];
      const hasSecrets = (path: string) => secrets.map((secret) => readFileSync(path).includes(secret));
      expect(hasSecrets(recording)).toEqual([true, true]);

      const { stderr } = await runCli(['scrub', recording, copy]);
      expect(hasSecrets(copy)).toEqual([false, false]);
      expect(stderr).toContain('2 jdk.ProcessStart');
      expect(stderr).toContain('overwritten: 1 text that these events refer to');

      const left = [...summaryOf(home, recording)].filter(([event]) => !SCRUBBED_EVENTS.includes(event));
      expect([...summaryOf(home, copy)].filter(([event]) => !SCRUBBED_EVENTS.includes(event))).toEqual(left);
      const samples = (path: string) => printedEvents(home, path, ['jdk.ExecutionSample', 'jdk.ThreadStart']);
      expect(samples(copy)).toEqual(samples(recording));
    },
  );

test('nothing is written of a recording that is cut, wherever it is', async () => {
  const folder = temporaryFolder();
  const [path, copy] = [join(folder, 'cut.jfr'), join(folder, 'copy.jfr')];
  const whole = Buffer.from(cpuChunk());
  for (let length = 0; length < whole.length; length += 13) {
    writeFileSync(path, whole.subarray(0, length));
    const { status, stderr } = await runCli(['scrub', path, copy]);
    expect([status, existsSync(copy)], `${length} bytes`).toEqual([1, false]);
    expect(stderr).toContain('cut.jfr: cannot be scrubbed, and nothing was written: at byte 0 ');
  }
});

test('nothing is written where an event does not match what the recording says of it', async () => {
  const folder = temporaryFolder();
  const [path, copy] = [join(folder, 'broken.jfr'), join(folder, 'copy.jfr')];
  const whole = gunzipSync(readFileSync(SAMPLE));
  // The size of the first event.
  whole.writeUInt32BE(0, 68);
  writeFileSync(path, whole);
  const { status, stderr } = await runCli(['scrub', path, copy]);
  expect([status, existsSync(copy)]).toEqual([1, false]);
  expect(stderr).toBe(
    `${path}: cannot be scrubbed, and nothing was written: at byte 68 an event without a valid size, expected events up to the end of the chunk\n`,
  );
});

test('a file of another format, the input as output, and a missing output are refused', async () => {
  const folder = temporaryFolder();
  const own = join(folder, 'own.jfr');
  writeFileSync(own, cpuChunk());
  const refusals: string[] = [];
  for (const argv of [[inCheckout('assets/shop.hpl.gz'), join(folder, 'copy')], [own, own], [own], []]) {
    const { status, stderr } = await runCli(['scrub', ...argv]);
    refusals.push(`${status} ${stderr.replaceAll(folder, '').replaceAll(inCheckout(), '')}`);
  }
  expect(refusals).toEqual([
    expect.stringMatching(/^1 .*shop\.hpl\.gz: cannot be scrubbed.*expected 46 4c 52 00 \(FLR\)/),
    '1 /own.jfr: is the input file; name another file with -o\n',
    expect.stringMatching(/^2 leanscope: scrub takes a recording and the file to write/),
    expect.stringMatching(/^2 leanscope: scrub takes a recording and the file to write/),
  ]);
});
