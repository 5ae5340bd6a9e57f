const LATE = Symbol('late');

/**
 * Waits for answers of file systems no longer than a time: a network drive that is gone never answers. Each question that
 * is overdue holds one of the four threads that Node has for files, so that no more are asked while `mostOverdue` are.
 */
export class TimeLimit {
  readonly #ms: number;
  readonly #mostOverdue: number;
  #overdue = 0;

  constructor(ms: number, mostOverdue = Infinity) {
    this.#ms = ms;
    this.#mostOverdue = mostOverdue;
  }

  /** The answer, or what `late` returns or throws if there is none in time. */
  async answer<T, Late>(ask: () => Promise<T>, late: () => Late): Promise<T | Late> {
    if (this.#overdue >= this.#mostOverdue) return late();
    let isOverdue = false;
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<typeof LATE>((resolve) => {
      timer = setTimeout(() => {
        isOverdue = true;
        this.#overdue++;
        resolve(LATE);
      }, this.#ms).unref();
    });
    const answer = ask().finally(() => {
      clearTimeout(timer);
      if (isOverdue) this.#overdue--;
    });
    const first = await Promise.race([answer, end]);
    return first === LATE ? late() : first;
  }
}
