import type { ReactNode } from 'react';
import { openAttach } from '../store/jvm-actions.ts';
import { useWindow } from '../store/window-store.ts';
import { Dialog } from '../widgets/Dialog.tsx';
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
      {can === 'allowed' ? (
        <JvmPanel takesFocus />
      ) : can === 'option' ? (
        <p className="attach-help">
          To attach to JVMs from this page, start the server with <code>leanscope serve --attach</code>
        </p>
      ) : (
        <p className="attach-help">
          Leanscope finds JVMs on Linux and macOS only. On Windows a JVM is attached to by native code, which
          it does not have. Flight recordings that jcmd or the JVM writes into files can be opened everywhere.
        </p>
      )}
    </Dialog>
  );
}
