import { isAt } from './dump-lines.ts';
import { isOfSampler } from './dump-sampling.ts';
import { type DumpPlace, DumpTextDecoder, lineText } from './dump-text-decoder.ts';
import { readLooseHeader, STATE, type ThreadHeader, threadHeaderIn, virtualName } from './thread-header.ts';

/**
 * Decodes consecutive thread dumps of jstack, jcmd Thread.print, a VM that received SIGQUIT, or programs that write
 * `ThreadInfo`. Each dump is one sample of every thread with a stack.
 *
 *   2026-11-20 11:42:18
 *   Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):
 *
 *   "http-0" #15 daemon prio=5 os_prio=0 cpu=1009.30ms elapsed=5.61s tid=0x00007f93 nid=0xbb0 sleeping [0x00007f93]
 *      java.lang.Thread.State: TIMED_WAITING (sleeping)
 *           at java.lang.Thread.sleep(java.base@17.0.15/Native Method)
 *           at demo.shop.Shop.pause(Shop.java:47)
 *           - locked <0x0000000687400488> (a demo.shop.Shop)
 *
 * `jcmd Thread.dump_to_file` writes fewer details, but all virtual threads:
 *
 *   #21 "" virtual
 *         java.base/java.lang.Thread.run(Thread.java:1583)
 *
 * The serviceability agent (`jstack -F`, `jhsdb jstack`) writes bytecode indexes, and with `--mixed` native frames:
 *
 *   Thread 4576: (state = BLOCKED)
 *    - java.lang.Object.wait(long) @bci=0 (Compiled frame; information may be imprecise)
 *
 *   ----------------- 4577 -----------------
 *   0x00007f1f2b3c	__read + 0x2d
 *
 * A sampler writes a line about each dump before it (`dump-sampling.ts`), and `...` below a stack that it has cut, as
 * `ThreadInfo` does. A line `"name" …` in another form is the first of a thread if its state or a frame follows. Lines
 * between dumps, as in the output of a server, are skipped.
 */
export class ThreadDumpDecoder extends DumpTextDecoder {
  /** Within the list of threads or of deadlocks. */
  #isInDump = false;
  /** Time in the latest line of time, which belongs to the next dump. */
  #nextMs = NaN;
  /** The thread's frames have no `at` before them. */
  #hasBareFrames = false;
  /** The first line of a thread whose name contains a line break. */
  #begunName: string | undefined;
  /** The line before may be the first of a thread in an unknown form. */
  #loose: ThreadHeader | undefined;
  /** The latest unindented line looks like the first of a thread, and was not understood. */
  #isUnreadHeading = false;
  /** Within a list of coroutines, which follows the threads in a dump of IntelliJ. */
  #isInCoroutines = false;
  /** The line before is a coroutine, whose frames may follow. */
  #isCoroutine = false;

