import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { factTable, type FactTable } from '../../facts/format-facts.ts';

interface Lock {
  readonly className: string;
  heldBy: string | undefined;
  waiting: number;
  readonly waitingNames: string[];
}

const MAX_NAMES = 5;

/** Bytes of a lock, without its line. */
const LOCK_BYTES = 500;

/**
 * The holders and waiters of each lock in one dump. Addresses are valid in one dump only.
 *
 *   - waiting to lock <0x0000000690800f88> (a demo.Shop)
 *   - locked <0x0000000690800f88> (a demo.Shop)
 *   - parking to wait for  <0x0000000690800fa0> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
 *   - <0x0000000690800fa0> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)      held, not a monitor
 */
export class DumpLocks {
  #locks = new Map<string, Lock>();
  /** Monitors on which the current thread waits in `Object.wait`: listed as locked, but not held while it waits. */
  readonly #waitedFor = new Set<string>();

  readonly #sink: Pick<SampleSink, 'holds' | 'releases'>;
  #heldBytes = 0;

  constructor(sink: Pick<SampleSink, 'holds' | 'releases'>) {
    this.#sink = sink;
  }

  beginDump(): void {
    this.#sink.releases?.(this.#heldBytes);
    this.#heldBytes = 0;
    this.#locks = new Map();
    this.#waitedFor.clear();
  }

  beginThread(): void {
    this.#waitedFor.clear();
  }

  /** Reads a line of a thread that begins with `- `. */
  take(line: string, thread: string): void {
    const found = LOCK.exec(line);
    if (found === null) return;
    const [, verb, address, className] = found;
    let lock = this.#locks.get(address);
    if (lock === undefined) {
      const bytes = LOCK_BYTES + 2 * line.length;
      if (this.#sink.holds?.(bytes) === false) return;
      this.#heldBytes += bytes;
      lock = { className, heldBy: undefined, waiting: 0, waitingNames: [] };
      this.#locks.set(address, lock);
    }
    if (verb === 'locked' || verb === '') {
      if (!this.#waitedFor.has(address)) lock.heldBy = thread;
    } else if (!this.#waitedFor.has(address)) {
      this.#waitedFor.add(address);
      lock.waiting++;
      if (lock.waitingNames.length < MAX_NAMES) lock.waitingNames.push(thread);
    }
  }

  /** Sorted by the number of waiting threads. */
  table(): FactTable {
    const locks = [...this.#locks].sort(([, a], [, b]) => b.waiting - a.waiting);
    return factTable(
      'Locks in the latest dump',
      [
        { name: 'Lock', kind: 'text' },
        { name: 'Class', kind: 'text' },
        { name: 'Held by', kind: 'text' },
        { name: 'Waiting', kind: 'count' },
        { name: 'Waiting threads', kind: 'text' },
      ],
      locks.map(([address, { className, heldBy, waiting, waitingNames }]) => {
        const names = waitingNames.join(', ') + (waiting > waitingNames.length ? ' …' : '');
        return [address, className, heldBy, waiting, names === '' ? undefined : names];
      }),
    );
  }
}

const LOCK =
  /^- (locked|waiting on|waiting to lock|waiting to re-lock in wait\(\)|parking to wait for|) ?\s?<(0x[0-9a-f]{1,16})> \(an? (.*)\)$/;
