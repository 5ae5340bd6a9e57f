import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { factTable, type FactTable, MOST_THREAD_ROWS } from '../../facts/format-facts.ts';
import { shownName, type ThreadHeader } from './thread-header.ts';

/** A thread of a series of dumps, as in the latest dump that contains it. */
export interface DumpThread {
  /** A number from 0, which is the id for the sink. */
  readonly id: number;
  readonly name: string;
  readonly number: string | undefined;
  isDaemon: boolean;
  state: string | undefined;
  cpu: number | undefined;
  elapsed: number | undefined;
  /** Number of dumps that contain it. */
  dumps: number;
  /** The first and the latest dump that contains it, from 1. */
  readonly first: number;
  dump: number;
}

/** Bytes of a thread in the tables and in the table that is shown, without its name. */
const THREAD_BYTES = 700;

/**
 * The threads of a series of dumps. A thread is identified by its name and Java's number; without a number, by its
 * position among the threads of the same name in the dump. Otherwise two threads with one name would be one thread.
 */
export class DumpThreads {
  readonly #threads = new Map<string, DumpThread>();
  /** Name -> number of threads without a number so far, in the current dump. */
  readonly #unnumbered = new Map<string, number>();
  #dump = 0;
  readonly #memory: MemoryBudget;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  /** The thread with this header in the dump, which is added if it is new. */
  take(header: ThreadHeader, dump: number): DumpThread {
    if (dump !== this.#dump) this.#unnumbered.clear();
    this.#dump = dump;
    const { number } = header;
    const name = shownName(header);
    const place = this.#unnumbered.get(name) ?? 0;
    if (number === undefined) this.#unnumbered.set(name, place + 1);
    const key = number === undefined ? `${place}|${name}` : `#${number}|${name}`;
    let thread = this.#threads.get(key);
    if (thread === undefined) {
      this.#memory.keep(THREAD_BYTES + 4 * name.length + 2 * (header.lineLength ?? 0));
      thread = {
        id: this.#threads.size,
        name,
        number,
        isDaemon: false,
        state: undefined,
        cpu: undefined,
        elapsed: undefined,
        dumps: 0,
        first: dump,
        dump: 0,
      };
      this.#threads.set(key, thread);
    }
    if (thread.dump !== dump) thread.dumps++;
    thread.dump = dump;
    thread.isDaemon = header.isDaemon ?? false;
    thread.cpu = header.cpu;
    thread.elapsed = header.elapsed;
    thread.state = header.state;
    return thread;
  }

  /** A row for each thread. With several dumps it says when each was seen, which is about when it started and ended. */
  table(): FactTable {
    const isSeries = this.#dump > 1;
    const seen = isSeries ? ' | First dump:count | Last dump:count | Ended' : '';
    return factTable(
      'Threads',
      `Thread | Number | Daemon | Latest state | CPU time:ns | Elapsed:ns | Dumps:count${seen}`,
      [...this.#threads.values()].map(
        ({ name, number, isDaemon, state, cpu, elapsed, dumps, first, dump }) => [
          name,
          number,
          isDaemon ? 'daemon' : undefined,
          state,
          cpu,
          elapsed,
          dumps,
          ...(isSeries ? [first, dump, dump < this.#dump ? 'yes' : 'no'] : []),
        ],
      ),
      MOST_THREAD_ROWS,
    );
  }
}
