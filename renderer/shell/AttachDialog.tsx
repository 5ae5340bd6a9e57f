import type { ReactNode } from 'react';
import { closeDialog } from '../store/actions.ts';
import { useIsOpen, useWindow } from '../store/window-store.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import { AttachHelp } from './AttachHelp.tsx';
import { JvmPanel } from './JvmPanel.tsx';

/** The JVMs of the host's machine, over a log. */
export function AttachDialog(): ReactNode {
  const isOpen = useIsOpen('attach');
  const can = useWindow((state) => state.capabilities.jvms);
  return (
    <Dialog
      title="Attach to a JVM"
      isOpen={isOpen}
      onClose={() => closeDialog('attach')}
      className="attach"
      testId="attach"
    >
      {can === 'allowed' ? <JvmPanel takesFocus /> : <AttachHelp can={can} />}
    </Dialog>
  );
}
