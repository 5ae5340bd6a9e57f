import type { ReactNode } from 'react';
import { openHelp, tell } from '../store/actions.ts';
import { useWindow } from '../store/window-store.ts';
import { later } from '../widgets/later.tsx';

const help = later(
  async () => (await import('./HelpDialog.tsx')).HelpDialog,
  () => {
    openHelp(false);
    tell('problem', 'A part of this window could not be loaded. Leanscope may have ended; start it again.');
  },
);

/** The dialogs over the window. They are loaded when first opened, and stay to give the focus back. */
export function Dialogs({ isMac }: { readonly isMac: boolean }): ReactNode {
  const helpIsOpen = useWindow((state) => state.helpIsOpen);
  if (!helpIsOpen && !help.isHere()) return null;
  return <help.Part isMac={isMac} />;
}
