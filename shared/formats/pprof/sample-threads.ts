import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { type MessageCursor, Wire } from './message-cursor.ts';
import type { ProfileTables } from './profile-tables.ts';

const NAME_LABELS: ReadonlySet<string> = new Set(['thread', 'thread name', 'thread_name', 'threadname']);
const ID_LABELS: ReadonlySet<string> = new Set(['thread id', 'thread_id', 'tid', 'os_thread_id']);
/** async-profiler writes name and id in one label. */
const NAME_AND_ID = /^\[(.*) tid=(\d{1,9})\]$/s;

/** Finds the thread of a sample by its labels. All samples without such labels belong to one thread without a name. */
export class SampleThreads {
  readonly #sink: SampleSink;
  readonly #byName = new Map<string, number>();
  #name = '';
  #hasId = false;
  #idHi = 0;
  #idLo = 0;

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /** Starts another sample. */
  begin(): void {
    this.#name = '';
    this.#hasId = false;
    this.#idHi = 0;
    this.#idLo = 0;
  }

  /** Reads the label in the current field of a cursor: 1 key, 2 text, 3 number. */
  label({ from, to }: MessageCursor, tables: ProfileTables): void {
    const cursor = tables.cursor(from, to);
    let [key, text] = [0, 0];
    let [hi, lo] = [0, 0];
    while (cursor.next()) {
      if (cursor.wire !== Wire.varint) continue;
      if (cursor.field === 1) key = cursor.index;
      else if (cursor.field === 2) text = cursor.index;
      else if (cursor.field === 3) ({ hi, lo } = cursor);
    }
    const name = tables.text(key);
    if (NAME_LABELS.has(name)) this.#name = tables.text(text);
    else if (ID_LABELS.has(name) && text === 0) {
      this.#hasId = true;
      this.#idHi = hi;
      this.#idLo = lo;
    }
  }

  /** The thread of the current sample. */
  thread(): number {
    const both = NAME_AND_ID.exec(this.#name);
    const name = both === null ? this.#name : both[1];
    let thread: number;
    if (this.#hasId) thread = this.#sink.thread(this.#idHi, this.#idLo);
    else thread = both === null ? this.#named(name) : this.#sink.thread(0, Number(both[2]));
    // A thread that has an id and no name is told apart by it.
    if (name !== '' || this.#hasId) this.#sink.nameThread(thread, name);
    return thread;
  }

  /** The thread of a name without id. Such threads get negative ids, which differ from real ones. */
  #named(name: string): number {
    if (name === '') return this.#sink.thread(0, 0);
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const thread = this.#sink.thread(-1, -1 - this.#byName.size);
    this.#byName.set(name, thread);
    return thread;
  }
}
