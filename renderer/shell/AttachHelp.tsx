import type { ReactNode } from 'react';
import type { Capabilities } from '../../shared/protocol/messages.ts';

/** Why no JVMs are listed, and what can be done. */
export function AttachHelp({ can }: { readonly can: Capabilities['jvms'] }): ReactNode {
  switch (can) {
    case 'allowed':
      return null;
    case 'option':
      return (
        <p className="attach-help">
          To attach to JVMs from this page, start the server with <code>leanscope serve --attach</code>
        </p>
      );
    case undefined:
      return (
        <p className="attach-help">
          Leanscope finds JVMs on Linux and macOS only. On Windows a JVM is attached to by native code, which
          it does not have. Flight recordings that jcmd or the JVM writes into files can be opened everywhere.
        </p>
      );
  }
}
