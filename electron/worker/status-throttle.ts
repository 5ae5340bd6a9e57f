import type { LogStatus } from '../../shared/protocol/messages.ts';

/** Progress is posted at most five times a second: users cannot read more, and each message makes the window draw. */
const PROGRESS_MS = 200;

/** The part of a status whose changes are posted at once. Changes of anything else are progress. */
export interface ImmediateStatus extends Pick<LogStatus, 'epoch' | 'state' | 'detail'> {
  readonly isDamaged: boolean;
}

/** Limits how often a status is posted: changes of state at once, progress at most every PROGRESS_MS. */
export class StatusThrottle {
  readonly #post: (status: LogStatus) => void;
  #last: ImmediateStatus | undefined;
  #lastText = '';
  #postedAt = -Infinity;
  #mayHaveChanged = true;

  constructor(post: (status: LogStatus) => void) {
    this.#post = post;
  }

  /** Call it when the status may have changed. Without this call no progress is posted. */
  note(): void {
    this.#mayHaveChanged = true;
  }

  /** Posts the status if it has changed: no further update may follow. */
  flush(immediate: ImmediateStatus, now: number, status: () => LogStatus): void {
    this.#postedAt = -Infinity;
    this.update(immediate, now, status);
  }

  /** Posts the status if it is time to. `status` is called only when its result may be posted, because it is expensive. */
  update(immediate: ImmediateStatus, now: number, status: () => LogStatus): void {
    const isImmediate =
      this.#last === undefined ||
      this.#last.epoch !== immediate.epoch ||
      this.#last.state !== immediate.state ||
      this.#last.detail !== immediate.detail ||
      this.#last.isDamaged !== immediate.isDamaged;
    if (!isImmediate && (!this.#mayHaveChanged || now - this.#postedAt < PROGRESS_MS)) return;
    this.#mayHaveChanged = false;
    const present = status();
    const text = JSON.stringify(present);
    if (text === this.#lastText) return;
    this.#last = immediate;
    this.#lastText = text;
    this.#postedAt = now;
    this.#post(present);
  }
}
