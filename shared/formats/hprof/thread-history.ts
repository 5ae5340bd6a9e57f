import { Int64Index } from '../../aggregate/int64-index.ts';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { type FactTable, factTable, MOST_THREAD_ROWS } from '../../facts/format-facts.ts';

/** A thread, described by its events. */
interface HistoricThread {
  readonly id: number;
  /** Undefined if no event has its name. */
  name: string | undefined;
  /** Undefined if unknown or none. */
  group: string | undefined;
  parentGroup: string | undefined;
  /** Number of its start among all starts and ends, from 1. */
  started: number | undefined;
  /** Number of its end. */
  ended: number | undefined;
  /** When it started and ended, ns since the time in the header; undefined in text files, 0 in those of Android. */
  startedAt: number | undefined;
  endedAt: number | undefined;
  /** 0 until the table of samples has been read. */
  samples: number;
}

/** Bytes of a thread in the tables and in the table that is shown, without its names. */
const THREAD_BYTES = 600;

/** The threads of a file, in the order of their first event or trace. */
export class ThreadHistory {
  readonly threads: HistoricThread[] = [];
  readonly #ids = new Int64Index();
  readonly #memory: MemoryBudget;
  #events = 0;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  /** The row of a thread, which is added if it is unknown; the first row if the memory budget allows no more. */
  row(id: number): number {
    const known = this.#ids.findNumber(id);
    if (known >= 0) return known;
    if (!this.#memory.keep(THREAD_BYTES) && this.threads.length > 0) return 0;
    this.threads.push({
      id,
      name: undefined,
      group: undefined,
      parentGroup: undefined,
      started: undefined,
      ended: undefined,
      startedAt: undefined,
      endedAt: undefined,
      samples: 0,
    });
    return this.#ids.addNumber(id);
  }

  /** `at`: ns since the time in the header; undefined: not known. */
  start(row: number, at?: number): void {
    const thread = this.threads[row];
    if (thread.started === undefined) thread.startedAt = at;
    thread.started ??= ++this.#events;
    thread.ended = undefined;
    thread.endedAt = undefined;
  }

  describe(row: number, names: Pick<HistoricThread, 'name' | 'group' | 'parentGroup'>): void {
    const { name = '', group = '', parentGroup = '' } = names;
    if (!this.#memory.keep(2 * (name.length + group.length + parentGroup.length))) return;
    Object.assign(this.threads[row], names);
  }

  end(row: number, at?: number): void {
    const thread = this.threads[row];
    if (thread.ended === undefined) thread.endedAt = at;
    thread.ended ??= ++this.#events;
  }

  /** A name for every thread. Agents that do not record threads write the id 0. */
  nameOf(row: number): string {
    const { name, id } = this.threads[row];
    return name ?? (id === 0 ? '(threads not recorded)' : `thread ${id}`);
  }

  /** Times are those of the JDK's agent: other files have none. */
  table(): FactTable {
    const hasTimes = this.threads.some(({ startedAt = 0, endedAt = 0 }) => startedAt > 0 || endedAt > 0);
    return factTable(
      'Threads',
      `Thread | Id | Group | Parent group | Started as event:count | Ended as event:count | Ended | ${
        hasTimes ? 'Started after:ns | Ended after:ns | ' : ''
      }Samples:count`,
      this.threads.map(({ id, group, parentGroup, started, ended, startedAt, endedAt, samples }, row) => [
        this.nameOf(row),
        String(id),
        group,
        parentGroup,
        started,
        ended,
        ended === undefined ? 'no' : 'yes',
        ...(hasTimes ? [startedAt, endedAt] : []),
        samples,
      ]),
      MOST_THREAD_ROWS,
    );
  }
}
