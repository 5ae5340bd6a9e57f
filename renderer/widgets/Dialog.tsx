import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from './icons.tsx';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly className?: string;
  readonly testId: string;
  /** Rendered only while the dialog is open. */
  readonly children: ReactNode;
}

/**
 * A modal dialogue over the window, closed by its button, by Esc or by a click beside it. The browser keeps the focus in
 * it and puts it back afterwards.
 */
export function Dialog({ title, isOpen, onClose, className = '', testId, children }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);

  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {isOpen && (
        <div className="dialog-body" data-testid={testId}>
          <header>
            <h2 id={titleId}>{title}</h2>
            <button type="button" className="button button-bare" aria-label="Close" onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}
