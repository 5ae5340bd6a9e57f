import { openFilter, openHelp, showNotice } from '../store/actions.ts';
import { later } from '../widgets/later.tsx';

function showFailure(): void {
  showNotice(
    'problem',
    'A part of this window could not be loaded. Reload the window; if Leanscope has ended, start it again.',
  );
}

export const detailsPanel = later(async () => (await import('./DetailsPanel.tsx')).DetailsPanel, showFailure);

export const threadsPanel = later(async () => (await import('./ThreadsPanel.tsx')).ThreadsPanel, showFailure);

export const helpDialog = later(
  async () => (await import('./HelpDialog.tsx')).HelpDialog,
  () => {
    openHelp(false);
    showFailure();
  },
);

export const filterDialog = later(
  async () => (await import('./FilterDialog.tsx')).FilterDialog,
  () => {
    openFilter(false);
    showFailure();
  },
);

/** Loads all parts while the window has nothing else to do, so that they are here when the host has ended. */
export function prefetchParts(): void {
  requestIdleCallback(() => {
    for (const { prefetch } of [detailsPanel, threadsPanel, helpDialog, filterDialog]) prefetch();
  });
}
