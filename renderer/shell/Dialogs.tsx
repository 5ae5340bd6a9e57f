import type { ReactNode } from 'react';
import { openDetails, openHelp, tell } from '../store/actions.ts';
import { useWindow } from '../store/window-store.ts';
import { later } from '../widgets/later.tsx';

const help = later(
  async () => (await import('./HelpDialog.tsx')).HelpDialog,
  () => {
    openHelp(false);
    tellMissing();
  },
);
const details = later(
  async () => (await import('./DetailsDialog.tsx')).DetailsDialog,
  () => {
    openDetails(false);
    tellMissing();
  },
);

function tellMissing(): void {
  tell('problem', 'A part of this window could not be loaded: what serves it may have ended.');
}

/** The dialogues over the window, which come when they are first opened, and stay to put the focus back. */
export function Dialogs({ isMac }: { readonly isMac: boolean }): ReactNode {
  const helpIsOpen = useWindow((state) => state.helpIsOpen);
  const detailsAreOpen = useWindow((state) => state.detailsAreOpen);
  return (
    <>
      {(helpIsOpen || help.isHere()) && <help.Part isMac={isMac} />}
      {(detailsAreOpen || details.isHere()) && <details.Part />}
    </>
  );
}
