import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';
import { type Choice, type Chosen, chosenOption } from '../../facts/choice.ts';
import { factTable, type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import { formatQuantity } from '../../text/format-value.ts';
import { SNAPSHOT_CELLS, SnapshotMerge } from '../snapshot-merge.ts';
import { DumpFrames } from './dump-frames.ts';
import { DumpLocks } from './dump-locks.ts';
import { type DumpThread, DumpThreads } from './dump-threads.ts';
import type { ThreadHeader } from './thread-header.ts';

const ALL = 'all';
/** For carriers of virtual threads, and the threads that they carry: the dump has no state for them. */
const NO_STATE = 'none';
/** java.lang.Thread.State */
const STATES = ['RUNNABLE', 'BLOCKED', 'WAITING', 'TIMED_WAITING', 'NEW', 'TERMINATED'] as const;
const STATE_CHOICES = [ALL, ...STATES, NO_STATE] as const;

/** Consecutive thread dumps of any form. Each dump is one sample of every thread with a stack. */
export class DumpSeries {
  /** Number of threads in all dumps, with and without stacks. */
  records = 0;
  /** Number of dumps, including an incomplete one. */
  dumps = 0;
  deadlocks = 0;
  /** Blocks that look like threads, and were not understood. */
  unread = 0;
  readonly frames: DumpFrames;
  readonly locks = new DumpLocks();
  /** The thread that was begun last and has not ended. */
  thread: DumpThread | undefined;
  /** The stack of the thread may continue. */
  isInStack = false;
  /** Number of frames of the thread so far. */
  depth = 0;

  readonly #sink: SampleSink;
  readonly #selectedState: (typeof STATE_CHOICES)[number];
  readonly #merge: SnapshotMerge;
  readonly #threads = new DumpThreads();
  readonly #samplesByState = new Map<string, number>();
  /** Time of the latest dump in ms; NaN if unknown. */
  #ms = NaN;
  /** Time of the first dump that has one. */
  #firstMs = NaN;
  /** A dump is later than the one before it. */
  #hasSteps = false;
  #backwardSteps = 0;
  /** Frames of the current thread, leaf first. */
  #stack = new Int32Array(64);
  #cells = new Int32Array(64 * SNAPSHOT_CELLS);
  #withoutStack = 0;

  /** `hasSlashedClasses`: frames are written as in `java/lang/Object.wait(Object.java:167)`. */
  constructor(sink: SampleSink, chosen: Chosen, hasSlashedClasses = false) {
    this.#sink = sink;
    this.#selectedState = chosenOption(chosen, 'state', STATE_CHOICES, ALL);
    this.#merge = new SnapshotMerge(sink);
    this.frames = new DumpFrames(sink, hasSlashedClasses);
  }

  /** Why nothing is shown: no thread was understood. Undefined if at least one was. */
  get refusal(): string | undefined {
    if (this.records > 0) return undefined;
    if (this.unread === 0) return 'a thread dump without threads';
    return `a thread dump in an unknown form: ${formatQuantity(this.unread, 'block looks', 'blocks look')} like threads, and none can be read`;
  }

  /** `ms` since 1970, NaN if unknown. */
  beginDump(ms: number): void {
    this.dumps++;
    if (ms > this.#ms) this.#hasSteps = true;
    if (ms < this.#ms) this.#backwardSteps++;
    this.#ms = ms;
    if (Number.isNaN(this.#firstMs)) this.#firstMs = ms;
    this.locks.beginDump();
  }

  beginThread(header: ThreadHeader): void {
    this.endThread();
    this.records++;
    this.thread = this.#threads.take(header, this.dumps);
    this.isInStack = true;
    this.depth = 0;
    this.locks.beginThread();
  }

  endThread(): void {
    this.endStack();
    this.thread = undefined;
  }

  /** Adds a frame, leaf first. */
  push(frame: number): void {
    if (this.depth === this.#stack.length)
      this.#stack = grown(this.#stack, nextCapacity(this.depth, this.depth + 1));
    this.#stack[this.depth++] = frame;
  }

  /** Counts the stack. The thread may continue with its locks. */
  endStack(): void {
    const { thread, depth } = this;
    if (!this.isInStack || thread === undefined) return;
    this.isInStack = false;
    if (depth === 0) {
      this.#withoutStack++;
      return;
    }
    const state = thread.state ?? NO_STATE;
    this.#samplesByState.set(state, (this.#samplesByState.get(state) ?? 0) + 1);
    if (this.#selectedState !== ALL && this.#selectedState !== state) return;
    if (depth * SNAPSHOT_CELLS > this.#cells.length) this.#cells = new Int32Array(2 * depth * SNAPSHOT_CELLS);
    for (let level = 0; level < depth; level++)
      this.frames.copyCells(this.#stack[depth - 1 - level], this.#cells, level * SNAPSHOT_CELLS);
    const index = this.#sink.thread(0, thread.id);
    this.#sink.nameThread(index, thread.name);
    this.#merge.add(index, this.dumps, this.#ms, this.#cells, depth);
  }

  facts(): FormatFacts {
    return {
      ...NO_FACTS,
      units: this.#hasSteps ? SAMPLES_AND_TIME : SAMPLES_ONLY,
      choices: [this.#stateChoice()],
      notes: this.#notes(),
      tables: [
        this.#threads.table(),
        this.locks.table(),
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
    const notes = [this.dumps === 1 ? 'One thread dump.' : `${this.dumps} thread dumps.`];
    if (this.unread > 0)
      notes.push(
        `${formatQuantity(this.unread, 'block looks like a thread', 'blocks look like threads')}, but the first line is in an unknown form: not counted.`,
      );
    if (this.#hasSteps)
      notes.push(
        'Time is measured between consecutive dumps, in whole seconds, and counts for the frames that both stacks of a thread have in common.',
      );
    if (this.deadlocks > 0)
      notes.push(`The VM found ${this.deadlocks} ${this.deadlocks === 1 ? 'deadlock' : 'deadlocks'}.`);
    if (this.#withoutStack > 0)
      notes.push(
        `${formatQuantity(this.#withoutStack, 'thread')} without a stack in ${this.dumps === 1 ? 'the dump' : 'all dumps'}, such as the VM’s own: not counted.`,
      );
    return notes;
  }
}

function timeOf(ms: number): bigint | undefined {
  return Number.isFinite(ms) ? BigInt(Math.trunc(ms)) * 1_000_000n : undefined;
}
