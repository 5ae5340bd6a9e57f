import type { LogDescription, LogStatus } from '../../shared/protocol/messages.ts';
import { formatQuantity } from '../../shared/text/format-value.ts';

/** States in which a log was read to its end so far and may grow. */
const FOLLOWED: readonly LogStatus['state'][] = ['live', 'idle'];

/** The text of a notification between two states of a followed log: it began anew, or it ended. */
export function noticeText(before: LogStatus | undefined, after: LogStatus): string | undefined {
  if (before === undefined) return undefined;
  if (after.epoch !== before.epoch && after.restart !== undefined)
    return `A new run began after ${formatQuantity(after.restart.samplesBefore, 'sample')}.`;
  if (!FOLLOWED.includes(before.state)) return undefined;
  switch (after.state) {
    case 'gone':
      return 'The file was deleted or moved.';
    case 'ended':
      return 'The recording has ended.';
    case 'damaged':
      return 'The file is damaged from here on.';
    case 'failed':
    case 'full':
      return 'Reading has ended.';
    case 'reading':
    case 'live':
    case 'idle':
    case 'waiting':
      return undefined;
  }
}

/** Finds what to notify of, in the states of all logs. */
export class LogNotices {
  readonly #last = new Map<LogDescription['id'], LogStatus>();
  readonly #notify: (log: LogDescription, text: string) => void;

  constructor(notify: (log: LogDescription, text: string) => void) {
    this.#notify = notify;
  }

  hear(log: LogDescription, status: LogStatus): void {
    const text = noticeText(this.#last.get(log.id), status);
    this.#last.set(log.id, status);
    if (text !== undefined) this.#notify(log, text);
  }
}
