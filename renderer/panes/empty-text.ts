import { elideMiddle } from '../../shared/text/format-frame.ts';
import { formatCount } from '../../shared/text/format-value.ts';
import { unitsOf } from '../store/selectors.ts';
import type { PaneLog } from './pane-log.ts';

export interface EmptyText {
  readonly title: string;
  readonly advice: string;
  /** What the user can do about it here; undefined where nothing helps but to wait or to open another file. */
  readonly action?: 'clearSearch' | 'showErrors';
}

/** Of a search in a title, characters. */
const MOST_SHOWN = 60;

/** Why a pane has nothing to show, and what to do; undefined as long as it is only waiting for its first rows. */
export function emptyText(log: PaneLog, hidesErrors: boolean, isFlat: boolean): EmptyText | undefined {
  const { summary, status } = log;
  const { many } = unitsOf(log).counted;
  if (summary === undefined || summary.samples === 0) {
    switch (status?.state) {
      // A mirror without rows has counted none, and what the host has is not known yet.
      case undefined:
        return undefined;
      case 'failed':
      case 'gone':
        return { title: 'Nothing was read', advice: status.detail ?? 'The file is not there any more.' };
      case 'damaged':
        return { title: `No ${many} before the damage`, advice: damageText(status) };
      case 'idle':
        return {
          title: `No ${many} in this file`,
          advice:
            status.notes.at(0) ??
            status.detail ??
            (status.format === 'honest-log'
              ? 'The agent samples while the JVM uses the processor; an idle JVM writes nothing.'
              : 'If this file offers a choice of samples, another one may have some.'),
        };
      case 'waiting':
        return { title: 'Waiting for the log', advice: status.detail ?? 'The file is not there yet.' };
      default:
        return { title: `No ${many} yet`, advice: 'They appear here as soon as they are written.' };
    }
  }
  if (isFlat && log.searchText !== '') {
    return {
      title: `No method matches \u201c${elideMiddle(log.searchText, MOST_SHOWN)}\u201d`,
      advice: 'This list shows only what the search finds.',
      action: 'clearSearch',
    };
  }
  if (hidesErrors) {
    return {
      title: 'Every sample is an error',
      advice: 'Errors are hidden, and nothing else was recorded.',
      action: 'showErrors',
    };
  }
  return undefined;
}

function damageText({ damage }: NonNullable<PaneLog['status']>): string {
  if (damage === undefined) return 'The state chip says more.';
  return `At byte ${formatCount(damage.byteOffset)}: ${damage.found}, expected ${damage.expected}.`;
}
