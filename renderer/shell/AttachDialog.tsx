import type { ReactNode } from 'react';
import { openAttach } from '../store/jvm-actions.ts';
import { useWindow } from '../store/window-store.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import { AttachHelp } from './AttachHelp.tsx';
import { JvmPanel } from './JvmPanel.tsx';

/** The JVMs of the host's machine, over a log. */
export function AttachDialog(): ReactNode {
  const isOpen = useWindow((state) => state.jvms.dialogIsOpen);
  const can = useWindow((state) => state.capabilities.jvms);
  return (
    <Dialog
      title="Attach to a JVM"
      isOpen={isOpen}
      onClose={() => openAttach(false)}
      className="attach"
      testId="attach"
    >
      {can === 'allowed' ? <JvmPanel takesFocus /> : <AttachHelp can={can} />}
    </Dialog>
  );
}
