import { NATIVE_BCI, NO_BCI } from '../../profile/frame-table.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { frameFromText, threadFromText } from '../../profile/frame-text.ts';
import { type ProfileUnits, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import { formatCount, formatQuantity } from '../../text/format-value.ts';
import type { Damage } from '../../facts/damage.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { NamedFrames } from '../named-frames.ts';
import { WholeInputDecoder } from '../whole-input.ts';
import { type DrawnFrame, DrawingCalls, readPage } from './page.ts';

const NATIVE_KINDS: readonly number[] = [3, 4, 5];

const BYTES: ProfileUnits = {
  counted: { one: 'byte', many: 'bytes' },
  value: { name: 'Bytes', unit: 'bytes' },
};
const NANOSECONDS: ProfileUnits = {
  counted: { one: 'nanosecond', many: 'nanoseconds' },
  value: { name: 'Time', unit: 'ns' },
};

/** A frame that is drawn, and those that it calls are not all drawn yet. */
interface OpenFrame {
  readonly node: number;
  /** 0 for what stands for a thread. */
  readonly depth: number;
  readonly width: number;
  called: number;
}

/**
 * A flame graph of async-profiler: the calls that draw its frames are the call tree, each frame as wide as it has
 * samples; what those that it calls leave of its width is its own.
 *
 *   f(0,0,0,10)    all 10
 *   u(9)           Thread.run 10
 *   u(17,4)        parse 4                  Thread.run ran 10 - 4 - 3 itself
 *   n(25,3)        draw 3
 */
export class AsyncProfilerHtmlDecoder extends WholeInputDecoder {
  readonly #sink: SampleSink;
  readonly #frames: NamedFrames;
  #units: ProfileUnits = SAMPLES_ONLY;
  #title = '';
  #strange = 0;
  /** Samples whose frames are all too narrow. */
  #unseen = 0;
  readonly #threads = new Map<string, number>();

  constructor(sink: SampleSink) {
    super();
    this.#sink = sink;
    this.#frames = new NamedFrames(sink);
  }

  facts(): FormatFacts {
    const notes = [
      'Frames that were too narrow to be drawn are missing; what they ran counts for their callers.',
    ];
    if (this.#title !== '') notes.push(`The page is called ${this.#title}.`);
    if (this.#unseen > 0)
      notes.push(
        `Of ${formatCount(this.#unseen)} ${this.#units.counted.many} not even the first frame is drawn.`,
      );
    if (this.#strange > 0)
      notes.push(`${formatQuantity(this.#strange, 'frame')} of the drawing made no sense, left out.`);
    return { ...NO_FACTS, units: this.#units, notes };
  }

  protected readWhole(input: Uint8Array): { readonly accepted: number; readonly damage?: Damage } {
    const page = readPage(new TextDecoder().decode(input));
    if (page === undefined)
      return { accepted: 0, damage: damageOf('names that unpack to gigabytes', 'names of frames') };
    this.#title = page.title;
    this.#units = /byte/i.test(page.units)
      ? BYTES
      : /^ns$|nano/i.test(page.units)
        ? NANOSECONDS
        : SAMPLES_ONLY;
    const calls = new DrawingCalls(page.names);
    const open: OpenFrame[] = [];
    for (const line of page.lines) {
      const frame = calls.read(line);
      if (frame !== undefined) this.#draw(frame, open);
    }
    this.#close(open, 0);
    this.#strange += calls.strange;
    if (this.records === 0)
      return { accepted: 0, damage: damageOf('no frames', 'the calls that draw frames') };
    return { accepted: input.length };
  }

  #draw(frame: DrawnFrame, open: OpenFrame[]): void {
    if (frame.level > open.length) {
      this.#strange++;
      return;
    }
    this.records++;
    this.#close(open, frame.level);
    const caller = open.at(-1);
    const { width } = frame;
    if (caller === undefined) {
      // The bottom of the drawing stands for all threads.
      open.push({ node: -1, depth: 0, width, called: 0 });
      return;
    }
    caller.called += width;
    const thread = open.length === 1 ? threadFromText(frame.name) : undefined;
    if (thread !== undefined) {
      open.push({ node: this.#root(frame.name, thread.name), depth: 0, width, called: 0 });
      return;
    }
    const { method, line } = this.#frames.of(frameFromText(frame.name));
    const bci = NATIVE_KINDS.includes(frame.kind) ? NATIVE_BCI : NO_BCI;
    const above = caller.node < 0 ? this.#root('', 'all threads') : caller.node;
    const depth = caller.depth + 1;
    open.push({ node: this.#sink.callee(above, depth, 0, method, line, bci), depth, width, called: 0 });
  }

  /** The root of a thread, by the text that names it. */
  #root(key: string, name: string): number {
    const known = this.#threads.get(key);
    if (known !== undefined) return known;
    const thread = this.#sink.thread(0, this.#threads.size);
    this.#sink.nameThread(thread, name);
    const root = this.#sink.root(thread);
    this.#threads.set(key, root);
    return root;
  }

  /** Frames from a level on have called all that they call: what is left of their width they ran themselves. */
  #close(open: OpenFrame[], level: number): void {
    while (open.length > level) {
      const frame = open.pop();
      const own = frame === undefined ? 0 : frame.width - frame.called;
      if (frame === undefined || own === 0) continue;
      if (own < 0) this.#strange++;
      else if (frame.depth === 0) this.#unseen += own;
      else this.#sink.samplesAt(frame.node, own, this.#units === SAMPLES_ONLY ? 0 : own);
    }
  }
}

function damageOf(found: string, expected: string): Damage {
  return { what: 'flame graph', byteOffset: 0, record: 0, found, expected };
}
