import { decodedText } from '../formats/decoded-text.ts';
import type { FormatId } from '../facts/format-id.ts';

/** A kind of file that is not read, although people may open it. */
export interface OtherFile {
  /** With an article if it has one: 'a PNG image'. */
  readonly guess: string;
  /** What to do instead, a clause in the imperative; undefined if there is no better file to open. */
  readonly advice?: string;
  /** The format whose profiles are packed into such files. */
  readonly mayContain?: FormatId;
}

interface Magic extends OtherFile {
  /** The magic number, a character per byte. */
  readonly magic: string;
  /** Its offset, if it is not 0. */
  readonly at?: number;
}

const MISSION_CONTROL = 'open it with JDK Mission Control, or record with JDK 11 or later';

const MAGICS: readonly Magic[] = [
  { magic: '\x89PNG', guess: 'a PNG image' },
  { magic: '\xff\xd8\xff', guess: 'a JPEG image' },
  { magic: 'GIF8', guess: 'a GIF image' },
  { magic: '%PDF', guess: 'a PDF document' },
  { magic: 'PK\x03\x04', guess: 'a ZIP archive inside another' },
  { magic: '\x1f\x8b', guess: 'gzip inside gzip' },
  { magic: '\x28\xb5\x2f\xfd', guess: 'zstd-compressed data', advice: 'unpack it with zstd -d' },
  { magic: '\x04\x22\x4d\x18', guess: 'lz4-compressed data', advice: 'unpack it with lz4 -d' },
  { magic: '\xfd7zXZ', guess: 'xz-compressed data', advice: 'unpack it with xz -d' },
  { magic: 'BZh', guess: 'bzip2-compressed data', advice: 'unpack it with bzip2 -d' },
  { magic: '7z\xbc\xaf', guess: 'a 7z archive' },
  { magic: 'ustar', at: 257, guess: 'a tar archive', mayContain: 'skywalking-archive' },
  { magic: '\x7fELF', guess: 'an ELF program' },
  { magic: 'MZ', guess: 'a Windows program' },
  { magic: '\xca\xfe\xba\xbe', guess: 'a Java class' },
  { magic: '\xac\xed\x00\x05', guess: 'a serialised Java object' },
  {
    magic: 'PERFILE2',
    guess: 'a perf.data recording',
    advice: 'convert it: perf script -i FILE | stackcollapse-perf.pl > FILE.collapsed',
  },
  { magic: 'SQLite format 3', guess: 'an SQLite database' },
  { magic: 'ftyp', at: 4, guess: 'an MP4 video' },
  { magic: '\0\0\0\x01Bud1', guess: 'a .DS_Store file, which macOS writes into folders' },
  { magic: 'FLR\0\0\0', guess: 'an Oracle JFR recording of version 0.9', advice: MISSION_CONTROL },
  { magic: 'FLR\0\0\x01', guess: 'an Oracle JFR recording of version 1.0', advice: MISSION_CONTROL },
  {
    magic: 'Nettrace',
    guess: 'a .NET trace (nettrace)',
    advice: 'convert it: dotnet-trace convert --format Speedscope',
  },
  { magic: 'nBpRoFiLeR', guess: 'a NetBeans or VisualVM profiler snapshot', advice: 'open it with VisualVM' },
  { magic: '\x00\x15portable heap dump', guess: 'an OpenJ9 heap dump (PHD)' },
];

interface Text extends OtherFile {
  /**
   * All of them match the beginning of the text. Each takes linear time: an expression without `^` has no `.*` or `[^]*`,
   * which would be tried from every place.
   */
  readonly has: readonly { test(text: string): boolean }[];
}

