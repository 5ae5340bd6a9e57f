import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { SliceInterner } from '../../bytes/slice-interner.ts';
import { grown, NONE } from '../../profile/columns.ts';
import { frameFromText, threadFromText } from '../../profile/frame-text.ts';
import { NamedMethods } from '../named-methods.ts';

/**
 * Behind a frame async-profiler says how it was compiled, or what it is: _[j] by the JIT, _[i] inlined, _[k] the kernel,
 * _[0] interpreted, _[1] by C1 (specs: other formats, Collapsed).
 */
const SUFFIX = /_\[[jik01]\]$/;

const MANY = 512;
const SEMICOLON = 0x3b;

/**
 * The frames of collapsed stacks: bytes -> method and line, each made out once.
 *
 *   slice   bytes                 method   line
 *   0       Shop.serve:12_[j]     0        12
 *   1       Shop.serve:14_[0]     0        14      the same method
 */
export class CollapsedFrames {
  /** slice -> lower half of its method's id, the upper is 0. */
  method = new Int32Array(MANY);
  /** slice -> line, NO_LINE for none. */
  line = new Int32Array(MANY);
  /** Some frame had a suffix, whether it was kept or not. */
  hasSuffixes = false;

  readonly #sink: SampleSink;
  readonly #keepsSuffixes: boolean;
  readonly #slices = new SliceInterner();
  /** Slices whose frame is made out. */
  #known = 0;
  readonly #methods: NamedMethods;
  /** First frames in brackets, and the thread that each names; NONE for none. */
  readonly #firsts = new SliceInterner();
  readonly #threads: number[] = [];
  /** tid -> text of the first thread that had it: names change, and numbers are given again. */
  readonly #tids = new Map<number, string>();
  #namesakes = 0;

  constructor(sink: SampleSink, keepsSuffixes: boolean) {
    this.#sink = sink;
    this.#methods = new NamedMethods(sink);
    this.#keepsSuffixes = keepsSuffixes;
  }

  /** The slice of the frame that begins at bytes[from …) and ends before a semicolon or `to`; `end` says where. */
  slice(bytes: Uint8Array, from: number, to: number): number {
    const slice = this.#slices.internUntil(bytes, from, to, SEMICOLON);
    if (slice === this.#known) this.#add(new TextDecoder().decode(bytes.subarray(from, this.#slices.end)));
    return slice;
  }

  get end(): number {
    return this.#slices.end;
  }

  /** The thread that bytes[from … to) name, NONE when they name none. */
  threadOf(bytes: Uint8Array, from: number, to: number): number {
    const first = this.#firsts.intern(bytes, from, to);
    if (first === this.#threads.length)
      this.#threads.push(this.#threadNamed(new TextDecoder().decode(bytes.subarray(from, to))));
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
    const thread = this.#sink.thread(known === undefined || known === text ? 0 : ++this.#namesakes, tid);
    this.#sink.nameThread(thread, named.name);
    return thread;
  }
}
