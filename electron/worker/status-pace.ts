import type { LogStatus } from '../../shared/protocol/messages.ts';

/** At most five reports of progress a second: who reads them sees no more, and each has the window drawn. */
const PROGRESS_MS = 200;

/** Passes on what is news at a pace that people can read: changes of state at once, progress now and then. */
export class StatusPace {
  readonly #post: (status: LogStatus) => void;
  #last: LogStatus | undefined;
  #lastText = '';
  #postedAt = -Infinity;

  constructor(post: (status: LogStatus) => void) {
    this.#post = post;
  }

  /** The status as it is; to be called again and again. */
  offer(status: LogStatus, now: number): void {
    const isTurn =
      this.#last === undefined ||
      this.#last.epoch !== status.epoch ||
      this.#last.state !== status.state ||
      this.#last.detail !== status.detail ||
      (this.#last.damage === undefined) !== (status.damage === undefined);
    if (!isTurn && now - this.#postedAt < PROGRESS_MS) return;
    const text = JSON.stringify(status);
    if (text === this.#lastText) return;
    this.#last = status;
    this.#lastText = text;
    this.#postedAt = now;
    this.#post(status);
  }
}
