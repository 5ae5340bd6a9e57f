import { type ReactNode, useState } from 'react';
import { tell } from '../store/actions.ts';
import { useWindow } from '../store/window-store.ts';
import { later } from '../widgets/later.tsx';

const HelpDialog = later(async () => (await import('./HelpDialog.tsx')).HelpDialog, tellMissing);
const DetailsDialog = later(async () => (await import('./DetailsDialog.tsx')).DetailsDialog, tellMissing);

function tellMissing(): void {
  tell('problem', 'A part of this window could not be loaded: what serves it may have ended.');
}

/** The dialogues over the window, which come when they are first opened, and stay to put the focus back. */
export function Dialogs({ isMac }: { readonly isMac: boolean }): ReactNode {
  const needsHelp = useOnceTrue(useWindow((state) => state.helpIsOpen));
  const needsDetails = useOnceTrue(useWindow((state) => state.detailsAreOpen));
  return (
    <>
      {needsHelp && <HelpDialog isMac={isMac} />}
      {needsDetails && <DetailsDialog />}
    </>
  );
}

/** True from when it was first given true. */
function useOnceTrue(now: boolean): boolean {
  const [was, setWas] = useState(now);
  if (now && !was) setWas(true);
  return now || was;
}
