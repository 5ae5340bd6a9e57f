import type { ReactNode } from 'react';
import { closeDialog } from '../store/actions.ts';
import { useIsOpen } from '../store/window-store.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import { keyHelp } from './key-help.ts';
import './help.css';

/** All keys and what they do. */
export function HelpDialog({ isMac }: { readonly isMac: boolean }): ReactNode {
  const isOpen = useIsOpen('help');
  return (
    <Dialog
      title="Keyboard shortcuts"
      isOpen={isOpen}
      onClose={() => closeDialog('help')}
      className="help"
      testId="keys"
    >
      <div className="help-columns">
        {keyHelp(isMac).map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.keys.map(([keys, what]) => (
                <div key={what}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