const JSON_START = /^\s*[{[]/;
const PPROF_HINT = 'fetch it without debug=1, which gives a pprof profile';

const CHROME_TRACE: OtherFile = {
  guess: 'a Chrome trace',
  advice: 'open it at ui.perfetto.dev, or record a .cpuprofile',
};
const CALLGRIND: OtherFile = { guess: 'a callgrind profile', advice: 'open it with KCachegrind' };

/** Kinds of texts, in the order in which they are tried. */
const TEXTS: readonly Text[] = [
  {
    has: [/^\s*\{\s*"head"\s*:\s*\{/, /"selfSize"\s*:/],
    guess: 'a V8 heap profile',
    advice: 'open a CPU profile (.cpuprofile)',
  },
  {
    has: [/^\s*\{\s*"snapshot"\s*:\s*\{\s*"meta"\s*:/],
    guess: 'a V8 heap snapshot',
    advice: 'open it with Chrome’s developer tools',
  },
  {
    has: [
      JSON_START,
      /"meta"\s*:\s*\{/,
      /"(?:geckoProfileVersion|preprocessedProfileVersion|processType)"\s*:/,
    ],
    guess: 'a profile of the Firefox Profiler or of samply',
    advice: 'open it at profiler.firefox.com',
  },
  {
    has: [/^\s*\{[^]*"traceEvents"\s*:\s*\[/],
    ...CHROME_TRACE,
  },
  {
    has: [/^\s*\[\s*\{/, { test: beginsWithTraceEvent }],
    ...CHROME_TRACE,
  },
  {
    has: [/^\s*\{\s*"resource_?[pP]rofiles"\s*:/],
    guess: 'an OTLP profile in JSON',
    advice: 'open it in the binary form (protobuf)',
  },
  {
    has: [/^\s*<(?:\?xml|!DOCTYPE svg|svg)\b/, /<svg\b/, /class="func_g"|id="frames"|flame ?graph/i],
    guess: 'a flame graph as SVG',
    advice: 'open the collapsed stacks that it was drawn from',
  },
  { has: [/^\s*<(?:\?xml|!DOCTYPE svg|svg)\b/, /<svg\b/], guess: 'an SVG image' },
  {
    has: [/^={3,} FULL THREAD DUMP =|^(?:BEA|Oracle) JRockit\(R\)/m],
    guess: 'a thread dump of JRockit',
  },
  {
    has: [/^\s*(?:<\?xml[^>]*>\s*)?<(?:jra|jrockit|jra_?recording)\b/i],
    guess: 'a recording of JRockit',
    advice: 'open it with JRockit Mission Control',
  },
  {
    has: [/^\s*(?:<\?xml[^>]*>\s*)?<trace-(?:query-result|toc)\b/],
    guess: 'an export of Instruments',
    advice: 'copy the call tree as collapsed stacks',
  },
  { has: [/^(?:Running Time|Weight)\t+Self/m, /Symbol Name/], guess: 'a call tree of Instruments' },
  { has: [/^# callgrind format|^creator: (?:callgrind|xdebug)/m], ...CALLGRIND },
  { has: [/^version: \d+\r?$/m, /^events: \w/m], ...CALLGRIND },
  {
    has: [{ test: isPerfScript }],
    guess: 'the output of perf script',
    advice: 'convert it: stackcollapse-perf.pl FILE > FILE.collapsed',
  },
  {
    has: [/^# ={4,}\r?\n# captured on/m],
    guess: 'the output of perf',
    advice: 'convert it: perf script | stackcollapse-perf.pl > FILE.collapsed',
  },
  {
    has: [/^(?:heap profile: +\d+: +\d+|--- (?:heapz?|contentionz?|cpu) )/],
    guess: 'a gperftools profile in text form',
    advice: 'convert it: pprof -proto FILE > FILE.pb.gz',
  },
  {
    has: [/^(?:goroutine|threadcreate|mutex|block|allocs) profile: total \d+|^goroutine \d+ \[/],
    guess: 'a Go profile in text form',
    advice: PPROF_HINT,
  },
  {
    has: [/^#\s*(?:Java )?SAP (?:JVM|Java)|<sapjvm|SAP JVM Profiler/],
    guess: 'a file of the SAP JVM Profiler',
  },
];

/** What a file is that is not read. `head`: its first bytes. Undefined if it is of no known kind. */
export function otherFileOf(head: Uint8Array): OtherFile | undefined {
  const found = MAGICS.find(({ magic, at }) => beginsWith(head, magic, at ?? 0));
  if (found !== undefined) return found;
  if (isGperftools(head)) return GPERFTOOLS;
  const text = decodedText(head);
  return text.includes('\0')
    ? undefined
    : TEXTS.find(({ has }) => has.every((pattern) => pattern.test(text)));
}

/**
 * An event, and the first frame of its stack: `java 12/13 [001] 1.25: 250 cycles:u:` and `  7f2a Shop.sell (perf-12.map)`.
 * perf can leave out the processor and the time.
 */
const PERF_EVENT = /\S +\d+(?:\/\d+)? +(?:\[\d+\] +)?(?:\d+\.\d+: +)?(?:\d+ +)?[\w:/.\-{}=,]+:/;
const PERF_FRAME = /^[ \t]+[0-9a-f]{4,} \S/;

function isPerfScript(text: string): boolean {
  let before = '';
  for (let from = 0; from < text.length;) {
    const lineBreak = text.indexOf('\n', from);
    const to = lineBreak < 0 ? text.length : lineBreak;
    const line = text.slice(from, to).trimEnd();
    const isFrame = line.endsWith(')') && line.includes(' (') && PERF_FRAME.test(line);
    if (isFrame && /^\S/.test(before) && PERF_EVENT.test(before)) return true;
    before = line;
    from = to + 1;
  }
  return false;
}

/** Whether the first object of a list has the keys of an event of a Chrome trace, in any order. */
function beginsWithTraceEvent(text: string): boolean {
  const keys = new Set<string>();
  let depth = 0;
  for (let at = text.indexOf('{'); at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const from = at++;
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
      if (depth === 1 && at - from <= LONGEST_EVENT_KEY && /^\s*:/.test(text.slice(at + 1, at + 10)))
        keys.add(text.slice(from + 1, at));
    } else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) break;
  }
  return keys.has('ph') && (keys.has('ts') || keys.has('pid'));
}

const LONGEST_EVENT_KEY = 10;

const GPERFTOOLS: OtherFile = {
  guess: 'a binary CPU profile of gperftools',
  advice: 'convert it with its program: pprof -proto PROGRAM FILE > FILE.pb.gz',
};

/**
 * Its header has five words: 0, 3, 0, the sampling period in µs, 0. A word has the size and byte order of the machine.
 * Then follow the count of a sample and the number of its addresses.
 */
function isGperftools(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  return [4, 8].some((size) =>
    [true, false].some((isLittle) => {
      if (head.length < 7 * size) return false;
      const word = (at: number): number => {
        const low = view.getUint32(at * size + (isLittle || size === 4 ? 0 : 4), isLittle);
        const high = size === 4 ? 0 : view.getUint32(at * size + (isLittle ? 4 : 0), isLittle);
        return high * 4_294_967_296 + low;
      };
      const [zero, words, version, period, padding, , addresses] = Array.from({ length: 7 }, (_, at) =>
        word(at),
      );
      const isHeader = zero === 0 && words === 3 && version === 0 && padding === 0;
      return isHeader && period > 0 && period <= MOST_PERIOD && addresses >= 1 && addresses <= MOST_ADDRESSES;
    }),
  );
}

/** A minute in µs. */
const MOST_PERIOD = 60e6;
const MOST_ADDRESSES = 4096;

export function beginsWith(head: Uint8Array, magic: string, at: number): boolean {
  if (head.length < at + magic.length) return false;
  for (let index = 0; index < magic.length; index++) {
    if (head[at + index] !== magic.charCodeAt(index)) return false;
  }
  return true;
}
