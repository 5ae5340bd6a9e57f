import { factTable, type FactTable } from '../../facts/format-facts.ts';
import type { ThreadHeader } from './thread-header.ts';

/** A thread of a series of dumps, as its latest dump has it. */
export interface DumpThread {
  /** For the sink: dense, from 0. */
  readonly id: number;
  readonly name: string;
  readonly number: string | undefined;
  isDaemon: boolean;
  state: string | undefined;
  cpu: number | undefined;
  elapsed: number | undefined;
  /** How many dumps have it. */
  dumps: number;
  /** The latest of them. */
  dump: number;
}

/**
 * The threads of a series. One is found again by its name and Java's number; without a number by its place among those
 * of the same name in its dump. Two threads of one name would else be one that jumps about.
 */
export class DumpThreads {
  readonly #threads = new Map<string, DumpThread>();
  /** Of the current dump: name -> threads without a number. */
  readonly #unnumbered = new Map<string, number>();
  #dump = 0;

  take(header: ThreadHeader, dump: number): DumpThread {
    if (dump !== this.#dump) this.#unnumbered.clear();
    this.#dump = dump;
    const { name, number } = header;
    const place = this.#unnumbered.get(name) ?? 0;
    if (number === undefined) this.#unnumbered.set(name, place + 1);
    const key = number === undefined ? `${place}|${name}` : `#${number}|${name}`;
    let thread = this.#threads.get(key);
    if (thread === undefined) {
      thread = {
        id: this.#threads.size,
        name,
        number,
        isDaemon: false,
        state: undefined,
        cpu: undefined,
        elapsed: undefined,
        dumps: 0,
        dump: 0,
      };
      this.#threads.set(key, thread);
    }
    if (thread.dump !== dump) thread.dumps++;
    thread.dump = dump;
    thread.isDaemon = header.isDaemon;
    thread.cpu = header.cpu;
    thread.elapsed = header.elapsed;
    thread.state = undefined;
    return thread;
  }

  table(): FactTable {
    return factTable(
      'Threads',
      [
        { name: 'Thread', kind: 'text' },
        { name: 'Number', kind: 'text' },
        { name: 'Daemon', kind: 'text' },
        { name: 'Latest state', kind: 'text' },
        { name: 'CPU time', kind: 'ns' },
        { name: 'Elapsed', kind: 'ns' },
        { name: 'Dumps', kind: 'count' },
      ],
      [...this.#threads.values()].map(({ name, number, isDaemon, state, cpu, elapsed, dumps }) => [
        name,
        number,
        isDaemon ? 'daemon' : undefined,
        state,
        cpu,
        elapsed,
        dumps,
      ]),
    );
  }
}