  protected readLine(bytes: Uint8Array, from: number, to: number): boolean {
    const { series } = this;
    if (this.#isInCoroutines && this.#readCoroutine(bytes, from, to)) return true;
    let at = from;
    while (at < to && (bytes[at] === BLANK || bytes[at] === TAB)) at++;
    if (at === to) {
      this.#endLoose();
      // IntelliJ writes an empty line between the state and the stack.
      if (series.depth > 0) series.endStack();
      return series.dumps > 0;
    }
    if (at === from) return this.#readUnindented(bytes, from, to);
    this.#begunName = undefined;
    if (isAt(bytes, at, to)) this.#frame(bytes, at + 3, to);
    else if (bytes[at] === HYPHEN) this.#readHyphen(bytes, at, to);
    else if (series.isInStack && this.#hasBareFrames) series.push(series.frames.take(bytes, at, to));
    else this.#readThreadLine(lineText(bytes, at, to));
    return this.#isInDump;
  }

  /** Counts a coroutine. False if the line belongs to no list of them. */
  #readCoroutine(bytes: Uint8Array, from: number, to: number): boolean {
    const line = lineText(bytes, from, to);
    const isCoroutine = /^\s*- |^Coroutine /.test(line);
    const isFrame = /^\s*at /.test(line);
    this.#isInCoroutines = isCoroutine || isFrame || /^\s|^$/.test(line);
    if (isCoroutine) this.series.coroutines++;
    if (isFrame && this.#isCoroutine) this.series.coroutinesWithStack++;
    this.#isCoroutine = isCoroutine;
    return this.#isInCoroutines;
  }

  protected placeOf(bytes: Uint8Array, from: number, to: number): DumpPlace | undefined {
    const first = bytes[from];
    if (from === to || (first !== LETTER_F && first !== LETTER_J && first !== LETTER_L)) return undefined;
    const line = lineText(bytes, from, to);
    if (FIRST_LINE.test(line)) return 'first';
    if (END_LINE.test(line)) return 'last';
    return isOfSampler(line) ? 'about' : undefined;
  }

  protected endThread(): void {
    this.#endLoose();
    this.series.endThread();
  }

  /** A lock, or a frame of the serviceability agent. */
  #readHyphen(bytes: Uint8Array, from: number, to: number): void {
    const text = lineText(bytes, from, to).trimEnd();
    if (AGENT_FRAME.test(text)) this.#frame(bytes, from + 2, to);
    else if (this.series.thread !== undefined) this.series.locks.take(text, this.series.thread.name);
  }

  #frame(bytes: Uint8Array, from: number, to: number): void {
    const { series } = this;
    this.#beginLoose();
    if (series.isInStack) series.push(series.frames.take(bytes, from, to));
    else if (this.#isUnreadHeading) {
      series.unread++;
      this.#isUnreadHeading = false;
    }
  }

  #readThreadLine(line: string): void {
    const { series } = this;
    if (line === CUT) {
      series.endCutStack();
      return;
    }
    const state = STATE_LINE.exec(line);
    if (state !== null) {
      this.#beginLoose();
      if (series.isInStack && series.thread !== undefined) series.thread.state = state[1];
      return;
    }
    // JDK 21 writes the stack of a carrier thread, then the stack of the virtual thread that it carries.
    const mounted = MOUNTED.exec(line);
    if (mounted === null || series.thread === undefined || !series.isInStack) return;
    const number = mounted[1];
    this.#beginThread({ name: virtualName(number), number, isDaemon: true });
  }

  #readUnindented(bytes: Uint8Array, from: number, to: number): boolean {
    const { series } = this;
    if (series.isInStack && isAt(bytes, from, to)) {
      this.#frame(bytes, from + 3, to);
      return true;
    }
    const line = lineText(bytes, from, to);
    const begun = this.#begunName;
    this.#begunName = undefined;
    const header =
      begun === undefined || line.startsWith('"')
        ? threadHeaderIn(line)
        : threadHeaderIn(`${begun}\n${line}`);
    if (header !== undefined) {
      this.#loose = undefined;
      this.#beginThread(header);
      this.#hasBareFrames = line.startsWith('#');
      return true;
    }
    if (series.isInStack && (NATIVE_FRAME.test(line) || (this.#hasBareFrames && BARE_FRAME.test(line)))) {
      series.push(series.frames.take(bytes, from, to));
      return true;
    }
    // The blanks before the lines of a thread may have been lost.
    if (STATE_LINE.test(line) || line === CUT || MOUNTED.test(line)) {
      this.#readThreadLine(line);
      return this.#isInDump;
    }
    if (series.thread !== undefined && OF_STACK.test(line)) {
      this.#readHyphen(bytes, from, to);
      return true;
    }
    this.endThread();
    this.#isUnreadHeading = looksLikeThread(line);
    if (FIRST_LINE.test(line)) {
      this.#beginDump();
      this.series.javaVersion = JVM_VERSION.exec(line)?.[1] ?? this.series.javaVersion;
      return true;
    }
    if (COROUTINES.test(line)) {
      this.#isInDump = false;
      this.#isInCoroutines = true;
      this.#isCoroutine = false;
      return true;
    }
    const time = TIME.exec(line);
    if (time !== null) {
      this.#isInDump = false;
      // A VM writes local time without a zone, which is good enough for intervals. Only dumps to files have a Z.
      const ms = Number((time.at(7) ?? '').padEnd(3, '0').slice(0, 3));
      this.#nextMs = Date.UTC(+time[1], +time[2] - 1, +time[3], +time[4], +time[5], +time[6], ms);
      return true;
    }
    if (series.sampling.take(line)) {
      this.#isInDump = false;
      return true;
    }
    if (line.startsWith('"')) {
      this.#begunName = line;
      this.#loose = readLooseHeader(line);
    }
    // The list of deadlocks after the threads has only names of threads, without the rest of their headers.
    const isDeadlock = line.startsWith('Found one Java-level deadlock');
    if (isDeadlock) series.deadlocks++;
    const wasInDump = this.#isInDump;
    this.#isInDump = (wasInDump || isDeadlock) && !LAST_LINE.test(line);
    return wasInDump || isDeadlock;
  }

  #beginDump(): void {
    this.#isInDump = true;
    this.series.beginDump(this.#nextMs);
    this.#nextMs = NaN;
  }

  #beginThread(header: ThreadHeader): void {
    if (!this.#isInDump || this.series.dumps === 0) this.#beginDump();
    this.series.beginThread(header);
    this.#hasBareFrames = false;
    this.#isUnreadHeading = false;
  }

  /** The state or a frame follows the first line of a thread in an unknown form. */
  #beginLoose(): void {
    if (this.#loose === undefined) return;
    const header = this.#loose;
    this.#loose = undefined;
    this.#beginThread(header);
  }

  /** Neither state nor frame follows what may have been the first line of a thread. */
  #endLoose(): void {
    if (this.#loose !== undefined && this.#isInDump) this.series.unread++;
    this.#loose = undefined;
  }
}

