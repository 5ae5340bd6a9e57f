import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { LineSplitter } from '../../bytes/line-splitter.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';
import { type Choice, type Chosen, chosenOption } from '../../facts/choice.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import { factTable, type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import { formatQuantity } from '../../text/format-value.ts';
import { SNAPSHOT_CELLS, SnapshotMerge } from '../snapshot-merge.ts';
import { DumpFrames } from './dump-frames.ts';
import { DumpLocks } from './dump-locks.ts';
import { type DumpThread, DumpThreads } from './dump-threads.ts';
import { readFileHeader, readThreadHeader, virtualName } from './thread-header.ts';

const ALL = 'all';
/** For carriers of virtual threads, and the threads that they carry: the dump has no state for them. */
const NO_STATE = 'none';
/** java.lang.Thread.State */
const STATES = ['RUNNABLE', 'BLOCKED', 'WAITING', 'TIMED_WAITING', 'NEW', 'TERMINATED'] as const;
const STATE_CHOICES = [ALL, ...STATES, NO_STATE] as const;

/**
 * Decodes consecutive thread dumps of jstack, jcmd Thread.print or a VM that received SIGQUIT. Each dump is one sample
 * of every thread with a stack.
 *
 *   2026-11-20 11:42:18
 *   Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):
 *
 *   "http-0" #15 daemon prio=5 os_prio=0 cpu=1009.30ms elapsed=5.61s tid=0x00007f93 nid=0xbb0 sleeping [0x00007f93]
 *      java.lang.Thread.State: TIMED_WAITING (sleeping)
 *           at java.lang.Thread.sleep(java.base@17.0.15/Native Method)
 *           at demo.shop.Shop.pause(Shop.java:47)
 *           - locked <0x0000000687400488> (a demo.shop.Shop)
 *
 * `jcmd Thread.dump_to_file` writes fewer details, but all virtual threads:
 *
 *   #21 "" virtual
 *         java.base/java.lang.Thread.run(Thread.java:1583)
 *
 * Lines between dumps, as in the output of a server, are skipped.
 */
export class ThreadDumpDecoder implements ProfileDecoder {
  /** Always undefined: after invalid lines, the next dump can be read. */
  readonly damage = undefined;
  /** Number of threads in all dumps, with and without stacks. */
  records = 0;
  readonly #sink: SampleSink;
  readonly #selectedState: (typeof STATE_CHOICES)[number];
  readonly #lines = new LineSplitter();
  readonly #merge: SnapshotMerge;
  readonly #frames: DumpFrames;
  readonly #threads = new DumpThreads();
  readonly #locks = new DumpLocks();
  readonly #samplesByState = new Map<string, number>();
  #accepted = 0;
  #skipped = 0;

