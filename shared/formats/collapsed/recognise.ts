import { utf16Order } from '../../bytes/utf16.ts';
import { is, isNot, isPossible, type Recognition } from '../profile-format.ts';

/** Share of lines that may be invalid: some files begin with messages of the tool. */
const MAX_INVALID_PERCENT = 25;
/** Least number of frames in a first line whose end is not seen. */
const MIN_FRAMES = 4;
/** See DETECTION_BYTES: a head of this length has no complete line only if the first is longer. */
const FULL_HEAD_BYTES = 4096;
/** So many stacks are taken for stacks whatever is before the first of them: messages of the tool, of any length. */
const MANY_STACKS = 20;
/** A first frame that is longer, and has not ended, is not a frame. */
const MAX_FRAME_BYTES = 400;

const LINE = /^(.*\S)[ \t]+(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+)[ \t]*$/i;

/**
 * The format has no magic number. It is recognised by lines that end with a space and a number and have semicolons
 * before it. Lines without semicolons, which are stacks of one frame, are accepted only if there are no other lines and
 * the frames contain no spaces.
 */
export function recogniseCollapsed(head: Uint8Array): Recognition {
  const text = textOf(head);
  if (text === undefined) return isNot(0, 'it is not text');
  const lines = text.split('\n');
  // The last line is incomplete, or has no line break.
  const last = lines.pop() ?? '';
  const all = tally(lines);
  const { stacks, invalid, plausible } = all;
  if (stacks + invalid === 0) return recogniseFirst(last, head.length);
  if (areStacks(all)) return is('its lines are frames separated by semicolons, a space and a number');
  const fromFirst = tally(lines.slice(all.firstDeep));
  if (fromFirst.stacks >= MANY_STACKS && areStacks(fromFirst))
    return is('it has lines of frames separated by semicolons, a space and a number');
  if (invalid === 0 && plausible === stacks && !mayBeOtherFormat(last))
    return is('its lines are a frame, a space and a number');
  return stacks > invalid
    ? isPossible(0.3, 'its lines are not frames separated by semicolons')
    : isPossible(stacks > 0 ? 0.3 : 0.05, 'its lines do not end with a space and a number');
}

function areStacks({ stacks, invalid, deep }: Tally): boolean {
  return invalid * 100 <= (stacks + invalid) * MAX_INVALID_PERCENT && deep * 2 >= stacks;
}

/** For a head of comments and one incomplete line. `seen`: length of the head. */
function recogniseFirst(line: string, seen: number): Recognition {
  if (isSkipped(line)) return isPossible(0.05, 'it has no line of a stack, a space and a number');
  const frames = line.split(';');
  // Source code has semicolons too, but stacks contain no assignments, except in `operator=` and in threads.
  const frameTexts = line.replace(/^\[[^;]*\btid=\d+\](;|$)/, '').replace(/operator\W{1,3}/g, '');
  if (/^\s*[{<"]|"|=/.test(frameTexts)) return isNot(0.1, 'its first line is not a stack');
  const isFull = seen >= FULL_HEAD_BYTES;
  if (isFull && frames.length >= MIN_FRAMES) return is('its first line is frames separated by semicolons');
  const isLong = line.length > MAX_FRAME_BYTES;
  if (isFull && isLong) return isNot(0.1, 'its first line is not frames separated by semicolons');
  if (frames.length > 1 && LINE.test(line))
    return is('its first line is frames separated by semicolons, a space and a number');
  if (frames.length === 1 && isLong)
    return isNot(0.1, 'its first line is not frames separated by semicolons');
  return isPossible(0.2, 'it has no complete line of a stack, a space and a number');
}

interface Tally {
  readonly stacks: number;
  readonly invalid: number;
  /** Stacks of several frames. */
  readonly deep: number;
  /** Stacks of one frame without spaces. */
  readonly plausible: number;
  /** Index of the first line with a stack of several frames; the number of lines if there is none. */
  readonly firstDeep: number;
}

function tally(lines: readonly string[]): Tally {
  let stacks = 0;
  let invalid = 0;
  let deep = 0;
  let plausible = 0;
  let firstDeep = lines.length;
  for (const [at, line] of lines.entries()) {
    if (isSkipped(line)) continue;
    const stack = LINE.exec(line.replace(/\r$/, ''))?.[1];
    if (stack === undefined || mayBeOtherFormat(stack)) {
      invalid++;
      continue;
    }
    stacks++;
    if (stack.includes(';')) {
      deep++;
      firstDeep = Math.min(firstDeep, at);
    } else if (!/[ \t]/.test(stack)) plausible++;
  }
  return { stacks, invalid, deep, plausible, firstDeep };
}

/** An empty line or a comment. */
function isSkipped(line: string): boolean {
  return /^\s*$|^#|^\/\//.test(line);
}

/** Requests in the log of a server: a time or a size may be the last in a line, and addresses have semicolons. */
const REQUEST = /"[A-Z]+ [^"]* HTTP\/\d/;

/** Lines of YAML, of JSON and of logs may also end with a number. */
function mayBeOtherFormat(stack: string): boolean {
  return /^\s*["{}<]|[:,=]$/.test(stack) || REQUEST.test(stack);
}

/** The text of the head, which is UTF-8 or UTF-16; undefined if it contains control characters. */
function textOf(head: Uint8Array): string | undefined {
  if (head.length === 0) return undefined;
  const order = utf16Order(head);
  const text = new TextDecoder(order === undefined ? 'utf-8' : `utf-16${order}`).decode(head);
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text) ? undefined : text;
}
