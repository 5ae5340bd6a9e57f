import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { FIRST_ROWS, grown, NONE } from '../../profile/columns.ts';
import { frameFromText, threadFromText } from '../../profile/frame-text.ts';
import { SliceInterner } from '../../read/slice-interner.ts';
import { NamedMethods } from '../named-frames.ts';

const SEMICOLON = 0x3b;

/**
 * async-profiler's suffix for the type of a frame: _[j] compiled by the JIT, _[i] inlined, _[k] kernel, _[0]
 * interpreted, _[1] compiled by C1 (specs: other formats, Collapsed).
 */
const SUFFIX = /_\[[jik01]\]$/;

/**
 * The frames of collapsed stacks: bytes -> method and line. Each distinct frame is parsed once.
 *
 *   slice   bytes                 method   line
 *   0       Shop.serve:12_[j]     0        12
 *   1       Shop.serve:14_[0]     0        14      the same method
 */
export class CollapsedFrames {
  /** slice -> lower half of its method's id; the upper half is 0. */
  method = new Int32Array(FIRST_ROWS);
  /** slice -> line, NO_LINE for none. */
  line = new Int32Array(FIRST_ROWS);
  /** A frame had a suffix, whether it was kept or not. */
  hasSuffixes = false;

  readonly #sink: SampleSink;
  readonly #keepsSuffixes: boolean;
  readonly #slices: SliceInterner;
  /** Number of slices whose frame has been parsed. */
  #known = 0;
  readonly #methods: NamedMethods;
  /** First frames of stacks, in brackets. */
  readonly #firstFrames: SliceInterner;
  /** Slice of #firstFrames -> thread; NONE if it is not a thread. */
  readonly #threads: number[] = [];
  /** tid -> text of its first thread. Another text is another thread, because ids are reused. */
  readonly #tids = new Map<number, string>();
  #reusedIds = 0;

  constructor(sink: SampleSink, keepsSuffixes: boolean) {
    this.#sink = sink;
    this.#slices = new SliceInterner(sink.memory);
    this.#firstFrames = new SliceInterner(sink.memory);
    this.#methods = new NamedMethods(sink);
    this.#keepsSuffixes = keepsSuffixes;
  }

  /** The slice of the frame from bytes[from] to the next semicolon or `to`. `end` is then its end. */
  slice(bytes: Uint8Array, from: number, to: number): number {
    const slice = this.#slices.internUntil(bytes, from, to, SEMICOLON);
    if (slice === this.#known) this.#add(utf8.decode(bytes.subarray(from, this.#slices.end)));
    return slice;
  }

  get end(): number {
    return this.#slices.end;
  }

  /** The thread that the frame bytes[from … to) names; NONE if it is not a thread. */
  threadOf(bytes: Uint8Array, from: number, to: number): number {
    const first = this.#firstFrames.intern(bytes, from, to);
    if (first === this.#threads.length)
      this.#threads.push(this.#threadNamed(utf8.decode(bytes.subarray(from, to))));
    return this.#threads[first];
  }

  #add(text: string): void {
    const slice = this.#known++;
    if (slice === this.method.length) {
      this.method = grown(this.method, slice * 2);
      this.line = grown(this.line, slice * 2);
    }
    const bare = text.replace(SUFFIX, '');
    if (bare.length < text.length) this.hasSuffixes = true;
    const { file, className, methodName, line } = frameFromText(this.#keepsSuffixes ? text : bare);
    const names = { file, className, methodName };
    this.method[slice] = this.#methods.numberOf(`${className}.${methodName}`, names);
    this.line[slice] = line;
  }

  #threadNamed(text: string): number {
    const named = threadFromText(text);
    if (named === undefined) return NONE;
    const tid = named.tid | 0;
    const known = this.#tids.get(tid);
    if (known === undefined) this.#tids.set(tid, text);
    const thread = this.#sink.thread(known === undefined || known === text ? 0 : ++this.#reusedIds, tid);
    this.#sink.nameThread(thread, named.name);
    return thread;
  }
}

const utf8 = new TextDecoder();
