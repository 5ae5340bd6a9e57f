import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { Button } from './Button.tsx';
import { Icon, type IconName } from './icons.tsx';
import { moveFocus } from './move-focus.ts';
import './layers.css';

export interface MenuItem {
  readonly text: string;
  readonly hint?: string | undefined;
  readonly disabled?: boolean;
  /** Defined for an entry that is on or off. */
  readonly checked?: boolean;
  readonly testId?: string;
  readonly run: () => void;
}

export type MenuEntry =
  | MenuItem
  /** A further menu beside it. */
  | { readonly text: string; readonly testId?: string; readonly entries: readonly MenuEntry[] }
  | 'separator';

/** Entries that a menu shows at once. */
const MOST_ENTRIES = 8;

/** The entries, those after the seventh in a further menu where they are more than eight. */
export function atMostEight(entries: readonly MenuEntry[]): readonly MenuEntry[] {
  if (entries.length <= MOST_ENTRIES) return entries;
  return [
    ...entries.slice(0, MOST_ENTRIES - 1),
    { text: 'More', entries: atMostEight(entries.slice(MOST_ENTRIES - 1)) },
  ];
}

interface MenuProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** Page coordinates of the menu's corner; the menu moves to stay in the window. Without, it is below what has the focus. */
  readonly at?: { readonly x: number; readonly y: number };
  /** It belongs to an entry of another menu, and is beside it. */
  readonly isBeside?: boolean;
  readonly onClose: () => void;
  /** An entry of it, or of a menu beside it, was chosen. */
  readonly onChosen?: () => void;
}

const MARGIN = 4;

/**
 * A menu. Takes the focus and restores it on closing; arrows, Home, End, Enter, Esc and first letters work. The right arrow
 * and the pointer open a further menu, the left arrow closes it.
 */
export function Menu(props: MenuProps): ReactNode {
  const { label, entries, at, isBeside = false, onClose, onChosen = onClose } = props;
  const element = useRef<HTMLDivElement>(null);
  /** The entry whose further menu is open. */
  const [beside, setBeside] = useState<number>();

  useLayoutEffect(() => {
    const menu = element.current;
    if (menu === null) return;
    const before = document.activeElement;
    // CSS places it by its source, unless it is at a point.
    menu.showPopover(before instanceof HTMLElement ? { source: before } : undefined);
    if (at !== undefined) {
      const { width, height } = menu.getBoundingClientRect();
      menu.style.left = `${Math.max(MARGIN, Math.min(at.x, window.innerWidth - width - MARGIN))}px`;
      menu.style.top = `${Math.max(MARGIN, Math.min(at.y, window.innerHeight - height - MARGIN))}px`;
    }
    items(menu)[0]?.focus();
    return () => {
      // A press elsewhere has put it where it was pressed.
      const isLost = document.activeElement === document.body || menu.contains(document.activeElement);
      if (isLost && (before instanceof HTMLElement || before instanceof SVGElement))
        before.focus({ preventScroll: true });
    };
  }, [at]);

  useEffect(() => {
    window.addEventListener('resize', onClose);
    return () => window.removeEventListener('resize', onClose);
  }, [onClose]);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    event.stopPropagation();
    const all = items(event.currentTarget);
    const now = all.findIndex((item) => item === document.activeElement);
    if (event.key === 'Escape' || event.key === 'Tab' || (event.key === 'ArrowLeft' && isBeside)) {
      event.preventDefault();
      onClose();
    } else if (event.key === 'ArrowRight' && all[now]?.ariaHasPopup === 'menu') {
      event.preventDefault();
      all[now].click();
    } else if (moveFocus(event, 'column', all) === undefined && event.key.length === 1) {
      const letter = event.key.toLowerCase();
      const named = [...all.slice(now + 1), ...all].find(({ textContent }) =>
        textContent.toLowerCase().startsWith(letter),
      );
      if (named === undefined) return;
      event.preventDefault();
      named.focus();
    }
  }

  const menu = (
    <div
      ref={element}
      className={at !== undefined ? 'menu menu-at' : isBeside ? 'menu menu-beside' : 'menu'}
      role="menu"
      // One beside another closes with it.
      popover={isBeside ? 'manual' : 'auto'}
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
      // A press elsewhere closes it, which the browser sees to.
      onToggle={(event) => {
        if (event.target === event.currentTarget && event.newState === 'closed') onClose();
      }}
    >
      {entries.map((entry, index) => {
        if (entry === 'separator') return <div key={index} className="menu-separator" role="separator" />;
        const further = 'entries' in entry ? entry.entries : undefined;
        const { hint, disabled, checked, run }: Partial<MenuItem> = 'entries' in entry ? {} : entry;
        const isOpen = further !== undefined && beside === index;
        const enter = (button: HTMLElement): void => {
          setBeside(further && index);
          button.focus({ preventScroll: true });
        };
        return (
          <div key={index} role="none">
            <button
              type="button"
              className="line"
              tabIndex={-1}
              data-testid={entry.testId}
              role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
              aria-checked={checked}
              aria-haspopup={further && 'menu'}
              aria-expanded={further && isOpen}
              disabled={disabled}
              // One entry stands out: that of the pointer where it was moved last, that of the keys otherwise.
              onPointerMove={(event) => {
                // On its way to the menu beside.
                const isOnWay = further === undefined && beside !== undefined && event.movementX > 0;
                if (hasMoved(event) && !isOpen && !isOnWay) enter(event.currentTarget);
              }}
              onClick={({ currentTarget }) => {
                if (run === undefined) return enter(currentTarget);
                onChosen();
                run();
              }}
            >
              <span className={checked === undefined ? 'cut' : 'cut menu-choice'}>{entry.text}</span>
              {hint !== undefined && <kbd>{hint}</kbd>}
              {further && <Icon name="right" />}
            </button>
            {isOpen && (
              <Menu
                label={entry.text}
                entries={further}
                isBeside
                onClose={() => setBeside(undefined)}
                onChosen={onChosen}
              />
            )}
          </div>
        );
      })}
    </div>
  );
  // In a landmark, where screen readers expect all content; a menu beside another one is a part of it.
  return isBeside ? menu : createPortal(menu, document.querySelector('main') ?? document.body);
}

/** A pointer at rest is said to move where a menu opens beneath it. */
export function hasMoved({ movementX, movementY }: PointerEvent): boolean {
  return movementX !== 0 || movementY !== 0;
}

function items(menu: HTMLElement): HTMLButtonElement[] {
  return [...menu.querySelectorAll<HTMLButtonElement>(':scope > [role=none] > button:not(:disabled)')];
}

interface MenuButtonProps {
  readonly label: string;
  /** Without one the button has an arrow behind its text. */
  readonly icon?: IconName;
  readonly text?: string;
  readonly entries: readonly MenuEntry[];
  readonly disabled?: boolean;
  readonly testId: string;
}

/** A button with a menu. */
export function MenuButton({ label, icon, text, entries, disabled, testId }: MenuButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <Button
        icon={icon}
        disabled={disabled}
        label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        testId={testId}
        tip={label}
        onClick={({ currentTarget }) => {
          currentTarget.focus();
          setOpen(true);
        }}
      >
        {text !== undefined && <span className="button-text">{text}</span>}
        {icon === undefined && <Icon name="down" />}
      </Button>
      {isOpen && <Menu label={label} entries={entries} onClose={close} />}
    </>
  );
}
