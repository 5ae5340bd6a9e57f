import { utf16Order } from '../../bytes/utf16.ts';
import { is, isNot, isPossible, type Recognition } from '../profile-format.ts';

/** So many lines in a hundred may make no sense: files begin with what a tool said to its user. */
const MOST_STRANGE = 25;
/** Frames of a line that is too long to see its end. */
const FEWEST_FRAMES = 4;
/** See DETECTION_BYTES: with so many bytes no more are coming. */
const WHOLE_HEAD = 4096;
const LONGEST_FRAME = 400;

const LINE = /^(.*\S)[ \t]+(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+)[ \t]*$/i;

/**
 * The format has no magic: what it is made of are lines that end in a blank and a number and have semicolons before it.
 * Lines without any semicolon, stacks of one frame each, are believed when there is nothing but them and their frames
 * have no blanks.
 */
export function recogniseCollapsed(head: Uint8Array): Recognition {
  const text = textOf(head);
  if (text === undefined) return isNot(0, 'it is no text');
  const lines = text.split('\n');
  // The last one goes on, or ends without a line break.
  const last = lines.pop() ?? '';
  const { stacks, strange, deep, believable } = tally(lines);
  if (stacks + strange === 0) return recogniseFirst(last, head.length);
  if (strange * 100 > (stacks + strange) * MOST_STRANGE)
    return isNot(stacks > 0 ? 0.3 : 0.05, 'its lines do not end in a blank and a number');
  if (deep * 2 >= stacks) return is('its lines are frames between semicolons, and a number behind a blank');
  if (strange === 0 && believable === stacks && !mayBeOther(last))
    return is('its lines are a frame, a blank and a number');
  return isNot(0.3, 'its lines have no frames between semicolons');
}

/** Nothing but comments so far, and the beginning of a line. */
function recogniseFirst(line: string, seen: number): Recognition {
  const frames = line.split(';');
  // Programs have semicolons, too, but no stack has assignments; `operator=` is none.
  if (/^\s*[{<"]|"|=/.test(line.replace(/operator\W{1,3}/g, '')))
    return isNot(0.1, 'its first line is no stack');
  const isCut = seen >= WHOLE_HEAD;
  if (isCut && frames.length >= FEWEST_FRAMES) return is('its first line is frames between semicolons');
  if (isCut) return isNot(0.1, 'its first line has no frames between semicolons');
  if (frames.length > 1 && LINE.test(line))
    return is('its first line is frames between semicolons, and a number');
  if (frames.length === 1 && seen > LONGEST_FRAME)
    return isNot(0.1, 'its first line has no frames between semicolons');
  return isPossible(0.2, 'it has no whole line that is a stack, a blank and a number');
}

function tally(lines: readonly string[]): {
  readonly stacks: number;
  readonly strange: number;
  readonly deep: number;
  readonly believable: number;
} {
  let stacks = 0;
  let strange = 0;
  let deep = 0;
  let believable = 0;
  for (const line of lines) {
    if (/^\s*$|^#|^\/\//.test(line)) continue;
    const stack = LINE.exec(line.replace(/\r$/, ''))?.[1];
    if (stack === undefined || mayBeOther(stack)) {
      strange++;
      continue;
    }
    stacks++;
    if (stack.includes(';')) deep++;
    else if (!/[ \t]/.test(stack)) believable++;
  }
  return { stacks, strange, deep, believable };
}

/** A line of YAML or JSON may end in a number, too. */
function mayBeOther(stack: string): boolean {
  return /^\s*["{}<]|[:,=]$/.test(stack);
}

/** The text, when it is one: UTF-8 or UTF-16 without control characters. */
function textOf(head: Uint8Array): string | undefined {
  if (head.length === 0) return undefined;
  const order = utf16Order(head);
  const text = new TextDecoder(order === undefined ? 'utf-8' : `utf-16${order}`).decode(head);
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text) ? undefined : text;
}
