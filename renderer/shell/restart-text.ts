import { formatQuantity, formatSpan } from '../../shared/text/format-value.ts';
import type { Restart } from '../../shared/protocol/messages.ts';
import type { LogView } from '../store/window-state.ts';

const WHAT: Readonly<Record<Restart['kind'], string>> = {
  truncated: 'The file was truncated',
  replaced: 'The file was replaced',
  rewritten: 'The file was rewritten',
};

/** What happened to the samples when the file was truncated or replaced; undefined if it was not. */
export function restartText(log: LogView): string | undefined {
  const { status } = log;
  if (status?.restart === undefined) return undefined;
  const { kind, at, samplesBefore, unseenMs } = status.restart;
  const unseen =
    unseenMs === 0
      ? ''
      : ` Another file may have been at its path for up to ${formatSpan(unseenMs * 1e6)} in between: its samples are not shown.`;
  const happened = `${WHAT[kind]} at ${new Date(at).toLocaleTimeString('en-GB')}.${unseen}`;
  const before = formatQuantity(samplesBefore, 'earlier sample');
  const shown = log.summary?.samples ?? 0;
  // The window still shows the earlier run: it is frozen, or the new run has not arrived.
  if (log.shownEpoch !== status.epoch && shown > 0)
    return `${happened} The view still shows the ${before}${log.frozen ? ', because it is frozen' : ''}.`;
  if (samplesBefore === 0) return `${happened} Its new content is shown.`;
  return status.samples === 0
    ? `${happened} It has no samples; the ${before} ${samplesBefore === 1 ? 'is' : 'are'} no longer shown.`
    : `${happened} New samples are shown; the ${before} ${samplesBefore === 1 ? 'is' : 'are'} not.`;
}
