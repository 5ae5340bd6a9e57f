import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import './popover.css';

interface PopoverProps {
  /** Name of the panel for screen readers. */
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  /** Content of the button. */
  readonly button: ReactNode;
  readonly buttonClass: string;
  /** Further attributes of the button: test id, hint, state. */
  readonly buttonProps: { readonly 'aria-label'?: string } & Readonly<
    Record<`data-${string}`, string | undefined>
  >;
  readonly isDisabled?: boolean;
  /** Called when Esc has closed the panel and its button, which is hidden by now, cannot take the focus. */
  readonly onLeave?: () => void;
  readonly panelClass?: string;
  readonly panelTestId?: string;
  /** The panel; only called while it is open. */
  readonly children: () => ReactNode;
}

/**
 * A button and a panel that opens below it. The panel takes the focus; Esc gives it back to the button. Esc, the button,
 * a press outside or Tab past its end close it.
 */
export function Popover(props: PopoverProps): ReactNode {
  const { isOpen, onToggle } = props;
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!isOpen || button.current === null) return;
    // CSS places it by its source.
    panel.current?.showPopover({ source: button.current });
    panel.current?.focus({ preventScroll: true });
  }, [isOpen]);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.key !== 'Escape' || !isOpen) return;
    event.preventDefault();
    event.stopPropagation();
    flushSync(() => onToggle(false));
    button.current?.focus();
    if (document.activeElement !== button.current) props.onLeave?.();
  }

  return (
    <div
      className="popover-place"
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (isOpen && isElsewhere(event.relatedTarget, event.currentTarget)) onToggle(false);
      }}
    >
      <button
        ref={button}
        type="button"
        className={props.buttonClass}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        disabled={props.isDisabled}
        {...props.buttonProps}
        data-tip={isOpen ? undefined : props.buttonProps['data-tip']}
        onClick={() => onToggle(!isOpen)}
      >
        {props.button}
      </button>
      {isOpen && (
        <div
          ref={panel}
          className={`popover ${props.panelClass ?? ''}`}
          popover="auto"
          // A press elsewhere closes it, which the browser sees to.
          onToggle={(event) => {
            if (event.target === event.currentTarget && event.newState === 'closed') onToggle(false);
          }}
          role="dialog"
          aria-label={props.label}
          // A panel that scrolls is scrolled by keys.
          tabIndex={0}
          data-testid={props.panelTestId}
        >
          {props.children()}
        </div>
      )}
    </div>
  );
}

/** Whether the focus went outside the panel. A menu that was opened in it is elsewhere in the document. */
function isElsewhere(target: EventTarget | null, whole: HTMLElement): boolean {
  return target instanceof Element && !whole.contains(target) && target.closest('[role=menu]') === null;
}
