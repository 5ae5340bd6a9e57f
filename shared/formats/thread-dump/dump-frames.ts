import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { SliceInterner } from '../../read/slice-interner.ts';
import { FIRST_ROWS, grown } from '../../profile/columns.ts';
import { NATIVE_BCI, NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { NamedMethods } from '../named-frames.ts';
import { namesOf, parseStackFrame, type StackFrame } from '../stack-frame.ts';
import { SNAPSHOT_CELLS } from '../snapshot-merge.ts';

/** The frames of dumps. Each distinct one is parsed once. */
export class DumpFrames {
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
