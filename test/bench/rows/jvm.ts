import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HostJvms, type JvmLogs } from '../../../electron/host/jvms/host-jvms.ts';
import { RealPaths } from '../../../electron/source/real-paths.ts';
import { AttachedJvm } from '../../../electron/jvm/attach.ts';
import { DumpRecording } from '../../../electron/recording/dump-recording.ts';
import { FlightRecorder, OwnRecording } from '../../../electron/recording/flight-recorder.ts';
import { JvmList } from '../../../electron/jvm/jvm-list.ts';
import type { Jvm } from '../../../electron/jvm/jvm.ts';
import { readFlushedHeader, recordingsIn } from '../../../electron/source/recording-chunks.ts';
import { grownMemory } from '../../support/hour-of-recording.ts';
import { ROOT } from '../checkout.ts';
import { median, percentile } from '../median.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';
import { cpuSeconds, ServedProgram } from '../served-window.ts';

const FIRST_SAMPLES_MS = 2_500;
const PAINTED_MS = 250;
const HOST_PERCENT = 5;
const LIST_MS = 100;
const LIST_PERCENT = 0.2;
const STARTS = 5;
const WATCHED_MS = 20_000;
const LISTED_JVMS = 50;
/** A number for each of 400,000 samples would be more. */
const GROWN_MB = 1;
/** As the host lists them while somebody looks. */
const LIST_EVERY_MS = 2_000;
const ROUNDS = 8;
const ROUND_MS = 2_000;

/** JVMs of this machine. They need a JDK. */
export const JVM_ROWS: readonly BenchRow[] = [
  {
    id: 'jvm-attach',
    what: 'a JVM with two busy threads, clicked in the list',
    short: false,
    measure: attached,
  },
  { id: 'jvm-list', what: `a list of ${LISTED_JVMS} JVMs`, short: false, measure: listed },
  {
    id: 'jvm-hour',
    what: 'an hour of a recording whose stacks repeat',
    short: false,
    measure: () => Promise.resolve(grown()),
  },
  {
    id: 'jvm-overhead',
    what: 'operations per processor second of a JVM that is watched',
    short: false,
    measure: overhead,
  },
];

/** Nothing is opened for a list. */
const NO_LOGS: JvmLogs = {
  openFile: () => Promise.resolve(),
  openRecording: () => Promise.resolve(undefined),
  show: () => undefined,
  endRecording: () => undefined,
  tellSampling: () => undefined,
  tellRecording: () => undefined,
  tellProblem: () => undefined,
};

interface Program {
  readonly pid: number;
  /** Operations so far. */
  operations(): Promise<number>;
  end(): Promise<void>;
}

async function attached(bench: Bench): Promise<Figure[]> {
  const classes = compiled(bench);
  const firsts: number[] = [];
  const delays: number[] = [];
  let hostShare: number | undefined;
  for (let start = 0; start < STARTS; start++) {
    const jvm = await run(classes, 'Busy');
    const program = await ServedProgram.start(bench, { allowsAttach: true });
    try {
      const shown = await program.openPage();
      await shown.page.goto(program.url);
      const row = shown.page.locator(`[data-pid="${jvm.pid}"]`);
      await row.waitFor();
      await row.click();
      await shown.showsSamples(1);
      const { clickedAt, samples } = await shown.record();
      firsts.push((samples.find(([, count]) => count > 0)?.[0] ?? Infinity) - clickedAt);
      if (start > 0) continue;
      const before = cpuSeconds(program.pid);
      const flushes = await flushesOf(jvm.pid);
      const after = cpuSeconds(program.pid);
      if (before !== undefined && after !== undefined)
        hostShare = (100 * (after - before)) / (WATCHED_MS / 1000);
      await pause(1_000);
      const painted = (await shown.record()).samples.map(([at]) => at);
      const origin = await shown.page.evaluate(() => performance.timeOrigin);
      for (const at of flushes)
        delays.push((painted.find((each) => origin + each > at) ?? Infinity) + origin - at);
    } finally {
      await program.stop();
      await jvm.end();
    }
  }
  return [
    {
      id: 'click → first samples, median',
      value: median(firsts),
      unit: 'ms',
      goal: FIRST_SAMPLES_MS,
      detail: { firsts },
    },
    {
      id: 'flush → painted, p95',
      value: percentile(delays, 0.95),
      unit: 'ms',
      goal: PAINTED_MS,
      detail: { delays, median: median(delays) },
    },
    ...(hostShare === undefined
      ? []
      : [{ id: 'host, of a core', value: hostShare, unit: '%', goal: HOST_PERCENT } as const]),
  ];
}

/** When the recording of a JVM was flushed within the next seconds, ms since 1970. */
async function flushesOf(pid: number): Promise<readonly number[]> {
  const folder = await new FlightRecorder(await AttachedJvm.open(jvmOf(pid))).repository();
  const file = openSync(recordingsIn(folder)[0], 'r');
  const flushes: number[] = [];
  const end = performance.now() + WATCHED_MS;
  try {
    let size = readFlushedHeader(file)?.size;
    while (performance.now() < end) {
      const now = readFlushedHeader(file)?.size;
      if (now !== undefined && now !== size) {
        size = now;
        flushes.push(Date.now());
      }
      await pause(2);
    }
  } finally {
    closeSync(file);
  }
  return flushes;
}

