import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { formatBytes } from '../../../shared/text/format-value.ts';
import { AttachedJvm } from '../../../electron/jvm/attach.ts';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { HELD_OUTPUT } from '../../support/held-output.ts';
import { summaryOf } from '../../support/jdk-jfr.ts';
import { listedJvm, recorderOf } from '../../support/listed-jvm.ts';
import { readInput } from '../../support/read-input.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { NO_JVM, RECORDED_JDKS, startJvm, useSharedJvm } from '../../support/test-jvm.ts';
import { testUnless } from '../../support/test-unless.ts';
import { waitFor } from '../../support/wait-for.ts';

useBuiltProgram();

const CLI = inCheckout('dist/electron/cli.cjs');
const sharedJvm = useSharedJvm();
const NOBODY = 65_534;

for (const { major, home } of RECORDED_JDKS)
  testUnless(NO_JVM)(`JDK ${major}: recorded as a .jfr and in other formats, and left as found`, async () => {
    const folder = temporaryFolder();
    const { pid } = await startJvm({ home });
    const recorder = await recorderOf(pid);
    await recorder.start('theirs', { settings: 'default', flushes: true, maxMegabytes: 50 });

    const jfr = join(folder, 'out.jfr');
    const collapsed = join(folder, 'out.collapsed');
    const recordWorkers = () => {
      rmSync(collapsed, { force: true });
      return runCli(['record', String(pid), '-o', collapsed, '-d', '1s', '--thread', '/worker/']);
    };
    const [recorded, first] = await Promise.all([
      runCli(['record', String(pid), '-o', jfr, '-d', '1s']),
      recordWorkers(),
    ]);
    // On a busy machine a second may bring no sample of some threads.
    let other = first;
    while (other.status === 0 && readFileSync(collapsed, 'utf8') === '') other = await recordWorkers();
    expect([recorded.status, recorded.stdout, recorded.stderr]).toEqual([0, '', '']);
    const counts = summaryOf(home, jfr);
    const read = readInput(readFileSync(jfr));
    expect(read.decoder.damage).toBeUndefined();
    const rows = read.decoder.facts().tables.find(({ title }) => title === 'Events')?.rows ?? [];
    for (const event of ['jdk.ExecutionSample', 'jdk.NativeMethodSample', 'jdk.ThreadSleep'])
      expect(rows.find(([name]) => name === event)?.[1] ?? 0, event).toBe(counts.get(event));
    expect(read.aggregator.sampleCount).toBeGreaterThan(0);

    expect([other.status, other.stderr]).toEqual([0, '']);
    expect(readFileSync(collapsed, 'utf8')).toMatch(/^.*Busy\.work(?:;.*)? \d+$/m);

    expect((await recorder.list()).map(({ name }) => name)).toEqual(['theirs']);
    await recorder.stop('theirs');
    expect(readdirSync(folder).sort()).toEqual(['out.collapsed', 'out.jfr']);
  });

