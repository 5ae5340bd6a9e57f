import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { Chosen } from '../../facts/choice.ts';
import { isAt } from './dump-lines.ts';
import { DumpTextDecoder, lineText } from './dump-text-decoder.ts';
import type { ThreadHeader } from './thread-header.ts';

/**
 * Decodes javacores of OpenJ9 and IBM's VMs: threads, their states and their Java stacks. A line begins with a tag.
 *
 *   1TIDATETIME    Date: 2024/10/01 at 08:30:00:123
 *   3XMTHREADINFO      "main" J9VMThread:0x00CC100, omrthread_t:0x003D5600, java/lang/Thread:0x00A72440, state:R, prio=5
 *   3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
 *   3XMCPUTIME               CPU usage total: 6.839021278 secs, current category="Application"
 *   3XMTHREADINFO3           Java callstack:
 *   4XESTACKTRACE                at java/lang/Object.wait(Object.java:167(Compiled Code))
 *
 * The current thread is described twice: above the list, and in it. With -XX:+ShowUnmountedThreadStacks, virtual threads
 * that are not mounted follow:
 *
 *   3XMVTHDINFO        "vt-1" J9VMContinuation:0x00007F3E2C20A8B0, java/lang/Thread:0x00000000FFF5E5B0
 *   3XMVTHDINFO1             Type: Virtual
 */
export class JavacoreDecoder extends DumpTextDecoder {
  #ms = NaN;
  #isInDump = false;
  /** Skips the description of the current thread above the list. */
  #isCurrent = false;
  /** The thread whose first line was read; its number and processor time follow. */
  #begun: { -readonly [Key in keyof ThreadHeader]: ThreadHeader[Key] } | undefined;

  constructor(sink: SampleSink, chosen: Chosen) {
    super(sink, chosen, true);
  }

  /** A line without a tag belongs to no javacore. */
  protected readLine(bytes: Uint8Array, from: number, to: number): boolean {
    const line = latin1.decode(bytes.subarray(from, Math.min(to, from + MAX_TAG_BYTES)));
    const found = TAG.exec(line);
    if (found === null) return false;
    const tag = found[1];
    const at = from + found[0].length;
    if (tag === '4XESTACKTRACE') this.#frame(bytes, at, to);
    else if (tag.startsWith('3XM')) this.#readThreadLine(tag, lineText(bytes, at, to));
    else if (tag === '1TIDATETIME' || tag === '1TIDATETIMEUTC') {
      const time = TIME.exec(lineText(bytes, at, to));
      if (time !== null && tag === '1TIDATETIME')
        this.#ms = Date.UTC(+time[1], +time[2] - 1, +time[3], +time[4], +time[5], +time[6]);
      this.#isInDump = false;
    } else if (/^(?:0SECTION|1XMTHDINFO|1XMVTHDINFO|1XMTHDSUMMARY)$/.test(tag)) {
      this.endThread();
      this.#isCurrent = false;
    } else if (tag === '1XMCURTHDINFO') this.#isCurrent = true;
    else if (/^2XMTHDINFO|^2XMFULLTHDDUMP/.test(tag)) this.#isCurrent = false;
    return true;
  }

  #readThreadLine(tag: string, text: string): void {
    if (tag === '3XMTHREADINFO' || tag === '3XMVTHDINFO') {
      this.endThread();
      const named = NAMED.exec(text);
      const [name, rest] = named === null ? [text.trim(), ''] : [named[1], named[2]];
      const state = STATES.get(/\bstate:([A-Z]+)/.exec(rest)?.[1] ?? '');
      const isVirtual = tag === '3XMVTHDINFO';
      this.#begun = { name, number: undefined, state, isVirtual, isDaemon: isVirtual };
    } else if (tag === '3XMJAVALTHREAD' && this.#begun !== undefined) {
      const id = /getId:0x([0-9a-f]{1,16})/i.exec(text)?.[1];
      this.#begun.number = id === undefined ? undefined : String(BigInt(`0x${id}`));
      this.#begun.isDaemon = text.includes('isDaemon:true');
    } else if (tag === '3XMCPUTIME' && this.#begun !== undefined) {
      const seconds = /total: (\d+(?:\.\d+)?) secs/.exec(text)?.[1];
      this.#begun.cpu = seconds === undefined ? undefined : Math.round(Number(seconds) * 1e9);
    } else if (tag === '3XMTHREADINFO3') {
      this.#beginThread();
      if (!text.includes('Java callstack')) this.series.endStack();
    }
  }

  /** Javacores are files of their own; their end is seldom missing, and often left out on purpose. */
  protected placeOf(): undefined {
    return undefined;
  }

  #frame(bytes: Uint8Array, from: number, to: number): void {
    this.#beginThread();
    if (isAt(bytes, from, to) && this.series.isInStack)
      this.series.push(this.series.frames.take(bytes, from + 3, to));
  }

  #beginThread(): void {
    const begun = this.#begun;
    if (begun === undefined) return;
    this.#begun = undefined;
    if (this.#isCurrent) return;
    if (!this.#isInDump) this.series.beginDump(this.#ms);
    this.#isInDump = true;
    this.series.beginThread(begun);
  }

  protected endThread(): void {
    this.#beginThread();
    this.series.endThread();
  }
}

/** State of an OpenJ9 thread -> java.lang.Thread.State. Suspended threads have none. */
const STATES: ReadonlyMap<string, string> = new Map([
  ['R', 'RUNNABLE'],
  ['CW', 'WAITING'],
  ['P', 'WAITING'],
  ['B', 'BLOCKED'],
  ['MW', 'BLOCKED'],
  ['Z', 'TERMINATED'],
]);

const latin1 = new TextDecoder('latin1');
const MAX_TAG_BYTES = 80;
const TAG = /^\s*(NULL|[0-9][A-Z]{2}[A-Z0-9]*)\b *\t*/;
/** Names are not escaped: they end at the last quote before an attribute. */
const NAMED =
  /^"(.*)" *(?=\(|(?:J9VMThread|J9VMContinuation|TID|omrthread_t|j9thread_t|sys_thread_t|java\/lang\/Thread|prio|state)\b)(.*)$/s;
const TIME = /(\d{4})[/-](\d\d)[/-](\d\d) (?:at )?(\d\d):(\d\d):(\d\d)/;
