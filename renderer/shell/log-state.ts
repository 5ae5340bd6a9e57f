import { formatQuantity, formatRate, formatShare } from '../../shared/text/format-value.ts';
import type { LogStatus } from '../../shared/protocol/messages.ts';
import { isFrozen, newerSamples, shareRead, shownState } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';

export type Tone = 'busy' | 'live' | 'quiet' | 'frozen' | 'warning' | 'problem';

/** A log's state in a few words, for the chip and the dot on its tab. */
export interface StateText {
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
      return status.skips.length > 0 ? plain('warning', 'read in part') : plain('quiet', 'idle');
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