testUnless(NO_JVM)(
  'sampled by thread dumps: what the threads did, the rate reached and its cost',
  async () => {
    const { pid } = await sharedJvm();
    const out = join(temporaryFolder(), 'out.collapsed');
    const argv = ['record', String(pid), '-o', out, '--with', 'dumps', '-d', '1500ms', '--interval', '50ms'];
    const { status, stderr } = await runCli([...argv, '--share', '50', '--threads', 'name']);
    expect(status).toBe(0);
    const said =
      /: (\d+) thread dumps in [\d.]+ s, [\d.]+ a second \(wanted 20\.0\); .* at safepoints only\n$/.exec(
        stderr,
      );
    const dumps = Number(said?.[1]);
    expect(dumps, stderr).toBeGreaterThan(0);
    // Each dump is one sample of each thread.
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
    for (const worker of ['worker-0', 'worker-1']) {
      const ofWorker = lines.filter((line) => line.startsWith(`[${worker} `));
      expect(ofWorker.every((line) => line.includes('Busy.work'))).toBe(true);
      expect(ofWorker.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(dumps);
    }
  },
);

testUnless(NO_JVM)('sampled by thread dumps: threads by name and pool, and states', async () => {
  const { pid } = await startJvm({ main: 'Known' });
  const folder = temporaryFolder();
  const recorded = async (name: string, ...more: readonly string[]): Promise<string> => {
    const out = join(folder, name);
    const argv = ['record', String(pid), '-o', out, '--with', 'dumps', '-d', '300ms', '--share', '100'];
    const { status, stderr } = await runCli([...argv, ...more]);
    expect([status, stderr]).toEqual([0, expect.stringContaining('thread dumps in')]);
    return readFileSync(out, 'utf8');
  };
  const threadsIn = (text: string, name: RegExp): readonly string[] => [
    ...new Set(Array.from(text.matchAll(name), ([, thread]) => thread)),
  ];
  const named = ['--thread', 'deep-*', '--thread', 'blocked'];
  const dumps = await recorded('named.tdump', ...named);
  expect(threadsIn(dumps, /^"([^"]+)"/gm).toSorted()).toEqual(['blocked', 'deep-0', 'deep-1']);
  const shown = ['--threads', 'name', ...named];
  const all = await recorded('named.collapsed', ...shown);
  expect(threadsIn(all, /^\[?([\w-]+)/gm).toSorted()).toEqual(['blocked', 'deep-0', 'deep-1']);
  const blocked = await recorded('blocked.collapsed', ...shown, '--states', 'BLOCKED,RUNNABLE');
  expect(threadsIn(blocked, /^\[?([\w-]+)/gm)).toEqual(['blocked']);
});

testUnless(NO_JVM)('a flight recording as hprof and pprof', async () => {
  const { pid } = await sharedJvm();
  const folder = temporaryFolder();
  const names = ['a.hprof', 'a.pprof'];
  const recorded = names.map(async (name) => {
    const out = join(folder, name);
    const { status } = await runCli(['record', String(pid), '-o', out, '-d', '1s', '--thread', 'worker-*']);
    expect(status).toBe(0);
    const { stdout } = await runCli(['export', out, '--format', 'collapsed']);
    expect(stdout, name).toMatch(/^java\.lang\.Thread\.run;.*Busy\.work.* \d+$/m);
  });
  await Promise.all(recorded);
  expect(readdirSync(folder).sort()).toEqual(names);
});

testUnless(NO_JVM)(
  'a terminal is told what is recorded, and what was written; others, that a file is gone',
  async () => {
    const { pid } = await sharedJvm();
    const out = join(temporaryFolder(), 'out.jfr');
    const argv = ['record', String(pid), '-o', out, '--duration', '1s'];
    const { status, stdout, stderr } = await runCli(argv, { terminal: true });
    expect([status, stdout]).toEqual([0, '']);
    const [before, after, ...more] = stderr.trimEnd().split('\n');
    expect(before).toMatch(
      new RegExp(
        `^JVM ${pid} \\(Busy\\), up [^:]+: recording for 1\\.0 s into ${out}; Ctrl\\+C ends it earlier$`,
      ),
    );
    const size = formatBytes(statSync(out).size);
    expect([after, more]).toEqual([
      `${out}: written, ${size}; see what is hot with leanscope top ${out}`,
      [],
    ]);
    const again = await runCli(argv);
    expect(again.stderr).toBe(`${out}: replaced, ${formatBytes(statSync(out).size)}\n`);
  },
);

testUnless(NO_JVM)('Ctrl+C ends a recording early, and what there is is written', async () => {
  const { pid } = await sharedJvm();
  const out = join(temporaryFolder(), 'out.jfr');
  const listeners = process.listenerCount('SIGINT');
  // In memory only: the first chunk on the disk begins when this recording did.
  const theirs = await AttachedJvm.open(listedJvm(pid));
  await theirs.jcmd('JFR.start name=theirs disk=false');
  const running = runCli(['record', String(pid), '-o', out, '-d', '1h']);
  const recorder = await recorderOf(pid);
  const names = async (): Promise<string> => (await recorder.list()).map(({ name }) => name).join();
  await waitFor(async () => (await names()).includes(`leanscope-${process.pid}-`), 'its recording');
  process.emit('SIGINT');
  expect((await running).status).toBe(0);
  expect(process.listenerCount('SIGINT')).toBe(listeners);
  expect(await names()).toBe('theirs');
  await theirs.jcmd('JFR.stop name=theirs');
  expect(readInput(readFileSync(out)).decoder.damage).toBeUndefined();
});

testUnless(NO_JVM)(
  'the end of the terminal, or of the session, ends a recording as Ctrl+C does',
  async () => {
    const { pid } = await sharedJvm();
    const recorder = await recorderOf(pid);
    const names = async (): Promise<string> => (await recorder.list()).map(({ name }) => name).join();
    const folder = temporaryFolder();
    const dumps = join(folder, 'out.tdump');
    const sampling = runCli(['record', String(pid), '-o', dumps, '-d', '1h', '--share', '100']);
    await waitFor(() => existsSync(dumps) && statSync(dumps).size > 0, 'a dump');
    process.emit('SIGHUP');
    expect((await sampling).status).toBe(0);
    expect(readFileSync(dumps, 'utf8')).toMatch(/^Leanscope sampling ended: it was stopped$/m);

    const pprof = join(folder, 'out.pprof');
    const recording = runCli(['record', String(pid), '-o', pprof, '-d', '1h']);
    await waitFor(async () => (await names()).includes(`leanscope-${process.pid}-`), 'its recording');
    process.emit('SIGTERM');
    expect((await recording).status).toBe(0);
    expect(await names()).toBe('');
    expect(readInput(readFileSync(pprof)).decoder.damage).toBeUndefined();
  },
);

testUnless(NO_JVM)(
  'killed while it writes, or by a second Ctrl+C, it leaves what the next one stops and removes',
  async () => {
    const { pid } = await sharedJvm();
    const target = temporaryFolder();
    const writing = spawn(
      process.execPath,
      [...HELD_OUTPUT, CLI, 'record', String(pid), '-o', join(target, 'a.jfr'), '-d', '1s'],
      { stdio: 'ignore' },
    );
    onTestFinished(() => void writing.kill('SIGKILL'));
    const isBegun = (name: string): boolean => name.endsWith('.tmp') && statSync(join(target, name)).size > 0;
    const [folder, out] = [temporaryFolder(), temporaryFolder()];
    const command = spawn(
      process.execPath,
      [CLI, 'record', String(pid), '-o', join(out, 'a.collapsed'), '-d', '1h'],
      { env: { ...process.env, TMPDIR: folder }, stdio: 'ignore' },
    );
    onTestFinished(() => void command.kill('SIGKILL'));
    const recorder = await recorderOf(pid);
    const isRecording = async (): Promise<boolean> =>
      (await recorder.list()).some(({ name }) => name.startsWith(`leanscope-${command.pid}-`));
    await waitFor(isRecording, 'its recording');
    expect(readdirSync(folder)).toHaveLength(1);
    // The first one may still be waited for, so there are several.
    while (command.exitCode === null && command.signalCode === null) {
      command.kill('SIGINT');
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(command.signalCode).toBe('SIGINT');
    // That one may have stopped its recording before the second Ctrl+C came; one that is killed surely has not.
    const killed = spawn(
      process.execPath,
      [CLI, 'record', String(pid), '-o', join(temporaryFolder(), 'a.jfr'), '-d', '1h'],
      { env: { ...process.env, TMPDIR: temporaryFolder() }, stdio: 'ignore' },
    );
    onTestFinished(() => void killed.kill('SIGKILL'));
    const isLeft = async (): Promise<boolean> =>
      (await recorder.list()).some(({ name }) => name.startsWith(`leanscope-${killed.pid}-`));
    await waitFor(isLeft, 'the recording of the one that is killed');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(await isLeft()).toBe(true);
    await waitFor(() => readdirSync(target).some(isBegun), 'the temporary file');
    writing.kill('SIGKILL');
    await once(writing, 'exit');
    expect([readdirSync(target).length, readdirSync(folder).length, readdirSync(out).length]).toEqual([
      1, 1, 0,
    ]);
    const next = [process.execPath, CLI, 'record', String(pid), '-d', '2s', '-o'] as const;
    for (const path of [join(target, 'a.jfr'), join(out, 'a.collapsed')]) {
      const { status } = spawnSync(next[0], [...next.slice(1), path], {
        env: { ...process.env, TMPDIR: folder },
      });
      expect(status).toBe(0);
    }
    expect(await recorder.list()).toEqual([]);
    expect([readdirSync(target), readdirSync(folder), readdirSync(out)]).toEqual([
      ['a.jfr'],
      [],
      ['a.collapsed'],
    ]);
  },
);

testUnless(NO_JVM)('a JVM that ends while it is recorded: what it had written is kept', async () => {
  const jvm = await startJvm();
  const out = join(temporaryFolder(), 'out.jfr');
  const running = runCli(['record', String(jvm.pid), '-o', out, '-d', '1h']);
  const recorder = await recorderOf(jvm.pid);
  await waitFor(async () => (await recorder.list()).length > 0, 'its recording');
  const repository = await recorder.repository();
  // Until its first flush there is nothing to keep.
  const flushed = (): boolean =>
    readdirSync(repository).some((name) => {
      const header = readFileSync(join(repository, name)).subarray(0, 68);
      return header.length === 68 && header[64] > 1 && header[64] < 255;
    });
  await waitFor(flushed, 'the first flush');
  jvm.process.kill('SIGKILL');
  const { status, stderr } = await running;
  expect([status, stderr]).toEqual([
    0,
    `JVM ${jvm.pid} (Busy): has ended; what it had written is recorded\n`,
  ]);
  // The JVM could not remove it.
  expect(existsSync(repository)).toBe(false);
  expect(readInput(readFileSync(out)).decoder.damage).toBeUndefined();
});

/** Node and the program may be where only their owner gets. */
const NO_NOBODY =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['-e', 'fs.accessSync(process.argv[1])', inCheckout('package.json')], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
  }).status === 0
    ? undefined
    : 'it needs root, and Node that another user can run';

testUnless(NO_JVM ?? NO_NOBODY)('a JVM of another user is listed, and not recorded', async () => {
  const { pid } = await sharedJvm();
  const asNobody = (...argv: string[]): { readonly stdout: string; readonly stderr: string } =>
    spawnSync(process.execPath, [CLI, ...argv], { uid: NOBODY, gid: NOBODY, cwd: '/', encoding: 'utf8' });
  const { jvms: listed } = JSON.parse(asNobody('jvms', '--json').stdout) as {
    readonly jvms: readonly { readonly pid: number }[];
  };
  expect(listed.find((jvm) => jvm.pid === pid)).toMatchObject({
    main: 'Busy',
    user: 'root',
    possible: [],
    obstacle: 'other user',
  });
  expect(asNobody('record', String(pid), '-o', '/tmp/never.jfr').stderr).toBe(
    `JVM ${pid} (Busy): cannot be attached: it belongs to another user\n`,
  );
});

testUnless(NO_JVM)('what cannot be recorded is said in one line', async () => {
  const { pid } = await startJvm({ jvm: ['-XX:+DisableAttachMechanism'], program: ['other'] });
  const out = join(temporaryFolder(), 'out.jfr');
  const said = async (...argv: string[]): Promise<string> => {
    const { status, stderr } = await runCli(['record', ...argv]);
    return `${status} ${stderr}`;
  };
  expect(await said('no.such.Program', '-o', out)).toBe(
    '1 no.such.Program: no JVM has this pid or name; leanscope jvms lists them\n',
  );
  expect(await said(String(pid), '-o', out)).toBe(
    `1 JVM ${pid} (Busy): cannot be attached: it was started with -XX:+DisableAttachMechanism\n`,
  );
  await startJvm({ program: ['another'] });
  expect(await said('bUs', '-o', out)).toMatch(
    /^1 bUs: is a part of several JVMs' names: .*\d+ Busy.*; give a pid\n$/,
  );
  expect(await said('-o', out)).toMatch(/^2 .*record needs a JVM/);
  expect(await said('7')).toMatch(/^2 .*record needs -o OUT/);
  expect(await said('7', '-o', 'a.what')).toMatch(/^2 .*names no format/);
  expect(await said('7', '-o', out, '-d', 'soon')).toMatch(/^2 .*-d cannot be 'soon'/);
  expect(await said('7', '-o', out, '--with', 'dumps')).toMatch(/^2 .*cannot be written as \.jfr/);
  const dumps = join(temporaryFolder(), 'out.tdump');
  expect(await said('7', '-o', dumps, '--states', 'BLOCKED')).toMatch(
    /^2 .*--states is not for thread dumps/,
  );
  expect(await said('7', '-o', dumps, '--types', 'cpu')).toMatch(/^2 .*--types is for flight recordings/);
  expect(await said('7', '-o', `${out}.collapsed`, '--states', 'BLOCKED')).toMatch(/^2 .*add --with dumps/);
  expect(await said('7', '-o', `${out}.collapsed`, '--with', 'dumps', '--states', 'x')).toMatch(
    /^2 .*cannot be 'x'/,
  );
  expect(await said('7', '-o', dumps, '--hide-errors')).toMatch(/^2 .*--hide-errors is not for thread dumps/);
  expect(await said('7', '-o', out, '--thread', 'main')).toMatch(/^2 .*--thread is not for a \.jfr/);
  expect(existsSync(out)).toBe(false);
});
