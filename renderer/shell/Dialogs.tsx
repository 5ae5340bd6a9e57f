import { type ReactNode, useState } from 'react';
import { quietActiveLog } from '../store/quiet-log.ts';
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

/** The dialogs over the window. They stay to give the focus back. */
export function Dialogs({ isMac }: { readonly isMac: boolean }): ReactNode {
  const helpIsOpen = useWindow((state) => state.helpIsOpen);
  const filterIsOpen = useWindow((state) => state.filterIsOpen);
  const rangeIsOpen = useWindow((state) => state.rangeIsOpen);
  const editsStep = useWindow((state) => state.editedStep !== undefined);
  const isRenaming = useWindow((state) => state.renaming !== undefined);
  const isMerging = useWindow((state) => state.merging !== undefined);
  const isComparing = useWindow((state) => state.comparing !== undefined);
  const sourcesAreOpen = useWindow((state) => state.sourcesAreOpen);
  const isAttaching = useWindow((state) => state.jvms.dialogIsOpen);
  const [quietLog] = useState(quietActiveLog);
  const log = useWindow(quietLog);
  return (
    <>
      {(helpIsOpen || helpDialog.isLoaded()) && <helpDialog.Part isMac={isMac} />}
      {log !== undefined && (filterIsOpen || filterDialog.isLoaded()) && <filterDialog.Part log={log} />}
      {log !== undefined && (rangeIsOpen || rangeDialog.isLoaded()) && (
        <FreshLog of={log}>{(fresh) => <rangeDialog.Part log={fresh} />}</FreshLog>
      )}
      {(editsStep || stepDialog.isLoaded()) && <stepDialog.Part />}
      {(isRenaming || renameDialog.isLoaded()) && <renameDialog.Part />}
      {(isMerging || mergeDialog.isLoaded()) && <mergeDialog.Part />}
      {(isComparing || compareDialog.isLoaded()) && <compareDialog.Part />}
      {(sourcesAreOpen || sourcesDialog.isLoaded()) && <sourcesDialog.Part />}
      {(isAttaching || attachDialog.isLoaded()) && <attachDialog.Part />}
    </>
  );
}
