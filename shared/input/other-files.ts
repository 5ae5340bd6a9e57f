import { decodedText } from '../read/utf16.ts';
import { TAR_BLOCK_BYTES, tarEntrySize } from '../read/tar-header.ts';
import type { FormatId } from '../facts/format-list.ts';

/** A kind of file that is not read, although people may open it. */
interface OtherFile {
  /** With an article if it has one: 'a PNG image'. */
  readonly what: string;
  /** Whether an input that begins with `head` is such a file. `text`: the head as text; empty if it is no text. */
  readonly recognise: (head: Uint8Array, text: string) => boolean;
  /** The advice, a clause in the imperative; undefined if there is no better file to open. */
  readonly instead?: string;
  /** The format whose profiles are packed into such files. */
  readonly mayContain?: FormatId;
  /** A tar archive, whose files are read. */
  readonly isTar?: true;
}

/** `magic`: a character per byte. */
function begins(magic: string, at = 0): OtherFile['recognise'] {
  return (head) => beginsWith(head, magic, at);
}

/**
 * All of them match the beginning of the text. Each takes linear time: an expression without `^` has no `.*` or `[^]*`,
 * which would be tried from every place.
 */
function has(...patterns: readonly RegExp[]): OtherFile['recognise'] {
  return (_, text) => text !== '' && patterns.every((pattern) => pattern.test(text));
}

