import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { Choice } from '../../facts/choice.ts';
import { int64Text } from '../../profile/int64.ts';
import { type MessageCursor, Wire } from '../../read/protobuf.ts';
import { labelChoices, MOST_LABELS } from '../value-types.ts';
import type { ProfileTables } from './profile-tables.ts';

const NAME_LABELS: ReadonlySet<string> = new Set(['thread', 'thread name', 'thread_name', 'threadname']);
const ID_LABELS: ReadonlySet<string> = new Set(['thread id', 'thread_id', 'tid', 'os_thread_id']);
/** async-profiler writes name and id in one label. */
const NAME_AND_ID = /^\[(.*) tid=(\d{1,9})\]$/s;

interface SampleLabel {
  readonly key: string;
  /** Number of its text; 0 for a label that is a number. */
  readonly text: number;
  readonly hi: number;
  readonly lo: number;
}

export function isThreadLabel(key: string): boolean {
  return NAME_LABELS.has(key) || ID_LABELS.has(key);
}

/** The label in the current field of a cursor: 1 key, 2 text, 3 number. */
export function labelOf({ from, to }: MessageCursor, tables: ProfileTables): SampleLabel {
  const cursor = tables.cursor(from, to);
  let [key, text] = [0, 0];
  let [hi, lo] = [0, 0];
  while (cursor.next()) {
    if (cursor.wire !== Wire.varint) continue;
    if (cursor.field === 1) key = cursor.index;
    else if (cursor.field === 2) text = cursor.index;
    else if (cursor.field === 3) ({ hi, lo } = cursor);
  }
  return { key: tables.text(key), text, hi, lo };
}

/**
 * Finds the thread of a sample by its labels. All samples without such labels belong to one thread without a name. Where
 * another label is chosen, each of its values is a thread: labels have no begin and no end, and samples no time, so that
 * they are no contexts.
 */
export class SampleThreads {
  readonly #sink: SampleSink;
  /** The label whose values are threads; undefined: those of threads. */
  readonly #per: string | undefined;
  /** Keys of labels that are none of threads. */
  readonly #keys = new Set<string>();
  #value = '';
  readonly #byName = new Map<string, number>();
  #name = '';
  #hasId = false;
  #idHi = 0;
  #idLo = 0;

  constructor(sink: SampleSink, per: string | undefined) {
    this.#sink = sink;
    this.#per = per;
  }

  get choices(): readonly Choice[] {
    return labelChoices(this.#keys, this.#per);
  }

  /** Starts another sample. */
  begin(): void {
    this.#name = '';
    this.#value = '';
    this.#hasId = false;
    this.#idHi = 0;
    this.#idLo = 0;
  }

  /** Reads the label in the current field of a cursor. */
  label(field: MessageCursor, tables: ProfileTables): void {
    const { key, text, hi, lo } = labelOf(field, tables);
    if (NAME_LABELS.has(key)) this.#name = tables.text(text);
    else if (ID_LABELS.has(key)) {
      if (text !== 0) return;
      this.#hasId = true;
      this.#idHi = hi;
      this.#idLo = lo;
    } else {
      if (key !== '' && this.#keys.size < MOST_LABELS) this.#keys.add(key);
      if (key === this.#per) this.#value = text === 0 ? int64Text(hi, lo) : tables.text(text);
    }
  }

  /** The thread of the current sample. */
  thread(): number {
    if (this.#per !== undefined) {
      const value = this.#value === '' ? `no ${this.#per}` : this.#value;
      const labelled = this.#named(value);
      this.#sink.nameThread(labelled, value);
      return labelled;
    }
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
