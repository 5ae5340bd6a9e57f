import { AgentLine } from './AgentLine.tsx';
import { AttachDialog } from './AttachDialog.tsx';
import { CompareDialog } from './CompareDialog.tsx';
import { DetailsPanel } from './DetailsPanel.tsx';
import { FilterDialog } from './FilterDialog.tsx';
import { HelpDialog } from './HelpDialog.tsx';
import { JvmPanel } from './JvmPanel.tsx';
import { MergeDialog } from './MergeDialog.tsx';
import { RangeDialog } from './RangeDialog.tsx';
import { RecentPanel } from './RecentPanel.tsx';
import { RenameDialog } from './RenameDialog.tsx';
import { SourcesDialog } from './SourcesDialog.tsx';
import { StepDialog } from './StepDialog.tsx';
import { ThreadsPanel } from './ThreadsPanel.tsx';
import { ViewOptions } from './ViewOptions.tsx';

/**
 * Dialogs and panels: one script, and not one each, because the window loads all of them a moment after its first screen.
 */
export const DIALOGS_AND_PANELS = {
  AgentLine,
  AttachDialog,
  CompareDialog,
  DetailsPanel,
  FilterDialog,
  HelpDialog,
  JvmPanel,
  MergeDialog,
  RangeDialog,
  RecentPanel,
  RenameDialog,
  SourcesDialog,
  StepDialog,
  ThreadsPanel,
  ViewOptions,
};
