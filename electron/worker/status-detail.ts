import type { TailTurn } from '../source/log-tailer.ts';
import type { SourceError } from '../source/source-error.ts';

/** Why there is no log to read, and what to do: a sentence or two. */
export function describeTrouble(
  turn: TailTurn,
  { path, trouble }: { readonly path: string; readonly trouble: SourceError | undefined },
  follow: boolean,
): string {
  const advice = trouble === undefined ? '' : `; ${trouble.advice}`;
  switch (turn) {
    case 'missing':
      return follow
        ? `Waiting for ${path}. It opens when the file appears.`
        : `The file does not exist${advice}.`;
    case 'gone':
      return trouble === undefined || trouble.trouble === 'missing'
        ? 'The file was deleted or moved. A new file at its path opens when it appears.'
        : `The file was replaced by something that ${trouble.reason}${advice}.`;
    case 'refused':
      return `This ${trouble?.reason ?? 'is no file'}${advice}.`;
    default:
      return `The file ${trouble?.reason ?? 'cannot be read'}${advice}.${follow ? ' Leanscope keeps trying.' : ''}`;
  }
}
