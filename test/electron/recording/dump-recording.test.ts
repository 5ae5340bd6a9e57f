import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { AttachError } from '../../../electron/jvm/attach.ts';
import { DumpRecording, type DumpSettings } from '../../../electron/recording/dump-recording.ts';
import { listedJvm } from '../../support/listed-jvm.ts';
import { readInput } from '../../support/read-input.ts';
import { runCli } from '../../support/run-cli.ts';
import { stackCounts } from '../../support/stack-counts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { NO_JVM, RECORDED_JDKS, startJvm } from '../../support/test-jvm.ts';
import { testUnless } from '../../support/test-unless.ts';
import { WatchedLog } from '../../support/watched-log.ts';
import { waitFor } from '../../support/wait-for.ts';

const FAST: DumpSettings = { intervalMs: 5, mostShare: 1 };

async function startRecording(pid: number, settings = FAST): Promise<DumpRecording> {
  const path = join(temporaryFolder(), 'sampled.tdump');
  const recording = await DumpRecording.start(listedJvm(pid), path, settings);
  onTestFinished(() => recording.close());
  return recording;
}

const dumpsIn = (path: string): number => readFileSync(path, 'utf8').split('Full thread dump').length - 1;

/** The counts of a thread's stacks, with methods of the program only: those of the JDK and of lambdas differ between versions. */
function countsOf(path: string, thread: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [stack, count] of Object.entries(stackCounts(readInput(readFileSync(path)).profile))) {
    const [name, ...frames] = stack.split(';');
    if (name !== thread || count.startsWith('0 ')) continue;
    const own = frames
      .map((frame) => frame.replace(/:\d+$/, ''))
      .filter((frame) => /^Known\.[a-z]+$/.test(frame));
    const key = own.join(';');
    counts[key] = (counts[key] ?? 0) + Number(count.split(' ')[0]);
  }
  return counts;
}

const down = (times: number): string => [...Array<string>(times).fill('Known.down')].join(';');

for (const { major, home } of RECORDED_JDKS)
  testUnless(NO_JVM)(
    `JDK ${major}: every dump counts each thread where it stands; threads come and go`,
    async () => {
      const cwd = temporaryFolder();
      const { pid, process } = await startJvm({ home, main: 'Known', cwd });
      const recording = await startRecording(pid);
      const { folder: path, sampler } = recording;
      const live = new WatchedLog(path);
      const newDumps = async (count: number): Promise<void> => {
        const before = sampler.cost.dumps;
        await waitFor(() => sampler.cost.dumps >= before + count, 'dumps');
      };
      await newDumps(3);
      process.stdin?.write('s');
      await waitFor(() => readFileSync(path, 'utf8').includes('"short"'), 'the thread');
      await newDumps(3);
      process.stdin?.write('e');
      await newDumps(20);
      await sampler.stop();
      const dumps = sampler.cost.dumps;
      expect(dumpsIn(path)).toBe(dumps);
      expect(countsOf(path, 'deep-0')).toEqual({ [down(41)]: dumps });
      expect(countsOf(path, 'deep-1')).toEqual({ [down(6)]: dumps });
      expect(countsOf(path, 'holder')).toEqual({ 'Known.hold': dumps });
      expect(countsOf(path, 'blocked')).toEqual({ 'Known.enter': dumps });
      // Where it stands in its first and its last moment is not always the same.
      const shorts = Object.values(countsOf(path, 'short')).reduce((sum, count) => sum + count, 0);
      expect(shorts).toBeGreaterThanOrEqual(3);
      expect(shorts).toBeLessThan(dumps - 3);

      const { decoder, aggregator } = readInput(readFileSync(path));
      const { tables, notes } = decoder.facts();
      const rows = tables.find(({ title }) => title === 'Threads')?.rows ?? [];
      const [first, last, ended] = rows.find(([name]) => name === 'short')?.slice(7) ?? [];
      expect([Number(first) > 3, Number(last) < dumps, ended]).toEqual([true, true, 'yes']);
      // The JVM tells for how long it was stopped, which is less than a dump takes.
      expect(notes[1]).toMatch(
        /^\d+ thread dumps sampled, .* Each stops the JVM for \d.* 100\.00 % is allowed\.$/,
      );
      expect(sampler.cost.stoppedMs).toBeLessThan(sampler.cost.elapsedMs);

      // Into the same data.
      sampler.start();
      await newDumps(3);
      await recording.close();
      expect(dumpsIn(path)).toBe(sampler.cost.dumps);
      expect(countsOf(path, 'holder')).toEqual({ 'Known.hold': sampler.cost.dumps });
      await live.clock.pass(5_000);
      const batch = readInput(readFileSync(path));
      expect(batch.aggregator.sampleCount).toBeGreaterThan(aggregator.sampleCount);
      expect(stackCounts(live.copy.profile)).toEqual(stackCounts(batch.profile));
      expect(live.state).toBe('idle');

      expect(readdirSync(cwd)).toEqual([]);
      expect(existsSync(`/tmp/.attach_pid${pid}`)).toBe(false);
      expect(process.exitCode).toBeNull();
    },
  );

