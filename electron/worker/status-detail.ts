import type { TailTurn } from '../source/log-tailer.ts';
import type { SourceError } from '../source/source-error.ts';

/** Why there is no log to read, and what to do: one sentence. */
export function describeTrouble(turn: TailTurn, trouble: SourceError | undefined, follow: boolean): string {
  const advice = trouble === undefined ? '' : `; ${trouble.advice}`;
  switch (turn) {
    case 'missing':
      return follow
        ? 'The file does not exist (yet); it is read as soon as it appears.'
        : `The file does not exist${advice}.`;
    case 'gone':
      return trouble === undefined || trouble.trouble === 'missing'
        ? 'The file was deleted or moved away; a new one at its place is read as soon as it appears.'
        : `The file was replaced by something that ${trouble.reason}${advice}.`;
    case 'refused':
      return `This ${trouble?.reason ?? 'is no file'}${advice}.`;
    default:
      return `The file ${trouble?.reason ?? 'cannot be read'}${follow ? '; tried again and again' : ''}${advice}.`;
  }
}
