import type { ComponentType, ReactNode } from 'react';
import {
  chartPart,
  detailTimesPart,
  heatmapPart,
  hottestLinesPart,
  sourcePart,
  timesPart,
} from '../panes/later-panes.ts';
import { openFilter, openHelp, openRange } from '../store/actions.ts';
import { openAttach } from '../store/jvm-actions.ts';
import { openCompare } from '../store/compare-actions.ts';
import { openMerge } from '../store/merge-actions.ts';
import { editStep } from '../store/scope-actions.ts';
import { openSources } from '../store/source-actions.ts';
import { openRename } from '../store/tab-actions.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import { later } from '../widgets/later.tsx';
import type { DIALOGS_AND_PANELS } from './loaded-later.ts';

const loaded = async (): Promise<typeof DIALOGS_AND_PANELS> =>
  (await import('./loaded-later.ts')).DIALOGS_AND_PANELS;

export const detailsPanel = later(async () => (await loaded()).DetailsPanel);

export const viewOptions = later(async () => (await loaded()).ViewOptions);

export const threadsPanel = later(async () => (await loaded()).ThreadsPanel);

export const recentPanel = later(async () => (await loaded()).RecentPanel);

export const agentLine = later(async () => (await loaded()).AgentLine);

export const jvmPanel = later(async () => (await loaded()).JvmPanel);

export const attachDialog = later(
  async () => (await loaded()).AttachDialog,
  dialogFrame('Attach to a JVM', () => openAttach(false)),
);

export const helpDialog = later(
  async () => (await loaded()).HelpDialog,
  dialogFrame('Keyboard shortcuts', () => openHelp(false)),
);

export const filterDialog = later(
  async () => (await loaded()).FilterDialog,
  dialogFrame('Filter rows', () => openFilter(false)),
);

export const rangeDialog = later(
  async () => (await loaded()).RangeDialog,
  dialogFrame('Time range', () => openRange(false)),
);

export const stepDialog = later(
  async () => (await loaded()).StepDialog,
  dialogFrame('Scope', () => editStep(undefined)),
);

export const timelinePane = later(
  async () => (await import('../panes/timeline/TimelinePane.tsx')).TimelinePane,
);

export const renameDialog = later(
  async () => (await loaded()).RenameDialog,
  dialogFrame('Rename in this window', () => openRename(undefined)),
);

export const mergeDialog = later(
  async () => (await loaded()).MergeDialog,
  dialogFrame('Merge logs', () => openMerge(undefined)),
);

export const compareDialog = later(
  async () => (await loaded()).CompareDialog,
  dialogFrame('Compare', () => openCompare(undefined)),
);

export const sourcesDialog = later(
  async () => (await loaded()).SourcesDialog,
  dialogFrame('Sources', () => openSources(false)),
);

/** Around the message that a dialog could not be loaded. It is there only while the dialog should be open. */
function dialogFrame(title: string, onClose: () => void): ComponentType<{ readonly children: ReactNode }> {
  return function Frame({ children }) {
    return (
      <Dialog title={title} isOpen onClose={onClose} className="not-loaded" testId="not-loaded">
        {children}
      </Dialog>
    );
  };
}

const PARTS = [
  detailsPanel,
  viewOptions,
  recentPanel,
  threadsPanel,
  helpDialog,
  filterDialog,
  renameDialog,
  mergeDialog,
  compareDialog,
  rangeDialog,
  stepDialog,
  timelinePane,
  heatmapPart,
  chartPart,
  sourcesDialog,
  sourcePart,
  hottestLinesPart,
  timesPart,
  detailTimesPart,
  agentLine,
  attachDialog,
];

/** Loads all parts while the window has nothing else to do, so that they are here when the host has ended. */
export function prefetchParts(): void {
  requestIdleCallback(() => {
    for (const { prefetch } of PARTS) prefetch();
  });
}
