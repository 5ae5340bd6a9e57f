import { printable } from '../../shared/text/printable.ts';
import type { PollResult } from '../source/log-tailer.ts';
import { hasLostBytes, LOST_BYTES, type SourceError } from '../source/source-error.ts';

/** Why the log cannot be read, and what the user can do: one or two sentences. */
export function describeSourceError(
  polled: PollResult,
  {
    path,
    error,
  }: {
    readonly path: string;
    readonly error: SourceError | undefined;
  },
  follow: boolean,
): string {
  const advice = error === undefined ? '' : `; ${error.advice}`;
  switch (polled) {
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
      return `This ${error?.reason ?? 'is not a file'}${advice}.`;
    default:
      return `The file ${error?.reason ?? 'cannot be read'}${advice}.${follow ? ' Leanscope keeps trying.' : ''}`;
  }
}
