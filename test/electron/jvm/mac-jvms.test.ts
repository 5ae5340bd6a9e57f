import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { AttachedJvm } from '../../../electron/jvm/attach.ts';
import type { Jvm } from '../../../electron/jvm/jvm.ts';
import { isRunning } from '../../../electron/jvm/attach.ts';
import { MacJvmList } from '../../../electron/jvm/mac-jvm.ts';
import { eventOptions, noSamplesReason } from '../../../electron/recording/flight-recorder.ts';
import { parseProcesses } from '../../../electron/jvm/mac-processes.ts';
import { fakeMac, type ShownProcess } from '../../support/fake-mac.ts';
import { perfDataOf } from '../../support/perf-data-writer.ts';

const { programs } = vi.hoisted(() => ({ programs: { getconf: '', lsof: '', ps: '' } }));
vi.mock('../../../electron/jvm/platform.ts', () => ({
  IS_MAC: true,
  CAN_ATTACH: true,
  MAC_PROGRAMS: programs,
}));

// A process asks for its folder once.
const bin = mkdtempSync(join(tmpdir(), 'leanscope-'));
const folder = join(bin, 'T');
const perfFolder = join(folder, 'hsperfdata_ann');
const mac = fakeMac(folder, bin);
Object.assign(programs, mac.programs);
afterAll(() => rmSync(bin, { recursive: true }));

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(perfFolder, { recursive: true });
  mac.showFiles(['/jdk/bin/java', '/jdk/lib/server/libjvm.dylib']);
});

const OWN = process.geteuid?.() ?? 0;
/** Of a JVM that can be attached to. */
const GOOD = {
  'java.property.java.version': '21.0.4',
  'java.property.java.vm.name': 'OpenJDK 64-Bit Server VM',
  'java.rt.vmArgs': '-Xmx1g -agentpath:/opt/liblagent.dylib=logPath=app.hpl,host=127.0.0.1,port=4242',
  'java.rt.vmFlags': '',
  'sun.rt.javaCommand': 'com.acme.Shop --port 80',
  'sun.rt.jvmCapabilities': '1100',
} as const;
const START_MS = Date.UTC(2026, 0, 9, 8, 7, 6);

type Values = Readonly<Record<string, string | number | undefined>>;

/** Writes the perf data of a JVM that began half a second after its process, `START_MS`. */
function writePerfData(pid: number, values: Values = {}): void {
  const all: Values = { ...GOOD, 'sun.rt.createVmBeginTime': START_MS + 500, ...values };
  const present = Object.entries(all).filter(([, value]) => value !== undefined);
  const file = perfDataOf(Object.fromEntries(present) as Record<string, string | number>);
  writeFileSync(join(perfFolder, String(pid)), file);
}

const java = (pid: number, more: Partial<ShownProcess> = {}): ShownProcess => ({
  pid,
  command: '/jdk/bin/java -cp /a com.acme.Shop --port 80',
  startMs: START_MS,
  ...more,
});

async function listen(pid: number): Promise<void> {
  const server = createServer((socket) => socket.end('0\n'));
  await new Promise<void>((done) => server.listen(join(folder, `.java_pid${pid}`), done));
  onTestFinished(() => void server.close());
}

test('what ps says of processes', () => {
  const line = (time: string, rest = 'ann              /bin/a b'): string =>
    `  7    -2 Ss   ${time} Fri Jan  9 08:07:06 2026     ${rest}`;
  const [found] = parseProcesses(line('  0:01.50'));
  expect(found).toEqual({
    pid: 7,
    userId: 4_294_967_294,
    user: 'ann',
    startMs: START_MS,
    cpuSeconds: 1.5,
    command: '/bin/a b',
  });
  const seconds = (time: string): number | undefined => parseProcesses(line(time))[0]?.cpuSeconds;
  expect(['123:04.25', '1:02:03', '2-01:00:00', 'soon'].map(seconds)).toEqual([
    7_384.25,
    3_723,
    176_400,
    undefined,
  ]);
  const lines = [
    '',
    '  PID   UID',
    line('0:00.00').replace(' Ss ', ' Z  '),
    `${line('0:00.00')} `,
    'a'.repeat(1e6),
  ];
  expect(parseProcesses(lines.join('\n')).map(({ command }) => command)).toEqual(['/bin/a b ']);
});

