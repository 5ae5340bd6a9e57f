import type { LogView } from '../store/window-state.ts';

export interface EmptyText {
  readonly title: string;
  readonly advice: string;
}

/** Why a pane has nothing to show, and what to do; undefined as long as it is only waiting for its first rows. */
export function emptyText(log: LogView, hidesErrors: boolean, isFlat: boolean): EmptyText | undefined {
  const { summary, status } = log;
  if (summary === undefined && status === undefined) return undefined;
  if (summary === undefined || summary.samples === 0) {
    switch (status?.state) {
      case 'failed':
      case 'gone':
        return { title: 'Nothing was read', advice: status.detail ?? 'The file is not there any more.' };
      case 'damaged':
        return { title: 'No samples before the damage', advice: 'Is this an Honest Profiler log?' };
      case 'idle':
        return {
          title: 'No samples in this log',
          advice: 'The agent samples while the JVM uses the processor; an idle JVM writes nothing.',
        };
      case 'waiting':
        return { title: 'Waiting for the log', advice: status.detail ?? 'The file is not there yet.' };
      default:
        return { title: 'No samples yet', advice: 'They appear here as soon as they are written.' };
    }
  }
  if (isFlat && log.searchText !== '') {
    return {
      title: 'No method matches',
      advice: 'The list shows only what the search finds. Esc clears it.',
    };
  }
  if (hidesErrors) {
    return { title: 'Every sample is an error', advice: 'Show errors again to see which.' };
  }
  return undefined;
}
