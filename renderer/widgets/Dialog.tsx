import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './Button.tsx';
import './layers.css';

interface DialogProps {
  readonly title: string;
  /** Names what is shown; undefined: nothing is. */
  readonly kind: string | undefined;
  readonly onClose: () => void;
  /** CSS pixels, in a window that has space for it. */
  readonly width?: number;
  readonly className?: string;
  readonly testId?: string;
  /** Its title is only heard: what is in it says what it is. */
  readonly isBare?: boolean | undefined;
  readonly children?: ReactNode;
}

/**
 * A modal dialogue over the window, closed by its button, by Esc or by a click beside it. The browser keeps the focus in
 * it and puts it back afterwards.
 */
export function Dialog(props: DialogProps): ReactNode {
  const { title, kind, onClose, width = 480, className = '', testId, isBare = false, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    const element = dialog.current;
    // One that is shown in the place of another takes the focus anew.
    element?.close();
    if (kind === undefined) return;
    element?.showModal();
    // The browser takes the first button, unless an element asked for the focus; a ring on the way out says nothing.
    if (close.current === document.activeElement) element?.focus();
  }, [kind]);

  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      className={`dialog ${className}`}
      style={{ width: `min(${width}px, 100vw - 32px)` }}
      aria-label={title}
      closedby="any"
      onClose={({ currentTarget }) => {
        // The event comes later than the end of which it tells: the dialog may be open again.
        if (!currentTarget.open) onClose();
      }}
    >
      {kind !== undefined && (
        <div className="dialog-body" data-testid={testId}>
          {!isBare && (
            <header className="line">
              <h2>{title}</h2>
              <Button icon="close" ref={close} label="Close" onClick={onClose} />
            </header>
          )}
          {children}
        </div>
      )}
    </dialog>
  );
}
