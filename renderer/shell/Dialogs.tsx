import { memo, type ReactNode, useState } from 'react';
import { quietActiveLog } from '../store/quiet-log.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { FreshLog } from './FreshLog.tsx';
import {
  attachDialog,
  compareDialog,
  filterDialog,
  helpDialog,
  mergeDialog,
  rangeDialog,
  renameDialog,
  sourcesDialog,
  stepDialog,
} from './later-parts.tsx';

/**
 * The dialogs over the window. They stay to give the focus back; a change of the log renders only those that show
 * something of it.
 */
export const Dialogs = memo(function Dialogs({ isMac }: { readonly isMac: boolean }): ReactNode {
  const helpIsOpen = useWindow((state) => state.helpIsOpen);
  const filterIsOpen = useWindow((state) => state.filterIsOpen);
  const rangeIsOpen = useWindow((state) => state.rangeIsOpen);
  const editsStep = useWindow((state) => state.editedStep !== undefined);
  const isRenaming = useWindow((state) => state.renaming !== undefined);
  const isMerging = useWindow((state) => state.merging !== undefined);
  const isComparing = useWindow((state) => state.comparing !== undefined);
  const sourcesAreOpen = useWindow((state) => state.sourcesAreOpen);
  const isAttaching = useWindow((state) => state.jvms.dialogIsOpen);
  return (
    <>
      {(helpIsOpen || helpDialog.isLoaded()) && <helpDialog.Part isMac={isMac} />}
      {(filterIsOpen || filterDialog.isLoaded()) && (
        <OfActiveLog>{(log) => <filterDialog.Part log={log} />}</OfActiveLog>
      )}
      {(rangeIsOpen || rangeDialog.isLoaded()) && (
        <OfActiveLog>
          {(log) => <FreshLog of={log}>{(fresh) => <rangeDialog.Part log={fresh} />}</FreshLog>}
        </OfActiveLog>
      )}
      {(editsStep || stepDialog.isLoaded()) && <stepDialog.Part />}
      {(isRenaming || renameDialog.isLoaded()) && <renameDialog.Part />}
      {(isMerging || mergeDialog.isLoaded()) && <mergeDialog.Part />}
      {(isComparing || compareDialog.isLoaded()) && <compareDialog.Part />}
      {(sourcesAreOpen || sourcesDialog.isLoaded()) && <sourcesDialog.Part />}
      {(isAttaching || attachDialog.isLoaded()) && <attachDialog.Part />}
    </>
  );
});

function OfActiveLog({ children }: { readonly children: (log: LogView) => ReactNode }): ReactNode {
  const [quietLog] = useState(quietActiveLog);
  const log = useWindow(quietLog);
  return log && children(log);
}
