import type { LogStatus } from '../../shared/protocol/messages.ts';

/** At most five reports of progress a second: users cannot read more, and each makes the window draw. */
const PROGRESS_MS = 200;

/** Changes of these are reported at once; changes of anything else in a status are progress. */
export interface StatusTurn extends Pick<LogStatus, 'epoch' | 'state' | 'detail'> {
  readonly isDamaged: boolean;
}

/** Limits how often a status is posted: changes of state at once, progress at most every PROGRESS_MS. */
export class StatusPace {
  readonly #post: (status: LogStatus) => void;
  #last: StatusTurn | undefined;
  #lastText = '';
  #postedAt = -Infinity;
  #mayHaveChanged = true;

  constructor(post: (status: LogStatus) => void) {
    this.#post = post;
  }

  /** The status may have changed. Without this call no progress is posted. */
  note(): void {
    this.#mayHaveChanged = true;
  }

  /** Call it often. `status` is called only when its result may be posted, because it is expensive. */
  offer(turn: StatusTurn, now: number, status: () => LogStatus): void {
    const isTurn =
      this.#last === undefined ||
      this.#last.epoch !== turn.epoch ||
      this.#last.state !== turn.state ||
      this.#last.detail !== turn.detail ||
      this.#last.isDamaged !== turn.isDamaged;
    if (!isTurn && (!this.#mayHaveChanged || now - this.#postedAt < PROGRESS_MS)) return;
    this.#mayHaveChanged = false;
    const told = status();
    const text = JSON.stringify(told);
    if (text === this.#lastText) return;
    this.#last = turn;
    this.#lastText = text;
    this.#postedAt = now;
    this.#post(told);
  }
}