/** Whether a line without indentation may be the first of a thread, in whatever form. */
function looksLikeThread(line: string): boolean {
  if (/^Exception in |Exception\b|Error\b|^Java stack information/.test(line) || line.endsWith('":'))
    return false;
  return /^"|\bthread\b|\b(RUNNABLE|BLOCKED|(TIMED_)?WAITING)\b/i.test(line);
}

const TAB = 0x09;
const BLANK = 0x20;
const HYPHEN = 0x2d;
const LETTER_F = 0x46;
const LETTER_J = 0x4a;
const LETTER_L = 0x4c;
const TIME = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})Z|Z)?$/;
const FIRST_LINE = /^Full (Java )?thread dump/;
/** The line after the list of threads, or after the list of deadlocks. */
const END_LINE = /^(JNI global ref|Found (a total of )?\d+ deadlock)/;
/** An end line, or the first line of `jstack -F`. */
const LAST_LINE = new RegExp(`${END_LINE.source}|^Attaching to (process|core|remote) `);
const STATE_LINE = new RegExp(String.raw`^java\.lang\.Thread\.State: (${STATE})\b`);
const MOUNTED = /^Mounted virtual thread #(\d+)/;
/** The line below a stack whose other frames were left out. */
const CUT = '...';
/** The first line of a list of coroutines, by IntelliJ and by kotlinx.coroutines. */
const COROUTINES = /^(?:-{3,} Coroutine dump -{3,}|Coroutines dump )/;
const AGENT_FRAME = /^- \S.*\) @bci=/;
/** A lock, or a frame of the serviceability agent. */
const OF_STACK = /^- +(?:\S.*\) @bci=|(?:locked|waiting|parking|eliminated|blocked)\b|<)/;
/** A frame of a file before JDK 25. */
const BARE_FRAME = /^[\w$./@-]+\.[\w$<>]+\(.*\)$/;
/** The version of Java in the first line of a dump. HotSpot had versions of its own up to Java 8: `(25.412-b08 mixed mode)`. */
const JVM_VERSION = / VM \((\d+(?:\.\d+)*)\+/;
const NATIVE_FRAME = /^0x[0-9a-f]+\s+\S/;