async function listed(bench: Bench): Promise<Figure[]> {
  const classes = compiled(bench);
  const programs: Program[] = [];
  try {
    for (let count = 0; count < LISTED_JVMS; count++)
      programs.push(await run(classes, 'Known', ['-Xmx8m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']));
    const first: number[] = [];
    const later: number[] = [];
    const lists = 40;
    const cpuBefore = process.cpuUsage();
    for (let list = 0; list < lists; list++) {
      const fresh = new JvmList();
      const times = [0, 1, 2, 3].map(() => {
        const startedAt = performance.now();
        if (fresh.read().length < LISTED_JVMS) throw new Error('not all JVMs are listed');
        return performance.now() - startedAt;
      });
      first.push(times[0]);
      later.push(times[3]);
    }
    // What the host does at each turn of its timer: the list, its order and texts, and the message.
    const jvms = new HostJvms({ isAllowed: true }, NO_LOGS, new RealPaths());
    let bytes = 0;
    const show = (): Promise<void> =>
      jvms.handle({ type: 'watchJvms', watch: true }, 0, (message) => {
        bytes += JSON.stringify(message).length;
      });
    for (let warm = 0; warm < 20; warm++) await show();
    bytes = 0;
    const steadyBefore = process.cpuUsage();
    for (let each = 0; each < lists; each++) await show();
    const { user, system } = process.cpuUsage(steadyBefore);
    await jvms.stop();
    const cpuMs = (user + system) / 1000 / lists;
    return [
      {
        id: 'first list',
        value: median(first),
        unit: 'ms',
        goal: LIST_MS,
        detail: { first, cpu: process.cpuUsage(cpuBefore) },
      },
      { id: 'later list', value: median(later), unit: 'ms', goal: undefined, detail: { later } },
      {
        id: 'while shown, of a core',
        value: (100 * cpuMs) / LIST_EVERY_MS,
        unit: '%',
        goal: LIST_PERCENT,
        detail: { messageBytes: bytes / lists },
      },
    ];
  } finally {
    await Promise.all(programs.map((program) => program.end()));
  }
}

/** What is held after an hour beyond what was held after ten minutes; there are no new call nodes. */
function grown(): Figure[] {
  const [counts, times] = [grownMemory(false), grownMemory(true)];
  return [
    {
      id: 'more memory after it',
      value: counts.bytes / 1e6,
      unit: 'MB',
      goal: GROWN_MB,
      detail: { ...counts },
    },
    {
      id: 'the same, with times of samples',
      value: times.bytes / 1e6,
      unit: 'MB',
      goal: undefined,
      detail: { ...times },
    },
  ];
}

/**
 * Operations per second of the JVM's processor time, that of the recording included: other programs on the machine hardly
 * change it. Rounds with and without alternate. Pauses of thread dumps take no processor time; they are what is allowed.
 */
async function overhead(bench: Bench): Promise<Figure[]> {
  const program = await run(compiled(bench), 'Throughput');
  const folder = mkdtempSync(join(bench.folder, 'dumps-'));
  try {
    const jvm = jvmOf(program.pid);
    const kinds: Readonly<Record<string, () => Promise<{ stop(): Promise<void> }>>> = {
      'flight recording, profile': () => OwnRecording.start(jvm, 'profile'),
      'flight recording, default': () => OwnRecording.start(jvm, 'default'),
      'thread dumps, 1 % allowed': () =>
        DumpRecording.start(jvm, join(folder, 'sampled.tdump'), { intervalMs: 20, mostShare: 0.01 }),
    };
    const rateOf = async (): Promise<number> => {
      const before = [await program.operations(), cpuSeconds(program.pid) ?? 0];
      await pause(ROUND_MS);
      const after = [await program.operations(), cpuSeconds(program.pid) ?? 0];
      return (after[0] - before[0]) / (after[1] - before[1]);
    };
    // Compiled by then, and JFR is there.
    await (await OwnRecording.start(jvm, 'profile')).stop();
    await pause(ROUND_MS);
    const figures: Figure[] = [];
    for (const [id, start] of Object.entries(kinds)) {
      const losses: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const without = await rateOf();
        const recording = await start();
        const watched = await rateOf();
        await recording.stop();
        losses.push(100 * (1 - watched / without));
      }
      figures.push({
        id: `lost by ${id}`,
        value: median(losses),
        unit: '%',
        goal: undefined,
        detail: { losses },
      });
    }
    return figures;
  } finally {
    await program.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function jvmOf(pid: number): Jvm {
  const jvm = new JvmList().read().find((each) => each.pid === pid);
  if (jvm === undefined) throw new Error(`${pid} is not in the list of JVMs`);
  return jvm;
}

/** The folder of the compiled programs. */
function compiled(bench: Bench): string {
  const folder = mkdtempSync(join(bench.folder, 'classes-'));
  const sources = ['Busy', 'Known', 'Throughput'].map((name) => join(ROOT, `test/support/jvm/${name}.java`));
  const { status, error, stderr } = spawnSync('javac', ['-d', folder, ...sources], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`needs a JDK, whose javac is found: ${error?.message ?? stderr}`);
  return folder;
}

async function run(classes: string, main: string, options: readonly string[] = []): Promise<Program> {
  const child = spawn('java', ['-cp', classes, ...options, main], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let lines = '';
  const line = (): Promise<string> =>
    new Promise((resolve, reject) => {
      void ended.then(() => reject(new Error(`${main} has ended`)));
      const take = (): void => {
        const end = lines.indexOf('\n');
        if (end < 0) {
          child.stdout.once('data', take);
          return;
        }
        const found = lines.slice(0, end);
        lines = lines.slice(end + 1);
        resolve(found);
      };
      take();
    });
  child.stdout.on('data', (piece: Buffer) => (lines += piece.toString()));
  await line();
  return {
    pid: child.pid ?? -1,
    operations: async () => {
      child.stdin.write('\n');
      return Number(await line());
    },
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}
