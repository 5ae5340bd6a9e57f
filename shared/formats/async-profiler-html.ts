import { is, isNot, isPossible, type ProfileFormat } from './profile-format.ts';
import { noteOf } from '../facts/losses.ts';
import { NATIVE_BCI, NO_BCI } from '../profile/frame-table.ts';
import type { SampleSink } from '../aggregate/sample-sink.ts';
import { frameFromText, threadFromText } from '../profile/frame-text.ts';
import { type ProfileUnits, SAMPLES_ONLY } from '../profile/profile-units.ts';
import { NOT_DRAWN_NAME } from '../text/pseudo-frames.ts';
import type { Damage } from '../facts/damage.ts';
import { type FormatFacts, NO_FACTS } from '../facts/format-facts.ts';
import { NamedFrames } from './named-frames.ts';
import { type DecodedInput, WholeInputDecoder } from './whole-input.ts';

const CANVAS = /<canvas\b[^<>]*\bid=["']?canvas\b/;
const MAKERS = /async-profiler|Andrei Pangin/;

/** Flame graph pages of async-profiler and its converter (specs: other formats, async-profiler HTML). */
export const ASYNC_PROFILER_HTML: ProfileFormat = {
  id: 'async-profiler-html',
  name: 'async-profiler flame graph',
  listed: { group: 'JVM profilers', entry: 'async-profiler' },
  extensions: ['.html'],
  follows: false,
  notRecorded: [
    'when a sample was taken',
    'frames too narrow to be drawn: their samples count for their callers',
    'lines, unless the names of frames contain them',
    'threads, unless they are the first frame',
  ],
  recognise: (head) => {
    const text = new TextDecoder().decode(head);
    if (!/^\ufeff?\s*<(!doctype html|html)/i.test(text)) return isNot(0, 'it is not HTML');
    const isMade = MAKERS.test(text);
    // The canvas follows the style sheet, which grows from version to version.
    if (isMade && CANVAS.test(text)) return is('its page is drawn by async-profiler');
    return isPossible(0.3, isMade ? 'its page has no canvas' : 'its page does not name async-profiler');
  },
  createDecoder: (sink) => new AsyncProfilerHtmlDecoder(sink),
};

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
class AsyncProfilerHtmlDecoder extends WholeInputDecoder {
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
    notes.push(
      ...noteOf([this.#notDrawn, one, many], `without any drawn frame: counted as ${NOT_DRAWN_NAME}.`),
    );
    const skips = noteOf([this.#invalid, 'invalid frame'], 'skipped.');
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

/** Limit of all names together: packed names of a hostile file unpack to thousands of times their size. */
const MAX_NAME_CHARS = 256 << 20;

interface Page {
  readonly title: string;
  /** 'samples', 'bytes', 'ns'; empty if unknown. */
  readonly units: string;
  /** The page compares two profiles: its widths are those of the new one, and its colours the differences. */
  readonly isDifferential: boolean;
  /** Index -> name; undefined in the old form, in which each frame contains its name. */
  readonly names: readonly string[] | undefined;
  /** The lines after the names; in the old form all lines. */
  readonly lines: Iterable<string>;
}

/** The largest difference, which is -1 in other pages, or the difference of the frames behind the line. */
const DIFFERENTIAL = /\bmaxdiff\s*=\s*\d|^[ \t]*d=(?:-?\d+|U)\b/m;

/** The contents of a page; undefined if its names unpack to more than the limit. */
function readPage(text: string): Page | undefined {
  const title = /<h1\b[^<>]*>([^<]*)<\/h1>/.exec(text)?.[1] ?? '';
  const units = /\bunits?\s*=\s*'([^'\n]*)'/.exec(text)?.[1] ?? '';
  const isDifferential = DIFFERENTIAL.test(text);
  const pool = /^[ \t]*(?:const|let|var) cpool\s*=\s*\[/m.exec(text);
  if (pool === null) return { title, units, isDifferential, names: undefined, lines: linesOf(text, 0) };
  const from = pool.index + pool[0].length;
  const closing = /^[ \t]*\]/gm;
  closing.lastIndex = from;
  const to = closing.exec(text)?.index ?? text.length;
  const names = unpack(text.slice(from, to));
  return names === undefined ? undefined : { title, units, isDifferential, names, lines: linesOf(text, to) };
}

/**
 * Unpacks sorted names. A packed name begins with the number of characters that it shares with the name before:
 *
 *   'all', ' java.lang.Thread.run', '1start'         ' ' means 0 and '1' means 17: java.lang.Thread.start
 */
function unpack(pool: string): string[] | undefined {
  const names: string[] = [];
  let before = '';
  let chars = 0;
  for (let at = pool.indexOf("'"), end = 0; at >= 0; at = pool.indexOf("'", end + 1)) {
    end = stringEnd(pool, at);
    if (end < 0) break;
    const packed = unescaped(pool.slice(at + 1, end));
    if (names.length > 0) before = before.slice(0, Math.max(0, packed.charCodeAt(0) - 32)) + packed.slice(1);
    else before = packed;
    chars += before.length;
    if (chars > MAX_NAME_CHARS) return undefined;
    names.push(before);
  }
  return names;
}

/** The index of the quote that ends the string that begins at `from`; -1 if it does not end. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return -1;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

function* linesOf(text: string, from: number): Generator<string> {
  for (let at = from; at < text.length;) {
    const end = text.indexOf('\n', at);
    const to = end < 0 ? text.length : end;
    yield text.slice(at, to).trim();
    at = to + 1;
  }
}

/** A frame of the drawing. */
interface DrawnFrame {
  readonly level: number;
  readonly width: number;
  readonly name: string;
  /** 0 interpreted, 1 JIT, 2 inlined, 3 native, 4 C++, 5 kernel, 6 C1. */
  readonly kind: number;
}

const CALL = /^([fun])\(([\d,]+)\)$/;
/** Up to the quote before the name, and after its name. */
const OLD_CALL = /^f\((\d+),\d+,(\d+),(\d),'/;
const OLD_CALL_END = /^(?:,[\d,]*)?\)$/;
const QUOTE = 0x27;
const BACKSLASH = 0x5c;

/**
 * Reads the function calls that draw frames, callers before callees. Missing level and width are those of the call
 * before:
 *
 *   f(key,level,left,width)    u(key,width) one level up    n(key,width) the same level
 */
class DrawingCalls {
  /** Number of calls with an unknown name, or with an invalid level or width. */
  invalid = 0;
  #level = 0;
  #width = 0;
  readonly #names: readonly string[] | undefined;

  constructor(names: readonly string[] | undefined) {
    this.#names = names;
  }

  /** The frame that a line draws; undefined if it draws none. */
  read(line: string): DrawnFrame | undefined {
    const names = this.#names;
    if (names === undefined) return this.#oldCall(line);
    const call = CALL.exec(line);
    if (call === null) return undefined;
    const [key, ...numbers] = call[2].split(',').map(Number);
    if (call[1] === 'u') this.#level++;
    else if (call[1] === 'f') this.#level = numbers[0] ?? 0;
    const width = numbers[call[1] === 'f' ? 2 : 0] ?? 0;
    if (width > 0) this.#width = width;
    return this.#frame(names.at(Math.floor(key / 8)), key % 8);
  }

  #oldCall(line: string): DrawnFrame | undefined {
    const call = OLD_CALL.exec(line);
    if (call === null) return undefined;
    const from = call[0].length;
    const to = stringEnd(line, from - 1);
    if (to < 0 || !OLD_CALL_END.test(line.slice(to + 1))) return undefined;
    this.#level = Number(call[1]);
    this.#width = Number(call[2]);
    return this.#frame(unescaped(line.slice(from, to)), Number(call[3]));
  }

  #frame(name: string | undefined, kind: number): DrawnFrame | undefined {
    if (name !== undefined && Number.isSafeInteger(this.#width) && Number.isSafeInteger(this.#level))
      return { level: this.#level, width: this.#width, name, kind };
    this.invalid++;
    return undefined;
  }
}
