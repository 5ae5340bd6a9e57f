import type { ReactNode } from 'react';
import { activeLog } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';
import { filterDialog, helpDialog } from './later-parts.ts';

/** The dialogs over the window. They stay to give the focus back. */
export function Dialogs({ isMac }: { readonly isMac: boolean }): ReactNode {
  const helpIsOpen = useWindow((state) => state.helpIsOpen);
  const filterIsOpen = useWindow((state) => state.filterIsOpen);
  const log = useWindow(activeLog);
  return (
    <>
      {(helpIsOpen || helpDialog.isLoaded()) && <helpDialog.Part isMac={isMac} />}
      {log !== undefined && (filterIsOpen || filterDialog.isLoaded()) && <filterDialog.Part log={log} />}
    </>
  );
}
