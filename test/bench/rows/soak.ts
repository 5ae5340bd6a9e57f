import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RecordOutput } from '../../support/log-writer/record-output.ts';
import { StackPool } from '../../support/log-writer/stack-pool.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { type LiveObjects, liveObjectsOfNode, liveObjectsOfPage } from '../live-objects.ts';
import { median } from '../median.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';
import { ownBytes, rendererPids, ServedProgram } from '../served-window.ts';

const MB_PER_HOUR = 1;
/** At least two looks in the second half, between which something can grow. */
const MINUTES = Math.max(4, Number(process.env.SOAK_MINUTES ?? 480));
/** The growth is that of an hour with four samples a second: more of them take less time. */
const SAMPLES_PER_HOUR = 4 * 3600;
const SAMPLES_PER_SECOND = Number(process.env.SOAK_SAMPLES ?? 4);
const FRAMES = 64;
const THREADS = 8;
const STACKS = 2_000;
/** Occurrences of each stack in the log that is opened: none of them is new later. */
const ROUNDS_AT_FIRST = 5;

/**
 * Eight hours of a log that grows, with a window open (docs/reliability.md, D22). Its stacks repeat, so that memory may
 * grow by the times of samples only: 24 bytes each, 0.35 MB an hour in the page, and as much in the host.
 */
export const SOAK_ROWS: readonly BenchRow[] = [
  {
    id: 'soak',
    what: `${MINUTES} minutes of a log that grows, with a window open`,
    short: false,
    longestSeconds: MINUTES * 60 + 240,
    measure: soak,
  },
];

/** What host and page have at one moment. */
interface Look {
  /** Samples so far, in hours of four a second. */
  readonly hours: number;
  readonly hostMB: number;
  readonly pageMB: number;
  /** Objects in use, after a collection of garbage. */
  readonly hostLiveMB: number;
  readonly pageLiveMB: number;
  readonly descriptors: number;
}

async function soak(bench: Bench): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(bench.folder, 'soak-'));
  const log = new GrowingLog(join(folder, 'soak.hpl'));
  log.append(STACKS * ROUNDS_AT_FIRST);
  const program = await ServedProgram.start(bench, { files: [log.path], isInspected: true });
  const looks: Look[] = [];
  const live: LiveObjects[] = [];
  try {
    const shown = await program.openPage();
    await shown.page.goto(program.url);
    await shown.showsSamples(STACKS * ROUNDS_AT_FIRST);
    live.push(await liveObjectsOfNode(program.debuggerUrl ?? ''), await liveObjectsOfPage(shown.page));
    const startedAt = performance.now();
    for (let second = 1; second <= MINUTES * 60; second++) {
      await pause(Math.max(0, startedAt + second * 1000 - performance.now()));
      log.append(SAMPLES_PER_SECOND);
      if (second % 60 === 0) {
        const hours = (second * SAMPLES_PER_SECOND) / SAMPLES_PER_HOUR;
        const [hostLiveMB, pageLiveMB] = await Promise.all(
          live.map(async ({ bytes }) => (await bytes()) / 1e6),
        );
        const look = { hours, hostLiveMB, pageLiveMB, ...(await lookAt(program)) };
        looks.push(look);
        bench.say(JSON.stringify(look));
      }
    }
    // Every sample has arrived: what was measured is not a window that stood still.
    await shown.showsSamples(log.samples);
  } finally {
    await Promise.all(live.map(({ close }) => close()));
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const later = looks.slice(looks.length >> 1);
  const growth = (of: (look: Look) => number): number => slope(later.map((look) => [look.hours, of(look)]));
  return [
    {
      id: 'host, growth an hour in the second half',
      value: growth(({ hostMB }) => hostMB),
      unit: 'MB',
      goal: MB_PER_HOUR,
      detail: { looks },
    },
    {
      id: 'page, growth an hour in the second half',
      value: growth(({ pageMB }) => pageMB),
      unit: 'MB',
      goal: MB_PER_HOUR,
    },
    {
      id: 'objects of the host, the same',
      value: growth(({ hostLiveMB }) => hostLiveMB),
      unit: 'MB',
      goal: MB_PER_HOUR,
    },
    {
      id: 'objects of the page, the same',
      value: growth(({ pageLiveMB }) => pageLiveMB),
      unit: 'MB',
      goal: MB_PER_HOUR,
    },
    {
      id: 'descriptors of the host, most',
      value: Math.max(...looks.map(({ descriptors }) => descriptors)),
      unit: '×',
      goal: undefined,
      detail: { atFirst: looks[0]?.descriptors },
    },
  ];
}

/** Appends samples of the same stacks, at an even pace. */
class GrowingLog {
  readonly path: string;
  samples = 0;
  readonly #pool: StackPool;
  readonly #output: RecordOutput;

  constructor(path: string) {
    this.path = path;
    writeFileSync(path, '');
    this.#output = new RecordOutput((bytes) => appendFileSync(path, bytes));
    this.#pool = new StackPool(new SeededRandom(22), {
      stacks: STACKS,
      methods: 600,
      minDepth: FRAMES,
      maxDepth: FRAMES,
      methodsAre: 'popular',
    });
    for (let thread = 0; thread < THREADS; thread++) this.#output.thread(0, thread + 1, `worker-${thread}`);
  }

  append(samples: number): void {
    for (let sample = 0; sample < samples; sample++, this.samples++) {
      const nanos = this.samples * (1e9 / SAMPLES_PER_SECOND);
      // A stack is always of the same thread, and all of them occur in turn.
      const stack = this.samples % STACKS;
      this.#output.traceStart(FRAMES, 0, 1 + (stack % THREADS), 1_000 + Math.floor(nanos / 1e9), nanos % 1e9);
      this.#pool.write(this.#output, stack);
    }
    this.#output.flush();
  }
}

async function lookAt(program: ServedProgram): Promise<Pick<Look, 'hostMB' | 'pageMB' | 'descriptors'>> {
  const pages = await rendererPids(program.browser);
  return {
    hostMB: (ownBytes(program.pid) ?? NaN) / 1e6,
    pageMB: pages.reduce((sum, pid) => sum + (ownBytes(pid) ?? 0), 0) / 1e6,
    descriptors: readdirSync(`/proc/${program.pid}/fd`).length,
  };
}

/** The median slope between any two points: garbage that waits to be collected at some of them does not count. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x, y], at) =>
    points.slice(at + 1).map(([laterX, laterY]) => (laterY - y) / (laterX - x)),
  );
  return median(slopes);
}