const MISSION_CONTROL = 'open it with JDK Mission Control, or record with JDK 11 or later';
const JSON_START = /^\s*[{[]/;
const HTML_START = /^\s*<(?:!doctype html|html)/i;
const ASYNC_PROFILER = /async-profiler/i;
const THE_RECORDING = 'open the recording (.jfr) itself';
const PPROF_HINT = 'fetch it without debug=1, which gives a pprof profile';
const CALLGRIND = 'a callgrind profile';
const KCACHEGRIND = 'open it with KCachegrind';
const CHROME_TRACE = 'a Chrome trace';
const RAW_GECKO = [JSON_START, /"meta"\s*:\s*\{/, /"(?:geckoProfileVersion|processType)"\s*:/];
const PERFETTO = 'open it at ui.perfetto.dev, or record a .cpuprofile';

/** In the order in which they are tried. */
const OTHER_FILES: readonly OtherFile[] = [
  { what: 'a PNG image', recognise: begins('\x89PNG') },
  { what: 'a JPEG image', recognise: begins('\xff\xd8\xff') },
  { what: 'a GIF image', recognise: begins('GIF8') },
  { what: 'a PDF document', recognise: begins('%PDF') },
  { what: 'a ZIP archive inside another', recognise: begins('PK\x03\x04') },
  { what: 'gzip inside gzip', recognise: begins('\x1f\x8b') },
  {
    what: 'zstd-compressed data',
    recognise: begins('\x28\xb5\x2f\xfd'),
    instead: 'unpack it with zstd -d',
  },
  { what: 'lz4-compressed data', recognise: begins('\x04\x22\x4d\x18'), instead: 'unpack it with lz4 -d' },
  { what: 'xz-compressed data', recognise: begins('\xfd7zXZ'), instead: 'unpack it with xz -d' },
  { what: 'bzip2-compressed data', recognise: begins('BZh'), instead: 'unpack it with bzip2 -d' },
  { what: 'a 7z archive', recognise: begins('7z\xbc\xaf') },
  { what: 'a tar archive', recognise: beginsTar, mayContain: 'skywalking-archive', isTar: true },
  { what: 'an ELF program', recognise: begins('\x7fELF') },
  { what: 'a Windows program', recognise: begins('MZ') },
  { what: 'a Java class', recognise: begins('\xca\xfe\xba\xbe') },
  { what: 'a serialised Java object', recognise: begins('\xac\xed\x00\x05') },
  {
    what: 'a perf.data recording',
    recognise: (head) => beginsWith(head, 'PERFILE2', 0) || beginsWith(head, 'PERFFILE', 0),
    instead: 'convert it: perf script -i FILE | stackcollapse-perf.pl > FILE.collapsed',
  },
  { what: 'an SQLite database', recognise: begins('SQLite format 3') },
  { what: 'an MP4 video', recognise: begins('ftyp', 4) },
  { what: 'a .DS_Store file, which macOS writes into folders', recognise: begins('\0\0\0\x01Bud1') },
  {
    what: 'an Oracle JFR recording of version 0.9',
    recognise: begins('FLR\0\0\0'),
    instead: MISSION_CONTROL,
  },
  {
    what: 'an Oracle JFR recording of version 1.0',
    recognise: begins('FLR\0\0\x01'),
    instead: MISSION_CONTROL,
  },
  {
    what: 'a .NET trace (nettrace)',
    recognise: begins('Nettrace'),
    instead: 'convert it: dotnet-trace convert --format Speedscope',
  },
  {
    what: 'a NetBeans or VisualVM profiler snapshot',
    recognise: begins('nBpRoFiLeR'),
    instead: 'open it with VisualVM',
  },
  { what: 'an OpenJ9 heap dump (PHD)', recognise: begins('\x00\x15portable heap dump') },
  {
    what: 'a binary CPU profile of gperftools',
    recognise: isGperftools,
    instead: 'convert it with its program: pprof -proto PROGRAM FILE > FILE.pb.gz',
  },
  {
    what: 'a V8 heap profile',
    recognise: has(JSON_START, /"head"\s*:\s*\{/, /"callFrame"\s*:/, /"selfSize"\s*:/),
    instead: 'open a CPU profile (.cpuprofile)',
  },
  {
    what: 'a V8 heap snapshot',
    recognise: has(JSON_START, /"meta"\s*:\s*\{/, /"node_fields"\s*:|"snapshot"\s*:\s*\{\s*"meta"\s*:/),
    instead: 'open it with Chrome’s developer tools',
  },
  {
    what: 'a raw profile of Gecko, as Firefox and perf script write it',
    recognise: (_, text) =>
      RAW_GECKO.every((pattern) => pattern.test(text)) && !/"preprocessedProfileVersion"\s*:/.test(text),
    instead: 'open it at profiler.firefox.com, and download it from there',
    mayContain: 'firefox',
  },
  { what: CHROME_TRACE, recognise: has(/^\s*\{[^]*"traceEvents"\s*:\s*\[/), instead: PERFETTO },
  {
    what: CHROME_TRACE,
    recognise: (_, text) => /^\s*\[\s*\{/.test(text) && beginsWithTraceEvent(text),
    instead: PERFETTO,
  },
  {
    what: 'an OTLP profile in JSON',
    recognise: has(/^\s*\{/, /"resource_?[pP]rofiles"\s*:\s*\[/),
    instead: 'open it in the binary form (protobuf)',
  },
  {
    what: 'the output of jfr print as JSON',
    recognise: has(/^\s*\{\s*"recording"\s*:/, /"events"\s*:\s*\[/),
    instead: THE_RECORDING,
  },
  {
    what: 'the output of jfr print as XML',
    recognise: has(/^\s*<\?xml/, /<recording\b/, /<event type="/),
    instead: THE_RECORDING,
  },
  {
    what: 'the output of jfr print',
    recognise: has(/^\w+(?:\.\w+)+ \{\r?\n {2}startTime = /m),
    instead: THE_RECORDING,
  },
  {
    what: 'the output of jfr summary',
    recognise: has(/^ ?Event Type +Count +Size \(bytes\)/m),
    instead: THE_RECORDING,
  },
  {
    what: 'a heat map of async-profiler',
    recognise: has(HTML_START, ASYNC_PROFILER, /\bid=["']?heatmap-|<(?:h1|title)\b[^<>]*>Heatmap</i),
    instead: 'open the recording (.jfr) that it was made of',
  },
  {
    what: 'a call tree page of async-profiler',
    recognise: has(HTML_START, /<title>Tree view</, /class=["']?tree\b/),
    instead: 'record again with -o jfr or -o collapsed',
  },
  {
    what: 'the text output of async-profiler',
    recognise: has(
      /^--- Execution profile ---|^--- \d+ \w+ \(\d+\.\d+%\), \d+ samples?\b|^ +(?:ns|bytes|total|samples|cycles) +percent +samples +top\b/m,
    ),
    instead: 'record again with -o jfr or -o collapsed',
  },
  {
    what: 'a flame graph as SVG',
    recognise: has(/^\s*<(?:\?xml|!DOCTYPE svg|svg)\b/, /<svg\b/, /class="func_g"|id="frames"|flame ?graph/i),
    instead: 'open the collapsed stacks that it was drawn from',
    mayContain: 'leanscope-page',
  },
  {
    what: 'an SVG image',
    recognise: has(/^\s*<(?:\?xml|!DOCTYPE svg|svg)\b/, /<svg\b/),
    mayContain: 'leanscope-page',
  },
  {
    what: 'a crash log of the JVM (hs_err)',
    recognise: has(
      /^#\s*\r?\n# (?:A fatal error has been detected by|There is insufficient memory for) the Java Runtime/,
    ),
    instead: 'open a recording or a thread dump of the JVM',
  },
  {
    what: 'a dump of Android’s runtime, as of an ANR',
    recognise: has(/^----- pid \d+ at /m, /^DALVIK THREADS|^suspend all histogram:|^Build fingerprint: /m),
    instead: 'read it as text: stacks of Android’s runtime are not shown',
  },
  {
    what: 'the hot threads of Elasticsearch or OpenSearch',
    recognise: has(
      /^[ \t]*(?:Hot threads at \d|\d+\.\d+% \[?[^\n]* out of [^\n]*\) [^\n]*usage by thread ')/m,
    ),
    instead: 'open a thread dump of the node: jstack PID > FILE',
  },
  {
    what: 'a thread dump of JRockit',
    recognise: has(/^={3,} FULL THREAD DUMP =|^(?:BEA|Oracle) JRockit\(R\)/m),
  },
  {
    what: 'a recording of JRockit',
    recognise: has(/^\s*(?:<\?xml[^>]*>\s*)?<(?:jra|jrockit|jra_?recording)\b/i),
    instead: 'open it with JRockit Mission Control',
  },
  {
    what: 'an export of Instruments',
    recognise: has(/^\s*(?:<\?xml[^>]*>\s*)?<trace-(?:query-result|toc)\b/),
    instead: 'copy the call tree as collapsed stacks',
  },
  {
    what: 'a call tree of Instruments',
    recognise: has(/^(?:Running Time|Weight)\t+Self/m, /Symbol Name/),
  },
  {
    what: CALLGRIND,
    recognise: has(/^# callgrind format|^creator: (?:callgrind|xdebug)/m),
    instead: KCACHEGRIND,
  },
  { what: CALLGRIND, recognise: has(/^version: \d+\r?$/m, /^events: \w/m), instead: KCACHEGRIND },
  {
    what: 'the output of perf script',
    recognise: (_, text) => isPerfScript(text),
    instead: 'convert it: stackcollapse-perf.pl FILE > FILE.collapsed',
  },
  {
    what: 'the output of perf',
    recognise: has(/^# ={4,}\r?\n# captured on/m),
    instead: 'convert it: perf script | stackcollapse-perf.pl > FILE.collapsed',
  },
  {
    what: 'a gperftools profile in text form',
    recognise: has(/^(?:heap profile: +\d+: +\d+|--- (?:heapz?|contentionz?|cpu) )/),
    instead: 'convert it: pprof -proto FILE > FILE.pb.gz',
  },
  {
    what: 'a Go profile in text form',
    recognise: has(/^(?:goroutine|threadcreate|mutex|block|allocs) profile: total \d+|^goroutine \d+ \[/),
    instead: PPROF_HINT,
  },
  {
    what: 'a file of the SAP JVM Profiler',
    recognise: has(/^#\s*(?:Java )?SAP (?:JVM|Java)|<sapjvm|SAP JVM Profiler/),
  },
];

/** The kind of a file that is not read. `head`: its first bytes. Undefined if it is of no known kind. */
export function otherFileOf(head: Uint8Array): OtherFile | undefined {
  const decoded = decodedText(head);
  const text = decoded.includes('\0') ? '' : decoded;
  return OTHER_FILES.find(({ recognise }) => recognise(head, text));
}

const TAR_MAGIC_OFFSET = 257;

/** Old archives have no magic number, but the checksum of a header. */
function beginsTar(head: Uint8Array): boolean {
  if (beginsWith(head, 'ustar', TAR_MAGIC_OFFSET)) return true;
  return head.length >= TAR_BLOCK_BYTES && head[0] !== 0 && tarEntrySize(head, 0) !== undefined;
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
