import { is, isNot, isPossible, type ProfileFormat, type Recognition } from '../profile-format.ts';
import { decodedText } from '../../read/utf16.ts';
import { isFirstOfThread, prefixedDumpIn, textOfRecords } from './line-prefix.ts';
import { FILE_FORM, FORCED_FORM, STATE } from './thread-header.ts';
import { ThreadDumpDecoder } from './decoder.ts';
import { ThreadDumpJsonDecoder } from './json-decoder.ts';
import { JavacoreDecoder } from './javacore-decoder.ts';

const CPU_TIME = 'CPU time per method: a running thread and one that waits for data may look the same';
const PRECISE_TIME = 'the time of a dump more precisely than to the second';
const PRECISE_TIME_OF_VM = `${PRECISE_TIME}, unless Leanscope has sampled it`;
const ZONE = 'the time zone: times are shown as if they were UTC';

/** Thread dumps of HotSpot VMs, and of programs that write them in a similar form (specs: other formats, Thread dumps). */
export const THREAD_DUMP: ProfileFormat = {
  id: 'thread-dump',
  name: 'Java thread dump',
  listed: { group: 'Traces and dumps', entry: 'Thread dumps' },
  extensions: ['.txt', '.tdump'],
  follows: true,
  beginsAnywhere: true,
  joinsFiles: true,
  joinsEntries: 'lines',
  notRecorded: [CPU_TIME, PRECISE_TIME_OF_VM, ZONE],
  recognise: recogniseThreadDump,
  createDecoder: (sink, chosen) => new ThreadDumpDecoder(sink, chosen),
};

/** `jcmd Thread.dump_to_file -format=json`, and the thread dump of Spring Boot's actuator. */
export const THREAD_DUMP_JSON: ProfileFormat = {
  id: 'thread-dump-json',
  name: 'JSON thread dump',
  listed: { group: 'Traces and dumps', entry: 'Thread dumps' },
  extensions: ['.json'],
  follows: false,
  joinsFiles: true,
  joinsEntries: 'lines',
  notRecorded: [CPU_TIME, 'the states of threads, before JDK 25 and unless the actuator wrote it'],
  recognise: recogniseThreadDumpJson,
  createDecoder: (sink, chosen) => new ThreadDumpJsonDecoder(sink, chosen),
};

/** Javacores of OpenJ9 and of IBM's VMs (their documentation: Java dump). */
export const JAVACORE: ProfileFormat = {
  id: 'javacore',
  name: 'OpenJ9 javacore',
  listed: { group: 'Traces and dumps', entry: 'Thread dumps' },
  extensions: ['.txt'],
  follows: true,
  beginsAnywhere: true,
  joinsFiles: true,
  joinsEntries: 'lines',
  notRecorded: [CPU_TIME, PRECISE_TIME, ZONE, 'whether a waiting thread waits for a limited time'],
  recognise: recogniseJavacore,
  createDecoder: (sink, chosen) => new JavacoreDecoder(sink, chosen),
};

/** Lines that only dumps have: their first one, that of a thread without a name, the state of a thread. */
const ONLY_IN_DUMPS = new RegExp(
  [
    String.raw`Full (?:Java )?thread dump(?:[ \r\n]|$)`,
    FORCED_FORM,
    String.raw`-{5,} \d+ -{5,}\r?\n(?:".*" #\d|0x[0-9a-f]{8,}\s)`,
    String.raw`[ \t]*java\.lang\.Thread\.State: ${STATE}\b`,
  ]
    .map((form) => `^${form}`)
    .join('|'),
  'm',
);
/** Lines that begin with a name. */
const NAMED = /^".*/gm;
/** `jcmd Thread.dump_to_file` */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\r?$/m;
const IN_FILE = new RegExp(`^${FILE_FORM}`, 'm');
/** Lines that may come before a dump: the process, a time, a version. */
const BEGUN =
  /^(\d+:?|[\d-]{1,10}([ T][\d:.Z]{0,19})?|\d[.\d]*\+[\w.+-]*|[#"].*|F|Fu|Ful|Full( t| th| thr| thre| threa| thread| thread .*)?|)\r?$/;

/**
 * A dump may stand anywhere in a text, as in the output of a server. The name of a thread may have a NUL; what has one
 * before it is a dump is no text.
 */
function recogniseThreadDump(head: Uint8Array): Recognition {
  const whole = textOfRecords(decodedText(head));
  const end = whole.indexOf('\0');
  const text = end < 0 ? whole : whole.slice(0, end);
  const hasThread = (): boolean => [...text.matchAll(NAMED)].some(([line]) => isFirstOfThread(line));
  if (ONLY_IN_DUMPS.test(text) || hasThread() || (IN_FILE.test(text) && INSTANT.test(text)))
    return is('it has lines of a thread dump');
  if (prefixedDumpIn(text) === 'thread-dump')
    return is('it has a thread of a thread dump, with a prefix before each line');
  if (end >= 0) return isNot(0, 'it is not text');
  if (head.length === 0) return isNot(0, 'it is empty');
  const isBegun = text.split('\n', MOST_LINES_BEFORE).every((line) => BEGUN.test(line));
  return isPossible(isBegun ? 0.2 : 0.05, 'it has no line "Full thread dump"');
}

const MOST_LINES_BEFORE = 20;

/** Tags of lines that every javacore has, and some of its threads. */
const TAGS = /^[ \t]*(?:0SECTION +(?:TITLE|THREADS|GPINFO|ENVINFO)|1TISIGINFO|3XMTHREADINFO)\s/m;

/** Tags behind other text. */
const PREFIXED_TAG = /[\s>|](?:0SECTION|1TISIGINFO|1XMTHDINFO|3XMTHREADINFO) /;

/** It may follow the output of a server, too. */
function recogniseJavacore(head: Uint8Array): Recognition {
  const text = textOfRecords(decodedText(head));
  if (TAGS.test(text)) return is('its lines have the tags of a javacore');
  if (PREFIXED_TAG.test(text) && prefixedDumpIn(text) === 'javacore')
    return is('its lines have the tags of a javacore, with a prefix before each');
  if (text.includes('\0')) return isNot(0, 'it is not text');
  const isBegun = /^\s*(NULL|0SECTION|1TI)/.test(text);
  return isBegun
    ? isPossible(0.4, 'it has no line with the tag 0SECTION')
    : isPossible(0, 'its lines have no tags');
}

function recogniseThreadDumpJson(head: Uint8Array): Recognition {
  const text = decodedText(head);
  if (!/^\s*[{[]/.test(text)) return isNot(0, 'it is not JSON');
  if (/"threadDump"\s*:\s*\{/.test(text) && /"(threadContainers|runtimeVersion|processId)"\s*:/.test(text))
    return is('it begins with the object threadDump');
  const isList = /^\s*(\[|\{\s*"threads"\s*:\s*\[)/.test(text) || /"threads"\s*:\s*\[/.test(text);
  if (isList && /"threadName"\s*:/.test(text) && /"(stackTrace|threadState|threadId)"\s*:/.test(text))
    return is('it is a list of threads with names and stacks');
  return isPossible(0.15, 'it has no object threadDump and no list of threads');
}
