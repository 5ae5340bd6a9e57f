import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import './menu.css';
import { Icon, type IconName } from './icons.tsx';
import './controls.css';

export type MenuEntry =
  | {
      readonly text: string;
      readonly hint?: string | undefined;
      readonly disabled?: boolean;
      /** Defined for an entry that is on or off. */
      readonly checked?: boolean;
      readonly testId?: string;
      readonly run: () => void;
    }
  | 'separator';

interface MenuProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** Page coordinates of the menu's corner; the menu moves to stay in the window. */
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

/**
 * A menu at a position. Takes the focus and restores it on closing; arrows, Home, End, Enter, Esc and first letters
 * work.
 */
export function Menu({ label, entries, at, onClose }: MenuProps): ReactNode {
  const element = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const menu = element.current;
    if (menu === null) return;
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(4, Math.min(at.x, window.innerWidth - width - 4))}px`;
    menu.style.top = `${Math.max(4, Math.min(at.y, window.innerHeight - height - 4))}px`;
    const before = document.activeElement;
    items(menu)[0]?.focus();
    return () => {
      if (before instanceof HTMLElement || before instanceof SVGElement)
        before.focus({ preventScroll: true });
    };
  }, [at]);

  useEffect(() => {
    function onPointerDown(event: PointerEvent): void {
      if (event.target instanceof Node && element.current?.contains(event.target) !== true) onClose();
    }
    window.addEventListener('pointerdown', onPointerDown, true);
    window.addEventListener('resize', onClose);
    window.addEventListener('blur', onClose);
    return () => {
      window.removeEventListener('pointerdown', onPointerDown, true);
      window.removeEventListener('resize', onClose);
      window.removeEventListener('blur', onClose);
    };
  }, [onClose]);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    event.stopPropagation();
    const all = items(event.currentTarget);
    const now = all.findIndex((item) => item === document.activeElement);
    const next = nextItem(event.key, now, all);
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onClose();
    } else if (next !== undefined) {
      event.preventDefault();
      all[next].focus();
    }
  }

  return createPortal(
    <div
      ref={element}
      className="menu"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {entries.map((entry, index) =>
        entry === 'separator' ? (
          <div key={index} className="menu-separator" role="separator" />
        ) : (
          <button
            key={index}
            type="button"
            role={entry.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
            aria-checked={entry.checked}
            tabIndex={-1}
            disabled={entry.disabled}
            data-testid={entry.testId}
            // One entry stands out: that of the pointer where it was moved last, that of the keys otherwise.
            onPointerMove={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
            onClick={() => {
              onClose();
              entry.run();
            }}
          >
            <span className={entry.checked === undefined ? undefined : 'menu-choice'}>{entry.text}</span>
            {entry.hint !== undefined && <kbd>{entry.hint}</kbd>}
          </button>
        ),
      )}
    </div>,
    // In a landmark, where screen readers expect all content.
    document.querySelector('main') ?? document.body,
  );
}

function items(menu: HTMLElement): HTMLButtonElement[] {
  return [...menu.querySelectorAll<HTMLButtonElement>('[role^=menuitem]:not(:disabled)')];
}

function nextItem(key: string, now: number, all: readonly HTMLButtonElement[]): number | undefined {
  if (all.length === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return (now + 1) % all.length;
    case 'ArrowUp':
      return (now - 1 + all.length) % all.length;
    case 'Home':
      return 0;
    case 'End':
      return all.length - 1;
  }
  if (key.length !== 1) return undefined;
  for (let step = 1; step <= all.length; step++) {
    const at = (now + step) % all.length;
    if (all[at].textContent.toLowerCase().startsWith(key.toLowerCase())) return at;
  }
  return undefined;
}

interface MenuButtonProps {
  readonly label: string;
  readonly icon: IconName;
  readonly text?: string;
  readonly entries: readonly MenuEntry[];
  readonly disabled?: boolean;
  readonly testId: string;
}

/** A button with a menu. */
export function MenuButton(props: MenuButtonProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const [at, setAt] = useState<{ x: number; y: number }>();
  const close = useCallback(() => setAt(undefined), []);

  function open(): void {
    const box = button.current?.getBoundingClientRect();
    if (box !== undefined) setAt({ x: box.left, y: box.bottom + 4 });
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className="button"
        disabled={props.disabled}
        aria-label={props.label}
        aria-haspopup="menu"
        aria-expanded={at !== undefined}
        data-testid={props.testId}
        data-tip={props.label}
        onClick={open}
      >
        <Icon name={props.icon} />
        {props.text !== undefined && <span className="button-text">{props.text}</span>}
      </button>
      {at !== undefined && <Menu label={props.label} entries={props.entries} at={at} onClose={close} />}
    </>
  );
}
