import { MOST_FRAMES } from '../../aggregate/memory-budget.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import type { Choice, Chosen } from '../../facts/choice.ts';
import { factTable, type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { type FormatLoss, lossNotes, lossOf, WITHOUT_CALLERS } from '../../facts/losses.ts';
import { SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import { formatQuantity } from '../../text/format-value.ts';
import { truncatedFrameName } from '../../text/pseudo-frames.ts';
import { SNAPSHOT_CELLS, SnapshotMerge } from '../snapshot-merge.ts';
import { DumpLocks } from './dump-locks.ts';
import { DumpSampling } from './dump-sampling.ts';
import { type DumpThread, DumpThreads } from './dump-threads.ts';
import type { ThreadHeader } from './thread-header.ts';
import { SliceInterner } from '../../read/slice-interner.ts';
import { NATIVE_BCI, NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { NamedMethods } from '../named-frames.ts';
import { namesOf, parseStackFrame, type StackFrame } from '../stack-frame.ts';

const ALL = 'all';
/** The state of carriers of virtual threads, and of the threads that they carry: the dump has none for them. */
const NO_STATE = 'none';
/** java.lang.Thread.State */
const STATES = ['RUNNABLE', 'BLOCKED', 'WAITING', 'TIMED_WAITING', 'NEW', 'TERMINATED'] as const;
/** Between several chosen states: `RUNNABLE,BLOCKED`. */
const BETWEEN = ',';

/** Consecutive thread dumps of any form. Each dump is one sample of every thread with a stack. */
export class DumpSeries {
  /** Number of threads in all dumps, with and without stacks. */
  records = 0;
  /** Number of dumps, including an incomplete one. */
  dumps = 0;
  deadlocks = 0;
  /** As the first line of a dump names it: `17.0.15`. */
  javaVersion: string | undefined;
  /** Blocks that look like threads, and were not understood. */
  unread = 0;
  /** Coroutines in lists beside the threads, which are not counted, and those of them that have frames. */
  coroutines = 0;
  coroutinesWithStack = 0;
  /** Dumps that were cut, and are not counted. */
  cutDumps = 0;
  readonly frames: DumpFrames;
  readonly locks: DumpLocks;
  readonly sampling = new DumpSampling();
  /** The thread that was begun last and has not ended. */
  thread: DumpThread | undefined;
  /** The stack of the thread may continue. */
  isInStack = false;
  /** Number of frames of the thread so far. */
  depth = 0;

  readonly #sink: SampleSink;
  /** Only stacks in one of these states; empty: all. */
  readonly #selectedStates: readonly string[];
  readonly #merge: SnapshotMerge;
  readonly #threads: DumpThreads;
  readonly #samplesByState = new Map<string, number>();
  /** Time of the latest dump in ms; NaN if unknown. */
  #ms = NaN;
  /** The times of the earliest and the latest dump, whatever their order in the file. */
  #earliestMs = Infinity;
  #latestMs = -Infinity;
  /** A dump is later than the one before it. */
  #hasSteps = false;
  #backwardSteps = 0;
  /** Frames of the current thread, leaf first. */
  #stack = new Int32Array(FIRST_ROWS);
  #cells = new Int32Array(FIRST_ROWS * SNAPSHOT_CELLS);
  #withoutStack = 0;
  #cutStacks = 0;
  /** The input has ended in the middle of a stack. */
  #isLastStackCut = false;
  /** Frames of the deepest stack, without the frame that stands for those that were cut. */
  #deepest = 0;
  /** A dump has a time that is not in whole seconds. */
  #isPrecise = false;

  /** `hasSlashedClasses`: frames are written as in `java/lang/Object.wait(Object.java:167)`. */
  constructor(sink: SampleSink, chosen: Chosen, hasSlashedClasses = false) {
    this.#sink = sink;
    this.#selectedStates = selectedStates(chosen);
    this.#merge = new SnapshotMerge(sink);
    this.frames = new DumpFrames(sink, hasSlashedClasses);
    this.locks = new DumpLocks(sink.memory);
    this.#threads = new DumpThreads(sink.memory);
  }

  /** Why nothing is shown: no thread was understood. Undefined if at least one was. */
  get refusal(): string | undefined {
    if (this.records > 0) return undefined;
    if (this.unread === 0) return 'a thread dump without threads';
    const unread = formatQuantity(this.unread, 'block looks like a thread', 'blocks look like threads');
    return `a thread dump in an unknown form: ${unread}, and ${this.unread === 1 ? 'it cannot' : 'none can'} be read`;
  }

  /** `ms` since 1970, NaN if unknown. */
  beginDump(ms: number): void {
    this.dumps++;
    if (ms > this.#ms) this.#hasSteps = true;
    if (ms < this.#ms) this.#backwardSteps++;
    this.#ms = ms;
    if (ms % 1000 > 0) this.#isPrecise = true;
    if (ms < this.#earliestMs) this.#earliestMs = ms;
    if (ms > this.#latestMs) this.#latestMs = ms;
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

  /** Adds a frame, leaf first. The sink refuses the stack when it has one more than are allowed. */
  push(frame: number): void {
    if (this.depth > MOST_FRAMES) return;
    if (this.depth === this.#stack.length)
      this.#stack = grown(this.#stack, nextCapacity(this.depth, this.depth + 1));
    this.#stack[this.depth++] = frame;
  }

  /** The stack lacks callers: it is counted below a frame that stands for them, so that it has no wrong root. */
  endCutStack(): void {
    if (!this.isInStack || this.depth === 0) return;
    this.#cutStacks++;
    this.push(this.frames.named(truncatedFrameName(this.depth)));
    this.endStack(1);
  }

  /** The input has ended in the middle of the stack, which is not counted: its callers are missing. */
  dropStack(): void {
    this.isInStack = false;
    this.#isLastStackCut = true;
  }

  /** Counts the stack, of which `added` frames stand for others. The thread may continue with its locks. */
  endStack(added = 0): void {
    const { thread, depth } = this;
    if (!this.isInStack || thread === undefined) return;
    this.isInStack = false;
    if (depth === 0) {
      this.#withoutStack++;
      return;
    }
    const state = thread.state ?? NO_STATE;
    this.#samplesByState.set(state, (this.#samplesByState.get(state) ?? 0) + 1);
    if (this.#selectedStates.length > 0 && !this.#selectedStates.includes(state)) return;
    this.#deepest = Math.max(this.#deepest, depth - added);
    if (depth * SNAPSHOT_CELLS > this.#cells.length)
      this.#cells = new Int32Array(nextCapacity(this.#cells.length, depth * SNAPSHOT_CELLS));
    for (let level = 0; level < depth; level++)
      this.frames.copyCells(this.#stack[depth - 1 - level], this.#cells, level * SNAPSHOT_CELLS);
    const index = this.#sink.thread(0, thread.id);
    this.#sink.nameThread(index, thread.name);
    this.#merge.add(index, this.dumps, this.#ms, this.#cells, depth);
  }

  facts(): FormatFacts {
    const losses = this.#losses();
    return {
      ...NO_FACTS,
      units: this.#hasSteps ? SAMPLES_AND_TIME : SAMPLES_ONLY,
      choices: [this.#stateChoice()],
      notes: [...this.sampling.notes(), ...this.#notes(), ...lossNotes(losses)],
      javaVersion: this.javaVersion,
      losses,
      deepestStack: this.#deepest,
      tables: [
        ...[this.sampling.table()].filter((table) => table !== undefined),
        this.#threads.table(),
        this.locks.table(),
        factTable(
          'States',
          'State | Stacks:count',
          [...this.#samplesByState].sort(([, a], [, b]) => b - a),
        ),
      ],
      firstTime: timeOf(this.#earliestMs),
      lastTime: timeOf(this.#latestMs),
      // All samples of a single dump have the same time.
      hasSampleTimes: this.#hasSteps,
      backwardSteps: this.#earliestMs === Infinity ? undefined : this.#backwardSteps,
    };
  }

  #stateChoice(): Choice {
    const several = this.#selectedStates.length > 1 ? [this.#selectedStates] : [];
    return {
      id: 'state',
      name: 'Thread state',
      hint: 'Only stacks of threads in this state.',
      kind: 'one',
      options: [
        { value: ALL, text: 'All states' },
        ...STATES.map((state) => ({ value: state, text: state })),
        { value: NO_STATE, text: 'Without a state' },
        ...several.map((states) => ({ value: states.join(BETWEEN), text: states.join(' or ') })),
      ],
      chosen: this.#selectedStates.length === 0 ? ALL : this.#selectedStates.join(BETWEEN),
    };
  }

  #losses(): readonly FormatLoss[] {
    const stacks = this.coroutinesWithStack;
    const withStack = `${stacks} of them ${stacks === 1 ? 'has' : 'have'}`;
    return [
      ...lossOf(
        'truncated',
        [this.#cutStacks, 'stack'],
        `The writer of the dump cuts deep stacks. ${WITHOUT_CALLERS}`,
        'Write dumps with jstack or jcmd: these have all frames.',
      ),
      ...lossOf(
        'uncounted',
        [this.unread, 'block'],
        'Blocks that look like threads have a first line in an unknown form.',
      ),
      ...lossOf(
        'uncounted',
        [this.cutDumps + this.sampling.lostDumps, 'thread dump'],
        'It is incomplete: its writer ended before it was written, as a JVM does that is killed.',
      ),
      ...lossOf('uncounted', [this.#isLastStackCut ? 1 : 0, 'stack'], 'The file ends in the middle of it.'),
      ...lossOf(
        'uncounted',
        [this.coroutines, 'coroutine'],
        `A list beside the threads has them; ${withStack} a stack. One that runs is also on the stack of its thread.`,
      ),
    ];
  }

  #notes(): string[] {
    const notes = [this.dumps === 1 ? 'One thread dump.' : `${this.dumps} thread dumps.`];
    if (this.#hasSteps)
      notes.push(
        `Time is measured between consecutive dumps${this.#isPrecise ? '' : ', in whole seconds'}, and counts for the frames that both stacks of a thread have in common.`,
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

/** Empty: all states. The states in their usual order, each once. */
function selectedStates(chosen: Chosen): readonly string[] {
  const wanted = (Object.hasOwn(chosen, 'state') ? chosen.state : ALL).split(BETWEEN);
  const known: readonly string[] = [...STATES, NO_STATE];
  return wanted.every((state) => known.includes(state))
    ? known.filter((state) => wanted.includes(state))
    : [];
}

function timeOf(ms: number): bigint | undefined {
  return Number.isFinite(ms) ? BigInt(Math.trunc(ms)) * 1_000_000n : undefined;
}

/** The frames of dumps. Each distinct one is parsed once. */
class DumpFrames {
  readonly #texts: SliceInterner;
  /** SNAPSHOT_CELLS cells per frame. */
  #cells = new Int32Array(FIRST_ROWS * SNAPSHOT_CELLS);
  readonly #methods: NamedMethods;
  readonly #hasSlashedClasses: boolean;

  constructor(sink: SampleSink, hasSlashedClasses: boolean) {
    this.#texts = new SliceInterner(sink.memory);
    this.#methods = new NamedMethods(sink);
    this.#hasSlashedClasses = hasSlashedClasses;
  }

  /** The number of the frame with the text bytes[from … to), which follows `at `. */
  take(bytes: Uint8Array, from: number, to: number): number {
    const known = this.#texts.length;
    const frame = this.#texts.intern(bytes, from, to);
    if (frame === known) this.#define(frame, utf8.decode(bytes.subarray(from, to)));
    return frame;
  }

  /** The number of a frame without a class. */
  named(methodName: string): number {
    const text = new TextEncoder().encode(`\0${methodName}`);
    const known = this.#texts.length;
    const frame = this.#texts.intern(text, 0, text.length);
    const names = { file: '', className: '', methodName };
    if (frame === known) this.#place(frame, { ...names, line: NO_LINE, bci: NO_BCI });
    return frame;
  }

  copyCells(frame: number, stack: Int32Array, at: number): void {
    const cell = frame * SNAPSHOT_CELLS;
    stack[at] = this.#cells[cell];
    stack[at + 1] = this.#cells[cell + 1];
    stack[at + 2] = this.#cells[cell + 2];
  }

  #define(frame: number, text: string): void {
    this.#place(frame, readDumpFrame(this.#hasSlashedClasses ? dotted(text) : text));
  }

  #place(frame: number, { className, methodName, file, line, bci }: StackFrame): void {
    const names = { file, className, methodName };
    const method = this.#methods.numberOf(`${className}.${methodName}`, names);
    const cell = frame * SNAPSHOT_CELLS;
    if (cell === this.#cells.length) this.#cells = grown(this.#cells, cell * 2);
    this.#cells[cell] = method;
    this.#cells[cell + 1] = line;
    this.#cells[cell + 2] = bci;
  }
}

/**
 * Parses a frame as the VM and StackTraceElement write it, see `parseStackFrame`, or as the serviceability agent does;
 * with native frames, after their address:
 *
 *   java.lang.Object.wait(long) @bci=44, line=142 (Interpreted frame)
 *   0x00007f1f2b3c	* java.lang.Object.wait(long) bci:44 line:142 (Interpreted frame)
 *   0x00007f1f2b3d	__read + 0x2d
 */
export function readDumpFrame(text: string): StackFrame {
  const agent = AGENT_FRAME.exec(text);
  if (agent !== null) {
    const [, method, bci] = agent;
    return { ...namesOf(method), file: '', line: Number(agent.at(3) ?? NO_LINE), bci: Number(bci) };
  }
  const native = NATIVE_FRAME.exec(text);
  if (native === null) return parseStackFrame(text, true);
  return { file: '', className: '', methodName: native[1], line: NO_LINE, bci: NATIVE_BCI };
}

/** A frame of OpenJ9 as HotSpot writes it: `java/lang/Object.wait(Object.java:167(Compiled Code))` without slashes and note. */
function dotted(text: string): string {
  const bare = text.replace(/\((?:Compiled Code|Inlined[^()]*)\)\)\s*$/, ')');
  const open = bare.lastIndexOf('(');
  return open < 0 ? bare.replaceAll('/', '.') : bare.slice(0, open).replaceAll('/', '.') + bare.slice(open);
}

/** Addresses are removed. */
const AGENT_FRAME =
  /^(?:0x[0-9a-f]+\s+)?(?:\* )?([^\s(]+)\(.*\) (?:@bci=|bci:)(-?\d{1,6})(?:,? line[=:](\d{1,9}))?/;
const NATIVE_FRAME = /^0x[0-9a-f]+\s+(\S.*?)(?: \+ 0x[0-9a-f]+)?$/;
const utf8 = new TextDecoder();
