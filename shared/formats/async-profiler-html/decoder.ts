import { NATIVE_BCI, NO_BCI } from '../../profile/frame-table.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { frameFromText, threadFromText } from '../../profile/frame-text.ts';
import { type ProfileUnits, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import { formatQuantity } from '../../text/format-value.ts';
import { NOT_DRAWN_NAME } from '../../text/pseudo-frames.ts';
import type { Damage } from '../../facts/damage.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { NamedFrames } from '../named-frames.ts';
import { type DecodedInput, WholeInputDecoder } from '../whole-input.ts';
import { type DrawnFrame, DrawingCalls, readPage } from './page.ts';

const NATIVE_KINDS: readonly number[] = [3, 4, 5];

const BYTES: ProfileUnits = {
  counted: { one: 'byte', many: 'bytes', isDependent: true },
  value: { name: 'Bytes', unit: 'bytes' },
};
const NANOSECONDS: ProfileUnits = {
  counted: { one: 'nanosecond', many: 'nanoseconds', isDependent: true },
  value: { name: 'Time', unit: 'ns' },
};

/** A drawn frame of which more callees may follow. */
interface OpenFrame {
  readonly node: number;
  /** 0 for a frame that stands for a thread, or for all threads. */
  readonly depth: number;
  readonly width: number;
  /** Width of the callees so far. */
  called: number;
}

/**
 * Decodes a flame graph of async-profiler. The function calls that draw its frames give the call tree. The width of a
 * frame is its number of samples; its self samples are the width minus the width of its callees.
 *
 *   f(0,0,0,10)    all 10
 *   u(9)           Thread.run 10
 *   u(17,4)        parse 4                  Thread.run has 10 - 4 - 3 self samples
 *   n(25,3)        draw 3
 */
export class AsyncProfilerHtmlDecoder extends WholeInputDecoder {
  readonly #frames: NamedFrames;
  #units: ProfileUnits = SAMPLES_ONLY;
  #title = '';
  #isDifferential = false;
  #invalid = 0;
  /** Samples without any drawn frame. */
  #notDrawn = 0;
  readonly #threads = new Map<string, number>();
  /** Id of a thread -> how many threads have it. */
  readonly #tids = new Map<number, number>();

  constructor(sink: SampleSink) {
    super(sink);
    this.#frames = new NamedFrames(sink);
  }

  facts(): FormatFacts {
    const notes = [
      'Frames that were too narrow to be drawn are missing: their samples count as self samples of their callers.',
    ];
    if (this.#isDifferential)
      notes.unshift(
        'The page compares two profiles: the samples are those of the new one. Open both profiles to compare them.',
      );
    if (this.#title !== '') notes.push(`Title of the page: ${this.#title}.`);
    const { one, many } = this.#units.counted;
    if (this.#notDrawn > 0)
      notes.push(
        `${formatQuantity(this.#notDrawn, one, many)} without any drawn frame: counted as ${NOT_DRAWN_NAME}.`,
      );
    const skips = this.#invalid === 0 ? [] : [`${formatQuantity(this.#invalid, 'invalid frame')} skipped.`];
    return { ...NO_FACTS, units: this.#units, skips, notes };
  }

  protected decodeInput(input: Uint8Array): DecodedInput {
    const page = readPage(new TextDecoder().decode(input));
    if (page === undefined)
      return { accepted: 0, damage: damageOf('names that unpack to gigabytes', 'names of frames') };
    this.#title = page.title;
    this.#isDifferential = page.isDifferential;
    this.#units = /byte/i.test(page.units)
      ? BYTES
      : /^ns$|nano/i.test(page.units)
        ? NANOSECONDS
        : SAMPLES_ONLY;
    const calls = new DrawingCalls(page.names);
    const open: OpenFrame[] = [];
    for (const line of page.lines) {
      if (this.sink.isFull) break;
      const frame = calls.read(line);
      if (frame !== undefined) this.#draw(frame, open);
    }
    this.#close(open, 0);
    this.#invalid += calls.invalid;
    if (this.records === 0)
      return { accepted: 0, damage: damageOf('no frames', 'the calls that draw frames') };
    return { accepted: input.length };
  }

  #draw(frame: DrawnFrame, open: OpenFrame[]): void {
    if (frame.level > open.length) {
      this.#invalid++;
      return;
    }
    this.records++;
    this.#close(open, frame.level);
    const caller = open.at(-1);
    const { width } = frame;
    if (caller === undefined) {
      // The root frame of the drawing stands for all threads.
      open.push({ node: -1, depth: 0, width, called: 0 });
      return;
    }
    caller.called += width;
    const thread = open.length === 1 ? threadFromText(frame.name) : undefined;
    if (thread !== undefined) {
      open.push({ node: this.#root(frame.name, thread.name, thread.tid), depth: 0, width, called: 0 });
      return;
    }
    const { method, line } = this.#frames.of(frameFromText(frame.name));
    const bci = NATIVE_KINDS.includes(frame.kind) ? NATIVE_BCI : NO_BCI;
    const above = caller.node < 0 ? this.#root('', 'all threads') : caller.node;
    const depth = caller.depth + 1;
    open.push({ node: this.sink.callee(above, depth, 0, method, line, bci), depth, width, called: 0 });
  }

  /** The root node of a thread; `key` identifies the thread. */
  #root(key: string, name: string, tid = -1): number {
    const known = this.#threads.get(key);
    if (known !== undefined) return known;
    // No operating system uses a negative id. An id that several names have is that of several threads.
    const reused = tid < 0 ? -1 : (this.#tids.get(tid) ?? 0);
    this.#tids.set(tid, reused + 1);
    const thread = this.sink.thread(reused, tid | 0);
    this.sink.nameThread(thread, name);
    const root = this.sink.root(thread);
    this.#threads.set(key, root);
    return root;
  }

  /** Counts samples of a thread, or of all threads if `node` is -1, of which no frame was drawn. */
  #countNotDrawn(node: number, samples: number): void {
    this.#notDrawn += samples;
    const { method, line } = this.#frames.of(frameFromText(NOT_DRAWN_NAME));
    const root = node < 0 ? this.#root('', 'all threads') : node;
    const frame = this.sink.callee(root, 1, 0, method, line, NO_BCI);
    this.sink.samplesAt(frame, samples, this.#units === SAMPLES_ONLY ? 0 : samples);
  }

  /** Closes frames from a level on: all their callees are drawn, so their self samples are known. */
  #close(open: OpenFrame[], level: number): void {
    while (open.length > level) {
      const frame = open.pop();
      const self = frame === undefined ? 0 : frame.width - frame.called;
      if (frame === undefined || self === 0) continue;
      if (self < 0) this.#invalid++;
      else if (frame.depth === 0) this.#countNotDrawn(frame.node, self);
      else this.sink.samplesAt(frame.node, self, this.#units === SAMPLES_ONLY ? 0 : self);
    }
  }
}

function damageOf(found: string, expected: string): Damage {
  return { what: 'flame graph', byteOffset: 0, record: 0, found, expected };
}