test('JVMs with and without perf data, of others, left over ones, and why some cannot be attached to', async () => {
  mac.show([
    java(10, { time: '1:40.00' }),
    java(11),
    java(12, { userId: OWN + 1, user: 'bob' }),
    java(13, { command: '/Applications/Shop.app/Contents/MacOS/Shop --fast' }),
    java(14, { command: '/bin/zsh' }),
    java(15, { state: 'Z' }),
    ...[20, 21, 22, 23, 24, 25, 26].map((pid) => java(pid)),
  ]);
  for (const pid of [10, 13, 15]) writePerfData(pid);
  // Of a process that was killed before, whose number another one has now.
  for (const pid of [11, 14]) writePerfData(pid, { 'sun.rt.createVmBeginTime': START_MS - 60_000 });
  writePerfData(20, { 'java.property.java.vm.name': 'Eclipse OpenJ9 VM' });
  writePerfData(21, { 'sun.rt.jvmCapabilities': '0100' });
  writePerfData(22, { 'java.rt.vmArgs': '-Xmx1g -Xrs' });
  writePerfData(23, { 'java.rt.vmFlags': '+ReduceSignalUsage' });
  writePerfData(24, { 'java.rt.vmFlags': undefined });
  writePerfData(25, { 'sun.rt.createVmBeginTime': 0 });
  writePerfData(26, { 'java.rt.vmArgs': '-Xrs' });
  await listen(26);
  const list = new MacJvmList();
  const jvms = await list.read();
  const short = ({ pid, main, can, obstacle }: Jvm): string =>
    [pid, main, can.join('+'), obstacle ?? 'can be attached to'].join(' | ');
  expect(jvms.map(short)).toEqual([
    '10 | com.acme.Shop | jfr+dumps | can be attached to',
    '11 | com.acme.Shop |  | no perf data',
    '12 | com.acme.Shop |  | other user',
    '13 | com.acme.Shop | jfr+dumps | can be attached to',
    '20 | com.acme.Shop |  | not HotSpot',
    '21 | com.acme.Shop |  | attach disabled',
    '22 | com.acme.Shop |  | SIGQUIT not caught',
    '23 | com.acme.Shop |  | SIGQUIT not caught',
    '24 | com.acme.Shop |  | no perf data',
    '25 | com.acme.Shop |  | no perf data',
    '26 | com.acme.Shop | jfr+dumps | can be attached to',
  ]);
  const [first, , others] = jvms;
  expect(first.cpu * first.uptime).toBeCloseTo(100);
  expect([first.mainArguments, first.version, first.jvmArguments.length]).toEqual(['--port 80', '21.0.4', 2]);
  // The working folder of the JVM, from which its agent names the log, is not known.
  expect(first.agent).toEqual({
    library: '/opt/liblagent.dylib',
    log: undefined,
    control: { host: '127.0.0.1', port: 4_242 },
  });
  expect([others.user, others.mainArguments]).toEqual(['bob', '--port 80']);

  // Those that were about to start are looked at again, the others are not.
  for (const pid of [10, 25]) writePerfData(pid, { 'sun.rt.javaCommand': 'Later' });
  const later = await list.read();
  const mains = new Map(later.map(({ pid, main }) => [pid, main]));
  expect([mains.get(10), mains.get(25)]).toEqual(['com.acme.Shop', 'Later']);
});