testUnless(NO_JVM)('threads that are not wanted, and frames beyond the depth, are left out', async () => {
  const { pid } = await startJvm({ main: 'Known' });
  const recording = await startRecording(pid, {
    ...FAST,
    threads: ['/^deep/'],
    depth: 4,
  });
  await waitFor(() => recording.sampler.cost.dumps > 2, 'dumps');
  await recording.close();
  const counts = stackCounts(readInput(readFileSync(recording.folder)).profile);
  for (const [stack, count] of Object.entries(counts)) {
    const [thread, root, ...frames] = stack.split(';');
    expect(thread).toMatch(/^deep-[01]$/);
    expect([root, frames.length]).toEqual(['.(truncated at depth 4)', 4]);
    expect(count.split(' ')[0]).toBe(String(recording.sampler.cost.dumps));
  }
});

testUnless(NO_JVM)('the JVM is killed: what was sampled stays, and it is said', async () => {
  const jvm = await startJvm({ main: 'Known' });
  const recording = await startRecording(jvm.pid);
  const { sampler, folder: path } = recording;
  await waitFor(() => sampler.cost.dumps > 2, 'dumps');
  jvm.process.kill('SIGKILL');
  await sampler.whenEnded;
  expect(sampler.ended).toBe('the JVM has ended');
  await recording.close();
  const { decoder } = readInput(readFileSync(path));
  expect(decoder.facts().notes[0]).toBe('Sampling has ended: the JVM has ended.');
  expect(decoder.bytes.pending).toBe(0);
  expect(countsOf(path, 'holder')).toEqual({ 'Known.hold': sampler.cost.dumps });
  await expect(startRecording(jvm.pid)).rejects.toThrow();
});

testUnless(NO_JVM)(
  'a temporary file is removed at the end, and what was read stays and can be read again',
  async () => {
    const jvm = await startJvm({ main: 'Known' });
    const recording = await DumpRecording.startTemporary(listedJvm(jvm.pid), {
      ...FAST,
      chosen: { state: 'BLOCKED' },
    });
    expect([recording.leftOut, recording.chosen]).toEqual([undefined, { state: 'BLOCKED' }]);
    const { sampler, folder: path } = recording;
    const live = new WatchedLog(path);
    await waitFor(() => sampler.cost.dumps > 2, 'dumps');
    await live.clock.pass(1_000);
    expect(live.state).toBe('live');
    jvm.process.kill('SIGKILL');
    await sampler.whenEnded;
    await live.clock.pass(1_000);
    const { samples } = live.status;
    expect(samples).toBe(readInput(readFileSync(path)).aggregator.sampleCount);
    live.session.receive({ type: 'end', reason: 'The JVM has ended.', atNs: 0n });
    await recording.stop();
    expect(existsSync(path)).toBe(true);
    recording.discard();
    recording.discard();
    expect(existsSync(path)).toBe(false);
    await live.clock.pass(1_000);
    expect(live.state).toBe('ended: The JVM has ended.');
    live.session.receive({ type: 'choose', chosen: { state: 'BLOCKED' } });
    await live.clock.pass(1_000);
    expect(live.status.samples).toBe(sampler.cost.dumps);
    const saved = join(temporaryFolder(), 'saved.tdump');
    live.session.receive({ type: 'save', request: 1, path: saved });
    expect(readInput(readFileSync(saved)).aggregator.sampleCount).toBe(samples);
  },
);

testUnless(NO_JVM)('a JVM that has ended cannot be sampled', async () => {
  const jvm = await startJvm({ main: 'Known' });
  const known = listedJvm(jvm.pid);
  await jvm.end();
  const path = join(temporaryFolder(), 'sampled.tdump');
  await expect(DumpRecording.start(known, path, FAST)).rejects.toThrow(AttachError);
  expect(existsSync(path)).toBe(false);
});

testUnless(NO_JVM)('record writes the dumps themselves, with what they have cost', async () => {
  const { pid } = await startJvm({ main: 'Known' });
  const out = join(temporaryFolder(), 'out.tdump');
  const argv = ['record', String(pid), '-o', out, '-d', '500ms', '--share', '50', '--depth', '3'];
  const { status, stderr } = await runCli(argv);
  expect([status, stderr.split(': ')[1].split(' ').slice(1, 3).join(' ')]).toEqual([0, 'thread dumps']);
  const summary = await runCli(['summary', out]);
  expect(summary.stdout).toContain('Sampling has ended: it was stopped.');
  expect(countsOf(out, 'blocked')).toEqual({ 'Known.enter': dumpsIn(out) });
  expect(await runCli([...argv, '--hide-errors'])).toMatchObject({ status: 2 });
  expect(await runCli([...argv, '--with', 'jfr'])).toMatchObject({ status: 2 });
});