  /** Number of dumps, including an incomplete one. */
  #dumps = 0;
  /** Within the list of threads or of deadlocks. */
  #isInDump = false;
  /** Time of the latest dump in ms; NaN if unknown. */
  #ms = NaN;
  /** Time of the first dump that has one. */
  #firstMs = NaN;
  /** Time in the latest line of time, which belongs to the next dump. */
  #nextMs = NaN;
  /** A dump is later than the one before it. */
  #hasSteps = false;
  #backwardSteps = 0;
  #thread: DumpThread | undefined;
  /** The next line may belong to the thread's stack. */
  #isInStack = false;
  /** The thread's frames have no `at` before them. */
  #hasBareFrames = false;
  /** Frames of the current thread, leaf first. */
  #stack = new Int32Array(64);
  #depth = 0;
  #cells = new Int32Array(64 * SNAPSHOT_CELLS);
  /** The first line of a thread whose name contains a line break. */
  #begunName: string | undefined;
  #withoutStack = 0;
  #deadlocks = 0;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#selectedState = chosenOption(chosen, 'state', STATE_CHOICES, ALL);
    this.#merge = new SnapshotMerge(sink);
    this.#frames = new DumpFrames(sink);
  }

  append(bytes: Uint8Array): void {
    this.#lines.take(bytes);
    this.#readLines();
  }

  settle(ended: boolean): void {
    if (!ended) return;
    this.#lines.end();
    this.#readLines();
    this.#endThread();
  }

  get bytes(): ByteAccount {
    return { accepted: this.#accepted, skipped: this.#skipped, pending: this.#lines.pending };
  }

  #readLines(): void {
    const lines = this.#lines;
    while (lines.next()) {
      const length = lines.nextOffset - lines.offset;
      if (this.#readLine(lines.bytes, lines.from, lines.to)) this.#accepted += length;
      else this.#skipped += length;
    }
  }

  /** Reads a line; false if it does not belong to a dump. */
  #readLine(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from;
    while (at < to && (bytes[at] === BLANK || bytes[at] === TAB)) at++;
    if (at === to) {
      this.#endStack();
      return this.#dumps > 0;
    }
    if (at === from) return this.#readUnindented(textOf(bytes, from, to));
    this.#begunName = undefined;
    if (bytes[at] === LETTER_A && bytes[at + 1] === LETTER_T && bytes[at + 2] === BLANK && at + 3 < to) {
      if (this.#isInStack) this.#push(this.#frames.take(bytes, at + 3, to));
    } else if (bytes[at] === HYPHEN) {
      const thread = this.#thread;
      if (thread !== undefined) this.#locks.take(textOf(bytes, at, to).trimEnd(), thread.name);
    } else if (this.#isInStack && this.#hasBareFrames) this.#push(this.#frames.take(bytes, at, to));
    else if (this.#isInStack) this.#readThreadLine(textOf(bytes, at, to));
    return this.#isInDump;
  }

  #readThreadLine(line: string): void {
    const thread = this.#thread;
    if (thread === undefined) return;
    const state = /^java\.lang\.Thread\.State: ([A-Z_]+)/.exec(line);
    if (state !== null) thread.state = state[1];
    // JDK 21 writes the stack of a carrier thread, then the stack of the virtual thread that it carries.
    const mounted = /^Mounted virtual thread #(\d+)/.exec(line);
    if (mounted === null) return;
    const number = mounted[1];
    this.#beginThread(
      this.#threads.take(
        {
          name: virtualName(number),
          number,
          isDaemon: true,
          cpu: undefined,
          elapsed: undefined,
        },
        this.#dumps,
      ),
    );
  }

  #readUnindented(line: string): boolean {
    const begun = this.#begunName;
    this.#begunName = undefined;
    if (line.includes('tid=0x')) {
      const header = readThreadHeader(begun === undefined ? line : `${begun}\n${line}`);
      if (header !== undefined) {
        if (!this.#isInDump) this.#beginDump();
        this.#beginThread(this.#threads.take(header, this.#dumps));
        return true;
      }
    }
    const inFile = line.startsWith('#') ? readFileHeader(line) : undefined;
    if (inFile !== undefined) {
      if (!this.#isInDump) this.#beginDump();
      const thread = this.#threads.take(inFile, this.#dumps);
      thread.state = inFile.state;
      this.#beginThread(thread);
      this.#hasBareFrames = true;
      return true;
    }
    this.#endThread();
    if (line.startsWith('Full thread dump')) {
      this.#beginDump();
      return true;
    }
    const time = TIME.exec(line);
    if (time !== null) {
      this.#isInDump = false;
      // A VM writes local time without a zone, which is good enough for intervals. Only dumps to files have a Z.
      this.#nextMs = Date.UTC(+time[1], +time[2] - 1, +time[3], +time[4], +time[5], +time[6]);
      return true;
    }
    if (line.startsWith('"')) this.#begunName = line;
    // The list of deadlocks after the threads has only names of threads, without the rest of their headers.
    const isDeadlock = line.startsWith('Found one Java-level deadlock');
    if (isDeadlock) this.#deadlocks++;
    const wasInDump = this.#isInDump;
    this.#isInDump = (wasInDump || isDeadlock) && !LAST_LINE.test(line);
    return wasInDump || isDeadlock;
  }

  #beginDump(): void {
    this.#dumps++;
    this.#isInDump = true;
    if (this.#nextMs > this.#ms) this.#hasSteps = true;
    if (this.#nextMs < this.#ms) this.#backwardSteps++;
    this.#ms = this.#nextMs;
    this.#nextMs = NaN;
    if (Number.isNaN(this.#firstMs)) this.#firstMs = this.#ms;
    this.#locks.beginDump();
  }

  #beginThread(thread: DumpThread): void {
    this.#endThread();
    this.records++;
    this.#thread = thread;
    this.#isInStack = true;
    this.#hasBareFrames = false;
    this.#depth = 0;
    this.#locks.beginThread();
  }

  #endThread(): void {
    this.#endStack();
    this.#thread = undefined;
  }

  /** Counts the stack. The thread continues after an empty line with its locks. */
  #endStack(): void {
    const thread = this.#thread;
    if (!this.#isInStack || thread === undefined) return;
    this.#isInStack = false;
    if (this.#depth === 0) {
      this.#withoutStack++;
      return;
    }
    const state = thread.state ?? NO_STATE;
    this.#samplesByState.set(state, (this.#samplesByState.get(state) ?? 0) + 1);
    if (this.#selectedState !== ALL && this.#selectedState !== state) return;
    const depth = this.#depth;
    if (depth * SNAPSHOT_CELLS > this.#cells.length) this.#cells = new Int32Array(2 * depth * SNAPSHOT_CELLS);
    for (let level = 0; level < depth; level++)
      this.#frames.copyCells(this.#stack[depth - 1 - level], this.#cells, level * SNAPSHOT_CELLS);
    const index = this.#sink.thread(0, thread.id);
    this.#sink.nameThread(index, thread.name);
    this.#merge.add(index, this.#dumps, this.#ms, this.#cells, depth);
  }

  #push(frame: number): void {
    if (this.#depth === this.#stack.length)
      this.#stack = grown(this.#stack, nextCapacity(this.#depth, this.#depth + 1));
    this.#stack[this.#depth++] = frame;
  }

  facts(): FormatFacts {
    return {
      ...NO_FACTS,
      units: this.#hasSteps ? SAMPLES_AND_TIME : SAMPLES_ONLY,
      choices: [this.#stateChoice()],
      notes: this.#notes(),
      tables: [
        this.#threads.table(),
        this.#locks.table(),
        factTable(
          'States',
          [
            { name: 'State', kind: 'text' },
            { name: 'Stacks', kind: 'count' },
          ],
          [...this.#samplesByState].sort(([, a], [, b]) => b - a),
        ),
      ],
      firstTime: timeOf(this.#firstMs),
      lastTime: timeOf(this.#ms),
      backwardSteps: Number.isNaN(this.#firstMs) ? undefined : this.#backwardSteps,
    };
  }

  #stateChoice(): Choice {
    return {
      id: 'state',
      name: 'Thread state',
      hint: 'Only stacks of threads in this state.',
      kind: 'one',
      options: [
        { value: ALL, text: 'All states' },
        ...STATES.map((state) => ({ value: state, text: state })),
        { value: NO_STATE, text: 'Without a state' },
      ],
      chosen: this.#selectedState,
    };
  }

  #notes(): string[] {
    const notes = [this.#dumps === 1 ? 'One thread dump.' : `${this.#dumps} thread dumps.`];
    if (this.#hasSteps)
      notes.push(
        'Time is measured between consecutive dumps, in whole seconds, and counts for the frames that both stacks of a thread have in common.',
      );
    if (this.#deadlocks > 0)
      notes.push(`The VM found ${this.#deadlocks} ${this.#deadlocks === 1 ? 'deadlock' : 'deadlocks'}.`);
    if (this.#withoutStack > 0)
      notes.push(
        `${formatQuantity(this.#withoutStack, 'thread')} without a stack in ${this.#dumps === 1 ? 'the dump' : 'all dumps'}, such as the VM’s own: not counted.`,
      );
    return notes;
  }
}

const utf8 = new TextDecoder();
const MAX_LINE_BYTES = 1 << 16;
const TAB = 0x09;
const BLANK = 0x20;
const HYPHEN = 0x2d;
const LETTER_A = 0x61;
const LETTER_T = 0x74;
const TIME = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d{1,9}Z|Z)?$/;
/** The line after the list of threads, or after the list of deadlocks. */
const LAST_LINE = /^(JNI global ref|Found (a total of )?\d+ deadlock)/;

/** The text of a line; only its beginning if it is longer than lines of dumps. */
function textOf(bytes: Uint8Array, from: number, to: number): string {
  return utf8.decode(bytes.subarray(from, Math.min(to, from + MAX_LINE_BYTES)));
}

function timeOf(ms: number): bigint | undefined {
  return Number.isFinite(ms) ? BigInt(ms) * 1_000_000n : undefined;
}
