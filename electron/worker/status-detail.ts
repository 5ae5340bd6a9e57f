import type { DetectedFormat } from '../../shared/formats/detect-format.ts';
import type { TailTurn } from '../source/log-tailer.ts';
import type { SourceError } from '../source/source-error.ts';
import { formatCount, formatShare } from '../../shared/text/format-value.ts';

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

/** What a file is that is no log. */
export function describeStranger({ guess, reason }: DetectedFormat & { readonly format: undefined }): string {
  return `This looks like ${guess}, not like a profile log (${reason}); open the log that the profiler's agent writes.`;
}

const COMMAND_LINE = 'The command line reads all of it: leanscope summary, leanscope export.';

/** That a log will be more than a window can show; undefined when it will not, or nobody knows yet. */
export function describeOutlook(expectedNodes: number | undefined, mostNodes: number): string | undefined {
  if (expectedNodes === undefined || expectedNodes <= mostNodes) return undefined;
  return `This log will have about ${inMillions(expectedNodes)} call nodes, and a window holds ${inMillions(mostNodes)}: reading stops there. ${COMMAND_LINE}`;
}

/** That reading stopped because a window holds no more. `share` of the file was read. */
export function describeFull(share: number, expectedNodes: number | undefined): string {
  const of = expectedNodes === undefined ? '' : `, of about ${inMillions(expectedNodes)} call nodes`;
  return `Only the first ${formatShare(share, 1, 0)} of this log are shown${of}: a window holds no more. ${COMMAND_LINE}`;
}

function inMillions(count: number): string {
  return count < 1e6 ? formatCount(count) : `${(count / 1e6).toFixed(0)} million`;
}
