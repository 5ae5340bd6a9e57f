import type { ReactNode } from 'react';
import type { LogStatus, Restart } from '../../shared/protocol/messages.ts';
import { formatQuantity, formatRate, formatShare } from '../../shared/text/format-value.ts';
import { isFrozen, newerSamples, restText, shareRead, shownState } from '../store/state/selectors.ts';
import type { LogView } from '../store/state/window-state.ts';
import { Icon } from '../widgets/icons.tsx';

type Tone = 'busy' | 'live' | 'quiet' | 'frozen' | 'warning' | 'problem';

/** A log's state in a few words, for the chip and the dot on its tab. */
interface StateText {
  readonly tone: Tone;
  readonly text: string;
  /** Share of the file that is read and in the mirror, while reading; 0 to 1. */
  readonly progress: number | undefined;
}

export function stateText(log: LogView, isConnected = true): StateText {
  const { status } = log;
  const plain = (tone: Tone, text: string): StateText => ({ tone, text, progress: undefined });
  // The last status may be out of date.
  if (!isConnected) return plain('warning', 'not connected');
  if (status === undefined) return plain('busy', 'opening');
  if (isFrozen(log)) {
    const newer = newerSamples(log) ?? 0;
    return plain('frozen', newer === 0 ? 'frozen' : `frozen, ${formatQuantity(newer, 'newer sample')}`);
  }
  switch (shownState(log) ?? status.state) {
    case 'reading': {
      const progress = shareRead(log);
      return { tone: 'busy', text: `reading ${Math.floor(progress * 100)} %`, progress };
    }
    case 'live':
      if (lacksLogs(log)) return plain('warning', 'live, logs missing');
      return plain('live', log.rate === undefined ? 'live' : `live, ${formatRate(log.rate)}`);
    case 'idle':
      if (lacksLogs(log)) return plain('warning', 'logs missing');
      return status.skips.length > 0 ? plain('warning', 'read in part') : plain('quiet', restText(log));
    case 'waiting':
      return plain('warning', 'waiting');
    case 'gone':
      return plain('warning', 'file gone');
    case 'ended':
      return plain('quiet', 'ended');
    case 'damaged':
      if (status.damage?.isLimit) return plain('warning', 'read in part');
      return plain('problem', `damaged${missingText(status)}`);
    case 'full':
      return plain('warning', `first ${formatShare(status.readBytes, status.fileBytes, 0)} only`);
    case 'failed':
      return plain('problem', 'failed');
  }
}

/** `, 56 % missing`: the part of the file that could not be used. */
function missingText({ acceptedBytes, skippedBytes, pendingBytes }: LogStatus): string {
  const missing = skippedBytes + pendingBytes;
  return missing === 0 ? '' : `, ${formatShare(missing, acceptedBytes + missing, 0)} missing`;
}

/** Some of the logs that are merged cannot be read, or not to their end. */
function lacksLogs({ merge, status }: LogView): boolean {
  return merge !== undefined && status?.detail !== undefined;
}

/** The state of a log as a coloured dot. What is wrong has another shape, not only another colour. */
export function StateMark({ tone, title }: { readonly tone: Tone; readonly title?: string }): ReactNode {
  return (
    <span className={`state-mark tone-${tone}`} title={title} aria-hidden="true">
      {tone === 'problem' || tone === 'warning' ? <Icon name="warning" /> : <span className="state-dot" />}
    </span>
  );
}

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
