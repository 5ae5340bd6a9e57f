import { memo, type ReactNode, useState } from 'react';
import { quietActiveLog } from '../store/quiet-log.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { AttachDialog } from './AttachDialog.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import { CompareDialog } from './CompareDialog.tsx';
import { FilterDialog } from './FilterDialog.tsx';
import { FreshLog } from './FreshLog.tsx';
import { HelpDialog } from './HelpDialog.tsx';
import { MergeDialog } from './MergeDialog.tsx';
import { RangeDialog } from './RangeDialog.tsx';
import { RenameDialog } from './RenameDialog.tsx';
import { SourcesDialog } from './SourcesDialog.tsx';
import { StepDialog } from './StepDialog.tsx';
/**
 * The dialogs over the window. They stay to give the focus back; a change of the log renders only those that show
 * something of it.
 */
export const Dialogs = memo(function Dialogs({ isMac }: { readonly isMac: boolean }): ReactNode {
  return (
    <>
      <HelpDialog isMac={isMac} />
      <OfActiveLog>{(log) => <FilterDialog log={log} />}</OfActiveLog>
      <OfActiveLog>
        {(log) => <FreshLog of={log}>{(fresh) => <RangeDialog log={fresh} />}</FreshLog>}
      </OfActiveLog>
      <StepDialog />
      <RenameDialog />
      <CloseDialog />
      <MergeDialog />
      <CompareDialog />
      <SourcesDialog />
      <AttachDialog />
    </>
  );
});

function OfActiveLog({ children }: { readonly children: (log: LogView) => ReactNode }): ReactNode {
  const [quietLog] = useState(quietActiveLog);
  const log = useWindow(quietLog);
  return log && children(log);
}
