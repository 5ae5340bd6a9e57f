import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { Chosen } from '../../facts/choice.ts';
import { utf16Order } from '../../read/utf16.ts';
import type { Damage } from '../../facts/damage.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import {
  isList,
  isObject,
  type JsonList,
  type JsonObject,
  listOf,
  numberOf,
  textOf,
  unexpectedValue,
  JsonDecoder,
} from '../json.ts';
import type { DecodedInput } from '../whole-input.ts';
import { classOf } from './dump-locks.ts';
import { DumpSeries } from './dump-series.ts';

/**
 * Decodes a thread dump in JSON: of `jcmd Thread.dump_to_file -format=json`, or a list of `ThreadInfo`, as the actuator
 * of Spring Boot writes it.
 *
 *   {"threadDump": {"time": "2026-01-25T15:46:04Z", "threadContainers": [
 *     {"container": "<root>", "threads": [{"tid": "1", "name": "main", "stack": ["java.base/java.lang.Thread.run(Thread.java:1583)"]}]}]}}
 *
 *   {"threads": [{"threadName": "main", "threadId": 1, "threadState": "RUNNABLE",
 *     "stackTrace": [{"className": "Shop", "methodName": "pause", "fileName": "Shop.java", "lineNumber": 47}]}]}
 *
 * Several, one after the other, are a series.
 */
export class ThreadDumpJsonDecoder extends JsonDecoder {
  readonly #series: DumpSeries;
  readonly #encoder = new TextEncoder();

  constructor(sink: SampleSink, chosen: Chosen) {
    super(sink);
    this.#series = new DumpSeries(sink, chosen);
  }

  get refusal(): string | undefined {
    return this.damage === undefined ? this.#series.refusal : undefined;
  }

  facts(): FormatFacts {
    return this.#series.facts();
  }

  /** Decodes the values one after the other, up to the first one that is damaged. */
  protected override decodeInput(input: Uint8Array): DecodedInput {
    let from = 0;
    while (!this.sink.isFull) {
      const to = endOfValue(input, from);
      const { accepted, damage } = super.decodeInput(input.subarray(from, to));
      if (damage !== undefined) {
        const byteOffset = from + damage.byteOffset;
        return { accepted: from + accepted, damage: { ...damage, byteOffset, record: this.records } };
      }
      if (to === input.length) return { accepted: accepted === 0 ? from : to };
      from = to;
    }
    return { accepted: from };
  }

  protected override decodeValue(file: unknown): Damage | undefined {
    const dump = isObject(file) ? file.threadDump : undefined;
    const threads = isObject(file) ? file.threads : file;
    if (!isObject(dump) && !isList(threads)) return unexpectedValue('threads', threads, 'a list of threads');
    try {
      const time = isObject(dump) ? textOf(dump.time) : '';
      this.#series.beginDump(Math.trunc(Date.parse(time) / 1000) * 1000);
      if (!isObject(dump)) this.#readThreads(listOf(threads));
      else
        for (const container of listOf(dump.threadContainers))
          if (isObject(container)) this.#readThreads(listOf(container.threads));
    } finally {
      this.#series.endThread();
      this.records = this.#series.records;
    }
    return undefined;
  }

