import type { ReactNode } from 'react';
import { useWindow } from '../store/window-store.ts';
import { helpDialog } from './later-parts.ts';

/** The dialogs over the window. They stay to give the focus back. */
export function Dialogs({ isMac }: { readonly isMac: boolean }): ReactNode {
  const helpIsOpen = useWindow((state) => state.helpIsOpen);
  if (!helpIsOpen && !helpDialog.isLoaded()) return null;
  return <helpDialog.Part isMac={isMac} />;
}
