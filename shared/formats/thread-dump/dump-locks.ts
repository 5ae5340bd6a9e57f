import { HeldMemory, type MemoryBudget } from '../../aggregate/memory-budget.ts';
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
 *   - waiting to lock <java.lang.Object@1a3f77e7>                                         Thread.dump_to_file of JDK 25
 *   -  blocked on java.lang.Object@1a3f77e7                                               ThreadInfo
 */
export class DumpLocks {
  #locks = new Map<string, Lock>();
  /** Monitors on which the current thread waits in `Object.wait`: listed as locked, but not held while it waits. */
  readonly #waitedFor = new Set<string>();

  readonly #held: HeldMemory;

  constructor(memory: MemoryBudget) {
    this.#held = new HeldMemory(memory);
  }

  beginDump(): void {
    this.#held.release();
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
    const [, verb] = found;
    const identity = found.at(4);
    const lock = identity ?? found[2];
    const className = identity === undefined ? found[3] : classOf(identity);
    if (verb === 'locked' || verb === '') this.holds(lock, className, thread);
    else this.waits(lock, className, thread);
  }

  /** The thread holds the lock, unless it waits on it. */
  holds(lock: string, className: string, thread: string): void {
    const known = this.#lockOf(lock, className);
    if (known !== undefined && !this.#waitedFor.has(lock)) known.heldBy = thread;
  }

  /** The thread, which is the current one, waits for the lock or on it. */
  waits(lock: string, className: string, thread: string): void {
    const known = this.#lockOf(lock, className);
    if (known === undefined || this.#waitedFor.has(lock)) return;
    this.#waitedFor.add(lock);
    known.waiting++;
    if (known.waitingNames.length < MAX_NAMES) known.waitingNames.push(thread);
  }

  /** Undefined if the sink has no memory for it. */
  #lockOf(name: string, className: string): Lock | undefined {
    const known = this.#locks.get(name);
    if (known !== undefined) return known;
    const bytes = LOCK_BYTES + 4 * (name.length + className.length);
    if (!this.#held.hold(bytes)) return undefined;
    const lock = { className, heldBy: undefined, waiting: 0, waitingNames: [] };
    this.#locks.set(name, lock);
    return lock;
  }

  /** Sorted by the number of waiting threads. */
  table(): FactTable {
    const locks = [...this.#locks].sort(([, a], [, b]) => b.waiting - a.waiting);
    return factTable(
      'Locks in the latest dump',
      'Lock | Class | Held by | Waiting:count | Waiting threads',
      locks.map(([address, { className, heldBy, waiting, waitingNames }]) => {
        const names = waitingNames.join(', ') + (waiting > waitingNames.length ? ' …' : '');
        return [address, className, heldBy, waiting, names === '' ? undefined : names];
      }),
    );
  }
}

/** The class in the identity of an object: `java.lang.Object@1a3f77e7`. */
export function classOf(identity: string): string {
  const at = identity.lastIndexOf('@');
  return at < 0 ? identity : identity.slice(0, at);
}

const VERB =
  '(locked|waiting on|waiting to lock|waiting to re-lock in wait\\(\\)|parking to wait for|blocked on|)';
const LOCK = new RegExp(
  String.raw`^- +${VERB} *(?:<(0x[0-9a-f]{1,16})> \(an? (.*)\)|<?([^\s<>@]+@[0-9a-f]{1,16})>?)$`,
);
