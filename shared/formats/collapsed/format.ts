import { type ProfileFormat, is, isNot, isPossible, type Recognition } from '../profile-format.ts';
import { decodedText, hasControls } from '../../read/utf16.ts';
import { CollapsedDecoder } from './decoder.ts';

/** Collapsed, or folded, stacks: the text that flame graph tools write and read (specs: other formats). */
export const COLLAPSED: ProfileFormat = {
  id: 'collapsed',
  name: 'collapsed stacks',
  listed: { group: 'Exchange formats', entry: 'Collapsed stacks' },
  extensions: ['.collapsed', '.folded', '.txt'],
  follows: true,
  joinsEntries: 'lines',
  notRecorded: [
    'when a sample was taken',
    'the unit of weights: samples, bytes or nanoseconds',
    'threads, unless they are the first frame',
    'whether a stack was truncated',
  ],
  recognise: recogniseCollapsed,
  createDecoder: (sink, chosen) => new CollapsedDecoder(sink, chosen),
};

/** Share of lines that may be invalid: some files begin with messages of the tool. */
const MAX_INVALID_PERCENT = 25;
/** Least number of frames in a first line whose end is not seen. */
const MIN_FRAMES = 4;
/** So many bytes of a line are awaited: a text whose first line is longer is one of frames or a program in one line. */
const LONG_LINE_BYTES = 1 << 20;
/** So many stacks are taken for stacks whatever is before the first of them: messages of the tool, of any length. */
const MANY_STACKS = 20;
/** A first frame that is longer, and has not ended, is not a frame. */
const MAX_FRAME_BYTES = 400;

/** A count has no leading zeros, and tools write the sign of an exponent: other numbers are codes of characters. */
const LINE = /^(.*\S)[ \t]+((?:0|[1-9]\d*)(?:\.\d*)?(?:e[+-]\d+)?|\.\d+)[ \t]*$/i;

/**
 * The format has no magic number. It is recognised by lines that end with a space and a number and have semicolons
 * before it. A word and a number are in many texts. Stacks of one frame are accepted only if there are no other lines
 * and each frame is the qualified name of a method.
 */
function recogniseCollapsed(head: Uint8Array): Recognition {
  const text = textOf(head);
  if (text === undefined) return isNot(0, 'it is not text');
  const lines = text.split('\n');
  // The last line is incomplete, or has no line break.
  const last = lines.pop() ?? '';
  const all = tally(lines);
  const { stacks, invalid, qualified } = all;
  if (stacks + invalid === 0) return recogniseFirst(last, head.length);
  if (areStacks(all)) return is('its lines are frames separated by semicolons, a space and a number');
  const fromFirst = tally(lines.slice(all.firstDeep));
  if (fromFirst.stacks >= MANY_STACKS && areStacks(fromFirst))
    return is('it has lines of frames separated by semicolons, a space and a number');
  if (invalid === 0 && qualified === stacks && !mayBeOtherFormat(last))
    return is('its lines are the name of a method, a space and a number');
  return stacks > invalid
    ? isPossible(0.3, 'its lines are not frames separated by semicolons')
    : isPossible(stacks > 0 ? 0.3 : 0.05, 'its lines do not end with a space and a number');
}

function areStacks({ stacks, invalid, deep }: Tally): boolean {
  return invalid * 100 <= (stacks + invalid) * MAX_INVALID_PERCENT && deep * 2 >= stacks;
}

/** Recognises a head of comments and one incomplete line. `seen`: length of the head. */
function recogniseFirst(line: string, seen: number): Recognition {
  if (isSkipped(line)) return isPossible(0.05, 'it has no line of a stack, a space and a number');
  const frames = line.split(';');
  // Source code has semicolons too, but stacks contain no assignments, except in `operator=` and in threads.
  const frameTexts = line.replace(/^\[[^;]*\btid=\d+\](;|$)/, '').replace(/operator\W{1,3}/g, '');
  if (/["=]/.test(frameTexts) || mayBeOtherFormat(line)) return isNot(0.1, 'its first line is not a stack');
  if (frames.length >= MIN_FRAMES && seen >= LONG_LINE_BYTES)
    return is('its first line is frames separated by semicolons');
  if (frames.length > 1 && stackOf(line) !== undefined)
    return is('its first line is frames separated by semicolons, a space and a number');
  if (frames.length === 1 && line.length > MAX_FRAME_BYTES)
    return isNot(0.1, 'its first line is not frames separated by semicolons');
  return isPossible(0.2, 'it has no complete line of a stack, a space and a number');
}

interface Tally {
  readonly stacks: number;
  readonly invalid: number;
  /** Stacks of several frames. */
  readonly deep: number;
  /** Stacks of one frame, which is the qualified name of a method. */
  readonly qualified: number;
  /** Index of the first line with a stack of several frames; the number of lines if there is none. */
  readonly firstDeep: number;
}

function tally(lines: readonly string[]): Tally {
  let stacks = 0;
  let invalid = 0;
  let deep = 0;
  let qualified = 0;
  let firstDeep = lines.length;
  for (const [at, line] of lines.entries()) {
    if (isSkipped(line)) continue;
    const stack = stackOf(line);
    if (stack === undefined) {
      invalid++;
      continue;
    }
    stacks++;
    if (stack.includes(';')) {
      deep++;
      firstDeep = Math.min(firstDeep, at);
    } else if (QUALIFIED.test(stack)) qualified++;
  }
  return { stacks, invalid, deep, qualified, firstDeep };
}

/** The text before the count of a line; undefined if the line is no stack. */
function stackOf(line: string): string | undefined {
  const stack = LINE.exec(line.replace(/\r$/, ''))?.[1];
  return stack === undefined || mayBeOtherFormat(stack) ? undefined : stack;
}

/** An empty line or a comment. */
function isSkipped(line: string): boolean {
  return /^\s*$|^#|^\/\//.test(line);
}

/** `com.acme.Shop.main`, `Shop.main:12_[j]`, `std::sort`: the class of a method begins with a capital letter. */
const QUALIFIED = /^[^\s;:]*(?:\b[A-Z][\w$]*\.[\w$<>]+|::[\w$~<>]+)[^\s;]*(?: \([^;]*\))?$/;
/** Requests in the log of a server: a time or a size may be the last in a line, and addresses have semicolons. */
const REQUEST = /"[A-Z]+ [^"]* HTTP\/\d/;
/** A line that begins with an element of XML and has the end of one; or characters that are written by their names. */
const MARKUP = /^\s*<[a-z!?/][^]*(?:<\/[a-z][\w:.-]*>|\/>)|&(?:lt|gt|amp|quot|apos|nbsp|#\d+);/i;
/** A key of a JSON object, or an object or text in a list. */
const JSON_VALUE = /^\s*(?:[{[]\s*)+"|^\s*"[^"\\]*(?:\\.[^"\\]*)*"\s*[:,]/;

/** Lines of YAML, of JSON, of XML, of prose and of logs may also end with a number, and comments and columns. */
function mayBeOtherFormat(stack: string): boolean {
  if (/[:,=]$|\s(?:#|\/\/|\/\*|--|\|)$/.test(stack) || REQUEST.test(stack) || JSON_VALUE.test(stack))
    return true;
  // A semicolon at the beginning begins a comment in some languages, and one before a space ends a statement.
  return /^\s*;|;[ \t]/.test(stack) || MARKUP.test(stack);
}

/** The text of the head; undefined if it contains control characters. */
function textOf(head: Uint8Array): string | undefined {
  if (head.length === 0) return undefined;
  const text = decodedText(head);
  return hasControls(text) ? undefined : text;
}
