import { decodedText } from '../decoded-text.ts';
import { isFirstOfThread, prefixedDumpIn, STATE } from './line-prefix.ts';
import { textOfRecords } from './log-record.ts';
import { is, isNot, isPossible, type Recognition } from '../profile-format.ts';

/** First line of a dump. */
const FIRST_LINE = /^Full (?:Java )?thread dump(?:[ \r\n]|$)/m;
/** First lines of threads without a name. */
const NAMELESS = [
  String.raw`Thread (?:t@)?(?:\d+|0x[0-9a-f]+): \(state = [A-Z_]+\)`,
  String.raw`-{5,} \d+ -{5,}\r?\n(?:".*" #\d|0x[0-9a-f]{8,}\s)`,
];
const NAMELESS_THREAD = new RegExp(`^(?:${NAMELESS.join('|')})`, 'm');
/** Lines that begin with a name. */
const NAMED = /^".*/gm;
const THREAD_STATE = new RegExp(`^[ \\t]*java\\.lang\\.Thread\\.State: ${STATE}\\b`, 'm');
/** `jcmd Thread.dump_to_file` */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\r?$/m;
const IN_FILE = /^#\d+ ".*"( virtual)?( [A-Z_]+)?( \d[\dT:.Z-]*)?\r?$/m;
/** Lines that may come before a dump: the process, a time, a version. */
const BEGUN =
  /^(\d+:?|[\d-]{1,10}([ T][\d:.Z]{0,19})?|\d[.\d]*\+[\w.+-]*|[#"].*|F|Fu|Ful|Full( t| th| thr| thre| threa| thread| thread .*)?|)\r?$/;

/**
 * A dump may stand anywhere in a text, as in the output of a server. The name of a thread may have a NUL; what has one
 * before it is a dump is no text.
 */
export function recogniseThreadDump(head: Uint8Array): Recognition {
  const whole = textOfRecords(decodedText(head));
  const end = whole.indexOf('\0');
  const text = end < 0 ? whole : whole.slice(0, end);
  if (FIRST_LINE.test(text)) return is('it has a line "Full thread dump"');
  if (hasThread(text)) return is('it has the first line of a thread in a thread dump');
  if (THREAD_STATE.test(text)) return is('it has the state of a thread in a thread dump');
  if (IN_FILE.test(text) && INSTANT.test(text))
    return is('it has a time and the first line of a thread in a thread dump');
  if (prefixedDumpIn(text) === 'thread-dump')
    return is('it has a thread of a thread dump, with a prefix before each line');
  if (end >= 0) return isNot(0, 'it is not text');
  if (head.length === 0) return isNot(0, 'it is empty');
  const isBegun = text.split('\n', MOST_LINES_BEFORE).every((line) => BEGUN.test(line));
  return isPossible(isBegun ? 0.2 : 0.05, 'it has no line "Full thread dump"');
}

const MOST_LINES_BEFORE = 20;

function hasThread(text: string): boolean {
  if (NAMELESS_THREAD.test(text)) return true;
  for (const [line] of text.matchAll(NAMED)) if (isFirstOfThread(line)) return true;
  return false;
}

/** Tags of lines that every javacore has, and some of its threads. */
const JAVACORE = /^[ \t]*(?:0SECTION +(?:TITLE|THREADS|GPINFO|ENVINFO)|1TISIGINFO|3XMTHREADINFO)\s/m;

/** Tags behind other text. */
const PREFIXED_TAG = /[\s>|](?:0SECTION|1TISIGINFO|1XMTHDINFO|3XMTHREADINFO) /;

/** It may follow the output of a server, too. */
export function recogniseJavacore(head: Uint8Array): Recognition {
  const text = textOfRecords(decodedText(head));
  if (JAVACORE.test(text)) return is('its lines have the tags of a javacore');
  if (PREFIXED_TAG.test(text) && prefixedDumpIn(text) === 'javacore')
    return is('its lines have the tags of a javacore, with a prefix before each');
  if (text.includes('\0')) return isNot(0, 'it is not text');
  const isBegun = /^\s*(NULL|0SECTION|1TI)/.test(text);
  return isBegun
    ? isPossible(0.4, 'it has no line with the tag 0SECTION')
    : isPossible(0, 'its lines have no tags');
}

export function recogniseThreadDumpJson(head: Uint8Array): Recognition {
  const text = decodedText(head);
  if (!/^\s*[{[]/.test(text)) return isNot(0, 'it is not JSON');
  if (/"threadDump"\s*:\s*\{/.test(text) && /"(threadContainers|runtimeVersion|processId)"\s*:/.test(text))
    return is('it begins with the object threadDump');
  const isList = /^\s*(\[|\{\s*"threads"\s*:\s*\[)/.test(text) || /"threads"\s*:\s*\[/.test(text);
  if (isList && /"threadName"\s*:/.test(text) && /"(stackTrace|threadState|threadId)"\s*:/.test(text))
    return is('it is a list of threads with names and stacks');
  return isPossible(0.15, 'it has no object threadDump and no list of threads');
}
