import { printable } from '../../shared/text/printable.ts';
import { formatCount, formatQuantity, formatSpan } from '../../shared/text/format-value.ts';
import type { LostParts } from '../source/recording-chunks.ts';
import type { Nothing } from '../../shared/input/read-source.ts';
import { hasLostBytes, LOST_BYTES, type SourceError } from '../source/source-error.ts';
import { isDeepStrictEqual } from 'node:util';
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
    const isImmediate = !isDeepStrictEqual(this.#last, immediate);
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

/** Why the log cannot be read, and what the user can do: one or two sentences. */
export function describeSourceError(
  nothing: Nothing,
  {
    path,
    error,
    failure,
  }: {
    readonly path: string;
    readonly error: SourceError | undefined;
    readonly failure?: string | undefined;
  },
  follow: boolean,
): string {
  const advice = error === undefined ? '' : `; ${error.advice}`;
  switch (nothing) {
    case 'missing':
      if (hasLostBytes(path)) return `The file ${LOST_BYTES.reason}; ${LOST_BYTES.advice}.`;
      return follow
        ? `Waiting for ${printable(path)}. It opens when the file appears.`
        : `The file does not exist${advice}.`;
    case 'gone':
      return error === undefined || error.kind === 'missing'
        ? 'The file was deleted or moved. A new file at its path opens when it appears.'
        : `The file was replaced by something that ${error.reason}${advice}.`;
    case 'refused':
      return failure ?? `This ${error?.reason ?? 'is not a file'}${advice}.`;
    default:
      return `The file ${error?.reason ?? 'cannot be read'}${advice}.${follow ? ' Leanscope keeps trying.' : ''}`;
  }
}

/** The facts of a log, with notes on what is missing of its recording. */
export function withLost<T extends { readonly notes: readonly string[] }>(
  facts: T,
  lost: LostParts | undefined,
): T {
  return { ...facts, notes: [...notesOnLost(lost), ...facts.notes] };
}

/** Sentences for users about the missing parts of a recording. */
function notesOnLost({ chunks, gapsNs }: LostParts = { chunks: 0, gapsNs: [] }): readonly string[] {
  const notes: string[] = [];
  if (chunks > 0)
    notes.push(
      `${formatQuantity(chunks, 'part')} of the recording ${chunks === 1 ? 'was' : 'were'} removed from the disk by the JVM before being read, or read again.`,
    );
  if (gapsNs.length > 0)
    notes.push(
      `${formatSpan(gapsNs.reduce((sum, each) => sum + each, 0))} of the recording ${gapsNs.length === 1 ? 'is' : `in ${formatCount(gapsNs.length)} places are`} missing: nothing was recorded then, or the JVM removed it from the disk before it was seen.`,
    );
  return notes;
}