test('lists that are wanted at once run ps once; one that fails is made again', async () => {
  const list = new MacJvmList();
  mac.show([java(10)]);
  const before = mac.runs('ps').length;
  const [one, two] = await Promise.all([list.read(), list.read()]);
  expect([two === one, one.length, mac.runs('ps').length - before]).toEqual([true, 1, 1]);
  programs.ps = join(folder, 'none');
  onTestFinished(() => void (programs.ps = mac.programs.ps));
  await expect(list.read()).rejects.toThrow('ENOENT');
  programs.ps = mac.programs.ps;
  expect(await list.read()).toHaveLength(1);
});

/** A program that SIGQUIT would end, with all that a JVM has, and what a list says of it. */
async function quiet(): Promise<{ readonly jvm: Jvm; readonly isThere: () => boolean }> {
  const child = spawn('sleep', ['1000']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid!;
  mac.show([java(pid)]);
  writePerfData(pid);
  const [jvm] = await new MacJvmList().read();
  expect([jvm.pid, jvm.obstacle]).toEqual([pid, undefined]);
  return { jvm, isThere: () => child.exitCode === null && child.signalCode === null };
}

test.each<readonly [what: string, change: (pid: number) => void, reason: string]>([
  ['no library of HotSpot', () => mac.showFiles(['/usr/bin/sleep']), 'it is not a HotSpot JVM'],
  [
    'another JVM than HotSpot',
    () => mac.showFiles(['/j9/lib/server/libjvm.dylib', '/j9/lib/default/libj9vm29.dylib']),
    'it is not a HotSpot JVM',
  ],
  ['no answer of lsof', () => (programs.lsof = join(folder, 'none')), 'it is not a HotSpot JVM'],
  ['no process', () => mac.show([]), 'has ended'],
  ['another number', () => mac.showLines(['']), 'has ended'],
  ['another user', (pid) => mac.show([java(pid, { userId: OWN + 1 })]), 'has changed'],
  ['a later process', (pid) => mac.show([java(pid, { startMs: START_MS + 9_000 })]), 'missing or incomplete'],
  ['no perf data', () => rmSync(perfFolder, { recursive: true }), 'missing or incomplete'],
  [
    'another JVM in the process',
    (pid) => writePerfData(pid, { 'sun.rt.createVmBeginTime': START_MS + 2_000 }),
    'has ended',
  ],
  ['fewer signals', (pid) => writePerfData(pid, { 'java.rt.vmArgs': '-Xrs' }), 'does not catch SIGQUIT'],
  ['an older answer', (pid) => writePerfData(pid, { 'java.rt.vmArgs': undefined }), 'missing or incomplete'],
])('no signal is sent to what is listed as a JVM and has: %s', async (_, change, reason) => {
  const { jvm, isThere } = await quiet();
  const kill = vi.spyOn(process, 'kill');
  onTestFinished(() => {
    kill.mockRestore();
    programs.lsof = mac.programs.lsof;
  });
  change(jvm.pid);
  await expect(AttachedJvm.open(jvm)).rejects.toThrow(reason);
  expect(kill.mock.calls.filter(([, signal]) => signal !== 0)).toEqual([]);
  expect(isThere()).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a JVM whose perf data and socket are gone has ended; with one of them it has not', async () => {
  const { jvm } = await quiet();
  expect(isRunning(jvm)).toBe(true);
  rmSync(perfFolder, { recursive: true });
  expect(isRunning(jvm)).toBe(false);
  await listen(jvm.pid);
  expect(isRunning(jvm)).toBe(true);
  expect(isRunning({ ...jvm, pid: 2 ** 22 + 1 })).toBe(false);
});

test('CPU time, which JVMs sample on Linux only, is not asked for', () => {
  expect(noSamplesReason('25.0.1', ['cpu-time'])).toContain('on Linux only');
  expect(noSamplesReason('25.0.1', ['cpu', 'cpu-time'])).toBeUndefined();
  expect(eventOptions('25.0.1', ['cpu', 'cpu-time', 'allocations', 'locks'])).toEqual([]);
});
