import { type ComponentProps, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Icon, type IconName } from './icons.tsx';
import { take } from './key-name.ts';
import './layers.css';

interface PopoverProps extends Omit<ComponentProps<'button'>, 'children' | 'onToggle'> {
  /** Name of the panel for screen readers. */
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  /** Content of the button. */
  readonly button: ReactNode;
  readonly testId: string;
  readonly tip: string;
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
  const {
    label,
    isOpen,
    onToggle,
    button: content,
    testId,
    tip,
    panelClass = '',
    panelTestId,
    children,
    ...rest
  } = props;
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!isOpen || button.current === null) return;
    // CSS places it by its source.
    panel.current?.showPopover({ source: button.current });
    panel.current?.focus({ preventScroll: true });
  }, [isOpen]);

  return (
    <div
      className="popover-place"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        take(event);
        button.current?.focus();
        onToggle(false);
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (isOpen && isElsewhere(relatedTarget, currentTarget)) onToggle(false);
      }}
    >
      <button
        {...rest}
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-testid={testId}
        data-tip={isOpen ? undefined : tip}
        onClick={() => onToggle(!isOpen)}
      >
        {content}
      </button>
      {isOpen && (
        <div
          ref={panel}
          className={`popover ${panelClass}`}
          popover="auto"
          // A press elsewhere closes it, which the browser sees to.
          onToggle={(event) => {
            if (event.target === event.currentTarget && event.newState === 'closed') onToggle(false);
          }}
          role="dialog"
          aria-label={label}
          // A panel that scrolls is scrolled by keys.
          tabIndex={0}
          data-testid={panelTestId}
        >
          {children()}
        </div>
      )}
    </div>
  );
}

/** Whether the focus went outside the panel. A menu that was opened in it is elsewhere in the document. */
function isElsewhere(target: EventTarget | null, whole: HTMLElement): boolean {
  return target instanceof Element && !whole.contains(target) && target.closest('[role=menu]') === null;
}

interface IconPopoverProps extends Pick<PopoverProps, 'label' | 'testId' | 'tip' | 'children'> {
  readonly icon: IconName;
}

/** A panel whose button is an icon, and has its name. */
export function IconPopover({ icon, ...rest }: IconPopoverProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      {...rest}
      isOpen={isOpen}
      onToggle={setOpen}
      button={<Icon name={icon} />}
      className="button button-bare"
      aria-label={rest.label}
    />
  );
}
