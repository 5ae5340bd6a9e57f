import type { LogStatus } from '../../shared/protocol/messages.ts';

/** At most five reports of progress a second: who reads them sees no more, and each has the window drawn. */
const PROGRESS_MS = 200;

/** What is told at once when it changes; anything else of a status is progress. */
export interface StatusTurn extends Pick<LogStatus, 'epoch' | 'state' | 'detail'> {
  readonly isDamaged: boolean;
}

/** Passes on what is news at a pace that people can read: changes of state at once, progress now and then. */
export class StatusPace {
  readonly #post: (status: LogStatus) => void;
  #last: StatusTurn | undefined;
  #lastText = '';
  #postedAt = -Infinity;
  #mayHaveChanged = true;

  constructor(post: (status: LogStatus) => void) {
    this.#post = post;
  }

  /** Something has happened that a status may show: until then there is no progress to tell. */
  note(): void {
    this.#mayHaveChanged = true;
  }

  /** To be called again and again; `status` is asked for only when it may be told: it sums up much. */
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
