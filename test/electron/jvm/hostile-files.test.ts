import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { agentLogOf } from '../../../electron/host/jvms/host-agents.ts';
import { RealPaths } from '../../../electron/source/real-paths.ts';
import { AttachedJvm, jvmName, parseProperties } from '../../../electron/jvm/attach.ts';
import {
  FlightRecorder,
  OwnRecording,
  parseRecordings,
  repositoryFolder,
} from '../../../electron/recording/flight-recorder.ts';
import { InstalledVersions } from '../../../electron/jvm/installed-version.ts';
import { JvmList } from '../../../electron/jvm/jvm-list.ts';
import { perfDataIn } from '../../../electron/jvm/perf-data.ts';
import {
  processStatus,
  processTimes,
  findVisiblePath,
  visiblePath,
} from '../../../electron/jvm/process-places.ts';
import { newRecordingName } from '../../../electron/recording/recording-name.ts';
import { endedProcess } from '../../support/ended-process.ts';
import { listenAsJvm } from '../../support/fake-attach-socket.ts';
import { jvmOf } from '../../support/fake-jvm.ts';
import { startFakeJava } from '../../support/fake-java.ts';
import { NO_FAKE_HOTSPOT, startFakeHotSpot } from '../../support/fake-hotspot.ts';
import { listedJvm } from '../../support/listed-jvm.ts';
import { javaInRoot, NO_OTHER_ROOT } from '../../support/other-root.ts';
import { perfDataOf } from '../../support/perf-data-writer.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { onLinux, testUnless } from '../../support/test-unless.ts';

onLinux('a link in place of the request to attach is not followed', async () => {
  const folder = temporaryFolder();
  const valuable = join(folder, 'valuable');
  writeFileSync(valuable, 'kept');
  const child = spawn('sleep', ['60'], { cwd: folder });
  onTestFinished(() => void child.kill());
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  symlinkSync(valuable, join(folder, `.attach_pid${pid}`));
  const target = {
    pid,
    ownPid: processStatus(pid)?.ownPid ?? pid,
    startTicks: processTimes(pid)?.startTicks ?? 0,
    main: 'sleep',
    userId: process.geteuid?.() ?? 0,
    obstacle: undefined,
  };
  await expect(AttachedJvm.open(target)).rejects.toThrow(/not a HotSpot JVM/);
  expect(readFileSync(valuable, 'utf8')).toBe('kept');
  // No signal was sent to what is no JVM.
  expect(child.exitCode ?? child.signalCode).toBeNull();
  expect(readdirSync(folder).sort()).toEqual([`.attach_pid${pid}`, 'valuable'].sort());
});

onLinux('perf data is read of a regular file of its user only', () => {
  const folder = temporaryFolder();
  const user = process.geteuid?.() ?? 0;
  const wanted = new Set(['java.property.java.version']);
  const good = gunzipSync(readFileSync('test/golden/jvm/jdk17.hsperfdata.gz'));
  const read = (asUser = user): unknown =>
    perfDataIn(folder, 7, { user: asUser, wanted })?.get('java.property.java.version');
  for (const name of ['a', 'b', 'c', 'd']) mkdirSync(join(folder, `hsperfdata_${name}`));
  const file = (name: string): string => join(folder, `hsperfdata_${name}`, '7');
  spawnSync('mkfifo', [file('a')]);
  writeFileSync(file('b'), good);
  truncateSync(file('b'), 5 << 30);
  writeFileSync(join(folder, 'other'), good);
  symlinkSync(join(folder, 'other'), file('c'));
  expect(read()).toBeUndefined();
  writeFileSync(file('d'), good);
  expect(read()).toMatch(/^17/);
  // Those of root are read for all users.
  if (user !== 0) expect(read(user + 1)).toBeUndefined();
});

onLinux('a recording whose name is more than a name is not stopped', async () => {
  const commands: string[] = [];
  const name = newRecordingName(endedProcess());
  const names = [name, `${name} verbose=true`];
  const jvm = {
    jcmd: (command: string) => {
      commands.push(command);
      return Promise.resolve(names.map((name, at) => `Recording ${at}: name=${name} (running)`).join('\n'));
    },
  } as unknown as AttachedJvm;
  await new FlightRecorder(jvm).stopAbandoned();
  expect(commands).toEqual(['JFR.check', `JFR.stop name=${name}`]);
});

test('answers of a JVM are read as far as they can be those of one', () => {
  const recording = (name: string): string => `Recording 1: name=${name} duration=1s (running)`;
  const names = (text: string): readonly string[] => parseRecordings(text).map(({ name }) => name);
  expect(names(`${recording('a b')}\n${recording('x'.repeat(100_000))}\n${recording('c')}`)).toEqual([
    'a b',
    'c',
  ]);
  expect(names(`${recording('a')}\n`.repeat(5_000))).toHaveLength(1_000);
  // Expressions on such a line use up the stack.
  const properties = parseProperties(`${'a'.repeat(20_000_000)}\nb=1\n#c=2\nd\\:e=\\u0041\n`);
  expect([...properties]).toEqual([
    ['b', '1'],
    ['d:e', 'A'],
  ]);
});