  /** Threads are kept until the sink is full. */
  #readThreads(threads: JsonList): void {
    for (const thread of threads) {
      if (this.sink.isFull) return;
      this.#readThread(thread);
    }
  }

  #readThread(thread: unknown): void {
    const stack = isObject(thread) ? (thread.stackTrace ?? thread.stack) : undefined;
    if (!isObject(thread) || !isList(stack)) {
      this.#series.unread++;
      return;
    }
    // Before JDK 25 only its first frame tells.
    const isVirtual = thread.virtual === true || hasVirtualRoot(stack);
    this.#series.beginThread({
      name: textOf(thread.threadName ?? thread.name),
      number: identity(thread.threadId ?? thread.tid ?? thread.id),
      isDaemon: isVirtual || thread.daemon === true,
      isVirtual,
      state: textOf(thread.threadState ?? thread.state) || undefined,
    });
    for (const frame of listOf(stack)) this.#push(isObject(frame) ? frameText(frame) : textOf(frame));
    const { parkBlocker, blockedOn, waitingOn, monitorsOwned } = thread;
    const { lockInfo, lockOwnerName, lockedMonitors, lockedSynchronizers } = thread;
    this.#take('holds', identityOf(lockInfo), textOf(lockOwnerName));
    for (const lock of [isObject(parkBlocker) ? parkBlocker.object : undefined, blockedOn, waitingOn])
      this.#take('waits', textOf(lock));
    this.#take('waits', identityOf(lockInfo));
    for (const owned of listOf(monitorsOwned))
      for (const lock of isObject(owned) ? listOf(owned.locks) : []) this.#take('holds', textOf(lock));
    for (const lock of [...listOf(lockedMonitors), ...listOf(lockedSynchronizers)])
      this.#take('holds', identityOf(lock));
  }

  /** The thread, or else the current one, holds the lock or waits for it. `lock`: `java.lang.Object@1a3f77e7`, or empty. */
  #take(does: 'holds' | 'waits', lock: string, thread = this.#series.thread?.name): void {
    if (thread !== undefined && lock !== '' && thread !== '')
      this.#series.locks[does](lock, classOf(lock), thread);
  }

  #push(text: string): void {
    if (text === '') return;
    const bytes = this.#encoder.encode(text);
    this.#series.push(this.#series.frames.take(bytes, 0, bytes.length));
  }
}

/** A number of a thread, which may be written as text. */
function identity(value: unknown): string | undefined {
  const number = numberOf(value);
  return number === undefined ? textOf(value) || undefined : String(number);
}

/**
 * Where the JSON value that begins at `from` ends in the input, with the blanks up to the next one. The end of the input if
 * none follows, and in UTF-16.
 */
function endOfValue(input: Uint8Array, from: number): number {
  if (utf16Order(input) !== undefined) return input.length;
  let depth = 0;
  for (let at = from; at < input.length; at++) {
    const byte = input[at];
    if (byte === QUOTE) {
      at++;
      while (at < input.length && input[at] !== QUOTE) at += input[at] === BACKSLASH ? 2 : 1;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && --depth === 0)
      return afterBlanks(input, at + 1);
  }
  return input.length;
}

function afterBlanks(input: Uint8Array, from: number): number {
  let at = from;
  while (at < input.length && BLANKS.includes(input[at])) at++;
  return at;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BLANKS: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/** Whether the stack, innermost frame first, is that of a virtual thread. */
function hasVirtualRoot(stack: JsonList): boolean {
  let root = '';
  for (const frame of stack) root = textOf(frame);
  return /(?:^|\/)java\.lang\.VirtualThread\.run\(/.test(root);
}

/** A LockInfo as text: `java.lang.Object@1a3f77e7`. Empty if it is none. */
function identityOf(lock: unknown): string {
  const hash = isObject(lock) ? numberOf(lock.identityHashCode) : undefined;
  if (!isObject(lock) || hash === undefined) return '';
  return `${textOf(lock.className)}@${hash.toString(16)}`;
}

/** A StackTraceElement as text: `Shop.pause(Shop.java:47)`. */
function frameText(frame: JsonObject): string {
  const line = numberOf(frame.lineNumber) ?? -1;
  const file = textOf(frame.fileName);
  let place = file === '' ? 'Unknown Source' : file;
  if (frame.nativeMethod === true || line === -2) place = 'Native Method';
  else if (line >= 0 && file !== '') place += `:${line}`;
  const className = textOf(frame.className);
  return `${className === '' ? '' : `${className}.`}${textOf(frame.methodName)}(${place})`;
}
