import { type ReactNode, useEffect, useRef } from 'react';
import { openHelp } from '../store/actions.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';
import { keyHelp } from './keys.ts';

/** All keys. A modal dialog: the browser keeps the focus in it and closes it on Esc. */
export function HelpDialog({ isMac }: { readonly isMac: boolean }): ReactNode {
  const isOpen = useWindow((state) => state.helpIsOpen);
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);

  return (
    <dialog
      ref={dialog}
      className="help"
      aria-labelledby="help-title"
      onClose={() => openHelp(false)}
      onClick={(event) => {
        if (event.target === dialog.current) openHelp(false);
      }}
    >
      <div className="help-sheet">
        <header>
          <h2 id="help-title">Keys</h2>
          <button
            type="button"
            className="button button-bare"
            aria-label="Close"
            onClick={() => openHelp(false)}
          >
            <Icon name="close" />
          </button>
        </header>
        <div className="help-columns">
          {keyHelp(isMac).map((group) => (
            <section key={group.title}>
              <h3>{group.title}</h3>
              <dl>
                {group.keys.map(([keys, what]) => (
                  <div key={what}>
                    <dt>
                      {keys.split('  ').map((key) => (
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
      </div>
    </dialog>
  );
}