onLinux('what a JVM answers in place of an answer is said in a short line', async () => {
  listenAsJvm(() => `\n\n  no: ${'x'.repeat(1_000_000)}\nmore\n`);
  const main = `Busy${'.'.repeat(1_000_000)}`;
  const recorder = new FlightRecorder(await AttachedJvm.open({ ...jvmOf(), main }));
  const starting = recorder.start('a', { settings: 'default', flushes: true, maxMegabytes: 1 });
  await expect(starting).rejects.toThrow(/^JVM \d+ \(Busy\.+…\): no: x{296}…$/);
  await expect(recorder.dump('a', '/tmp/b')).rejects.toThrow(/: no: /);
  expect(jvmName({ pid: 1, main })).toHaveLength('JVM 1 ()'.length + 201);
});

testUnless(NO_FAKE_HOTSPOT)(
  'a Java runtime without the flight recorder is sampled by thread dumps',
  async () => {
    const { jvm } = await startFakeHotSpot('');
    const { pid } = jvm;
    const folder = `/tmp/hsperfdata_leanscope-${pid}`;
    mkdirSync(folder);
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const properties = {
      'java.property.java.version': '17.0.12',
      'java.property.java.vm.name': 'OpenJDK 64-Bit Server VM',
    };
    writeFileSync(join(folder, String(pid)), perfDataOf(properties));
    const thread =
      '"main" #1 prio=5 tid=0x01 nid=0x1 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat a.A.b(A.java)\n';
    listenAsJvm(
      (command) =>
        command === 'jcmd'
          ? 'Module jdk.jfr not found.\nFlight Recorder can not be enabled.\n'
          : `Full thread dump OpenJDK 64-Bit Server VM (17.0.12):\n\n${thread}\n`,
      pid,
    );
    const out = temporaryFolder();
    const record = (name: string, ...more: string[]): ReturnType<typeof runCli> =>
      runCli(['record', String(pid), '-o', join(out, name), '-d', '1ms', '--share', '100', ...more]);
    const why = 'its Java runtime has no flight recorder (module jdk.jfr)';
    const sampled = await record('a.collapsed');
    expect(sampled.stderr).toMatch(
      new RegExp(`^JVM ${pid} \\(perl\\): ${why.replace(/[()]/g, '.')}: sampling by`),
    );
    expect([sampled.status, readFileSync(join(out, 'a.collapsed'), 'utf8')]).toEqual([
      0,
      expect.stringMatching(/^a\.A\.b \d+\n$/),
    ]);
    expect(await record('a.jfr')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${why}, so there is no .jfr; name another format`) as string,
    });
    expect(await record('a.collapsed', '--with', 'jfr')).toMatchObject({
      status: 1,
      stderr: `JVM ${pid} (perl): ${why}; record it --with dumps\n`,
    });
  },
);

onLinux('a recording of sample types that the JVM does not have is not started', async () => {
  const asked: string[] = [];
  listenAsJvm((_, argument) => {
    asked.push(argument);
    return argument.startsWith('JFR.start') ? 'Started recording 1.' : 'Repository path: /tmp';
  });
  const started = (version: string): Promise<unknown> =>
    OwnRecording.start({ ...jvmOf(), version }, 'profile', ['cpu-time']).then((recording) =>
      recording.stop(),
    );
  await expect(started('17.0.12')).rejects.toThrow(
    /^JVM \d+ \(Busy\): Java 17 does not sample CPU time, which JDK 25 and later do; choose another sample type$/,
  );
  expect(asked).toEqual([]);
  await started('25.0.1');
  expect(asked.find((command) => command.startsWith('JFR.start'))).toContain(
    'jdk.CPUTimeSample#enabled=true',
  );
});

onLinux('an answer that never ends is not waited for', async () => {
  listenAsJvm(() => undefined);
  const jvm = await AttachedJvm.open(jvmOf());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const answer = expect(jvm.jcmd('JFR.check')).rejects.toThrow('has not finished its answer in time');
  vi.advanceTimersByTime(120_000);
  await answer;
});

test('a file that cannot be written is refused before anything is recorded', async () => {
  const folder = temporaryFolder();
  const said = async (out: string): Promise<string> =>
    (await runCli(['record', 'no.such.Program', '-o', join(folder, out)])).stderr;
  expect(await said('none/out.jfr')).toMatch(/none\/out\.jfr: /);
  expect(await said('out.jfr')).toMatch(/^no\.such\.Program: /);
  expect(readdirSync(folder)).toEqual([]);
});

onLinux('the version file of a JDK is read if it is a regular file only', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  const pid = await startFakeJava(['Main'], join(folder, 'bin'));
  const release = join(folder, 'release');
  const version = (): string | undefined => {
    const jvm = listedJvm(pid);
    expect(jvm.main).toBe('Main');
    return jvm.version;
  };
  writeFileSync(release, 'JAVA_VERSION="21.0.1"\n');
  expect(version()).toBe('21.0.1');
  rmSync(release);
  // Somebody writes into it, so that reading it would end.
  spawnSync('mkfifo', [release]);
  const writer = spawn('sh', ['-c', `echo 'JAVA_VERSION="99"' > "$0"`, release]);
  onTestFinished(() => void writer.kill());
  expect(version()).toBeUndefined();
});

/** A program called java, which is none, beside a file for the version of its JDK. */
async function startOther(): Promise<{ readonly pid: number; readonly release: string }> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  return { pid: await startFakeJava(['Main'], join(folder, 'bin')), release: join(folder, 'release') };
}

onLinux('the version file is not waited for, which may be on a drive that is gone', async () => {
  const { pid, release } = await startOther();
  writeFileSync(release, 'JAVA_VERSION="21.0.1"\n');
  const versionIn = (list: JvmList): readonly unknown[] => {
    const { version, isVersionAwaited } = list.read().find((jvm) => jvm.pid === pid)!;
    return [version, isVersionAwaited];
  };
  const asked: Promise<unknown>[] = [];
  const answered = new InstalledVersions((ask) => {
    const answer = ask();
    asked.push(answer);
    return answer;
  });
  const list = new JvmList(answered.of);
  expect(versionIn(list)).toEqual([undefined, true]);
  await Promise.all(asked);
  expect(versionIn(list)).toEqual(['21.0.1', false]);
  expect(versionIn(list)).toEqual(['21.0.1', false]);
  const silent = new JvmList(new InstalledVersions(() => new Promise(() => undefined)).of);
  expect([versionIn(silent), versionIn(silent)]).toEqual([
    [undefined, true],
    [undefined, true],
  ]);
});

onLinux(
  'a version that is not found in time is found later: asked for again, or by its late answer',
  async () => {
    const { pid, release } = await startOther();
    const later: (() => Promise<unknown>)[] = [];
    let within: (ask: () => Promise<unknown>) => Promise<undefined> = () => Promise.resolve(undefined);
    const versions = new InstalledVersions((ask) => within(ask));
    const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
    const awaited = { version: undefined, isAwaited: true };
    // Other files are overdue: nothing is asked for now.
    expect(versions.of(pid)).toEqual(awaited);
    await turn();
    within = (ask) => {
      later.push(ask);
      return Promise.resolve(undefined);
    };
    expect(versions.of(pid)).toEqual(awaited);
    await turn();
    expect(later).toHaveLength(1);
    // The drive fails, which is no answer of a JDK: a socket cannot be opened.
    const drive = createServer().listen(release);
    await once(drive, 'listening');
    let answer: Promise<unknown> | undefined;
    within = (ask) => {
      answer = ask();
      return Promise.resolve(undefined);
    };
    expect(versions.of(pid)).toEqual(awaited);
    await answer;
    drive.close();
    await once(drive, 'close');
    writeFileSync(release, 'JAVA_VERSION="21.0.1"\n');
    expect(versions.of(pid)).toEqual(awaited);
    // In the meantime it is not asked for once more, although it is late.
    const late = answer;
    expect(versions.of(pid)).toEqual(awaited);
    expect(answer).toBe(late);
    await late;
    expect(versions.of(pid)).toEqual({ version: '21.0.1', isAwaited: false });
  },
);

onLinux('a JDK without a version is not awaited, nor asked for again', async () => {
  const { pid } = await startOther();
  const asked: Promise<unknown>[] = [];
  const versions = new InstalledVersions((ask) => {
    const answer = ask();
    asked.push(answer);
    return answer;
  });
  versions.of(pid);
  await Promise.all(asked);
  expect(versions.of(pid)).toEqual({ version: undefined, isAwaited: false });
  expect(asked).toHaveLength(1);
});

test('a repository on a drive that is gone: the reason is said', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const found = repositoryFolder({ pid: 7, main: 'Busy' }, '/gone', () => new Promise(() => undefined));
  const refused = expect(found).rejects.toThrow(
    'JVM 7 (Busy): the folder of its recordings, /gone, was not found in time: a file system does not answer',
  );
  vi.advanceTimersByTime(5_000);
  await refused;
});

testUnless(NO_OTHER_ROOT)(
  'the log of an agent in a container is found where this process sees it, when it is opened',
  async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'srv'));
    for (const log of ['/srv/a.hpl', '/srv/not/yet.hpl']) {
      const pid = await javaInRoot(root, [`-agentpath:/opt/liblagent.so=logPath=${log}`]);
      const visible = `/proc/${pid}/root${log}`;
      const jvm = listedJvm(pid);
      // No file is looked at for a list: its file system may not answer.
      expect(jvm.agent?.log).toBe(log);
      expect(await agentLogOf(jvm, new RealPaths())).toBe(visible);
      expect((await runCli(['jvms', '--json'])).stdout).toContain(`"log":"${visible}"`);
      await expect(agentLogOf(jvm, { within: () => Promise.resolve(undefined) })).rejects.toThrow(
        `${log}, was not found in time: a file system does not answer`,
      );
    }
    for (const find of [visiblePath, findVisiblePath]) {
      expect(await find(process.pid, '/srv/not/there')).toBe('/srv/not/there');
      expect(await find(2 ** 30, '/srv/a.hpl')).toBe('/srv/a.hpl');
    }
  },
);
