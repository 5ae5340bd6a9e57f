import { formatQuantity } from '../../shared/text/format-value.ts';
import type { Restart } from '../../shared/protocol/messages.ts';
import { isFrozen } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';

const WHAT: Readonly<Record<Restart['kind'], string>> = {
  truncated: 'was truncated',
  replaced: 'was replaced',
  rewritten: 'was rewritten',
};

/** Explains what became of the samples when the file was truncated or replaced; undefined if it was not. */
export function restartText(log: LogView): string | undefined {
  const { status } = log;
  if (status?.restart === undefined) return undefined;
  const { kind, log: name = 'The file', at, samplesBefore } = status.restart;
  const happened = `${name} ${WHAT[kind]} at ${new Date(at).toLocaleTimeString('en-GB')}.`;
  const before = formatQuantity(samplesBefore, 'earlier sample');
  const shown = log.summary?.samples ?? 0;
  // The window still shows the earlier run: it is frozen, or the new run has not arrived.
  if (log.shownEpoch !== status.epoch && shown > 0)
    return `${happened} The view still shows the ${before}${isFrozen(log) ? ', because it is frozen' : ''}.`;
  if (samplesBefore === 0) return `${happened} Its new content is shown.`;
  const verb = samplesBefore === 1 ? 'is' : 'are';
  return status.samples === 0
    ? `${happened} It has no samples; the ${before} ${verb} no longer shown.`
    : `${happened} New samples are shown; the ${before} ${verb} not.`;
}
