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
import './menu.css';
import { Icon, type IconName } from './icons.tsx';
import { Button } from './Button.tsx';
import './controls.css';

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

interface Point {
  readonly x: number;
  readonly y: number;
}

interface MenuProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** Page coordinates of the menu's corner; the menu moves to stay in the window. */
  readonly at: Point;
  /** Its right edge where there is no space to the right of `at`. */
  readonly otherX?: number;
  readonly onClose: () => void;
  /** An entry of it, or of a menu beside it, was chosen. */
  readonly onChosen?: () => void;
}

/** A menu beside an entry. */
interface Beside {
  readonly entry: number;
  readonly at: Point;
  readonly otherX: number;
}

const MARGIN = 4;

/**
 * A menu at a position. Takes the focus and restores it on closing; arrows, Home, End, Enter, Esc and first letters work.
 * The right arrow and the pointer open a further menu, the left arrow closes it.
 */
export function Menu({ label, entries, at, otherX, onClose, onChosen = onClose }: MenuProps): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  /** The entry whose further menu is open. */
  const [beside, setBeside] = useState<Beside>();

  useLayoutEffect(() => {
    const menu = element.current;
    if (menu === null) return;
    const before = document.activeElement;
    // The menu from which it was opened stays open.
    menu.showPopover(before instanceof HTMLElement ? { source: before } : undefined);
    const { width, height } = menu.getBoundingClientRect();
    const isBeyond = at.x + width > window.innerWidth - MARGIN;
    const x = isBeyond && otherX !== undefined ? otherX - width : at.x;
    menu.style.left = `${Math.max(MARGIN, Math.min(x, window.innerWidth - width - MARGIN))}px`;
    menu.style.top = `${Math.max(MARGIN, Math.min(at.y, window.innerHeight - height - MARGIN))}px`;
    items(menu)[0]?.focus();
    return () => {
      // A press elsewhere has put it where it was pressed.
      const isLost = document.activeElement === document.body || menu.contains(document.activeElement);
      if (isLost && (before instanceof HTMLElement || before instanceof SVGElement))
        before.focus({ preventScroll: true });
    };
  }, [at, otherX]);

  useEffect(() => {
    window.addEventListener('resize', onClose);
    return () => window.removeEventListener('resize', onClose);
  }, [onClose]);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    event.stopPropagation();
    const all = items(event.currentTarget);
    const now = all.findIndex((item) => item === document.activeElement);
    const next = nextItem(event.key, now, all);
    if (
      event.key === 'Escape' ||
      event.key === 'Tab' ||
      (event.key === 'ArrowLeft' && otherX !== undefined)
    ) {
      event.preventDefault();
      onClose();
    } else if (event.key === 'ArrowRight' && all[now]?.ariaHasPopup === 'menu') {
      event.preventDefault();
      all[now].click();
    } else if (next !== undefined) {
      event.preventDefault();
      all[next].focus();
    }
  }

  const menu = (
    <div
      ref={element}
      className="menu"
      role="menu"
      popover="auto"
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
        const { text, testId } = entry;
        const shared = { type: 'button', tabIndex: -1, 'data-testid': testId } as const;
        if ('entries' in entry) {
          const isOpen = beside?.entry === index;
          const open = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
            currentTarget.focus({ preventScroll: true });
            const { left, right, top } = currentTarget.getBoundingClientRect();
            // The menus overlap a little.
            setBeside({ entry: index, at: { x: right - 2, y: top - 5 }, otherX: left + 2 });
          };
          return (
            <div key={index} role="none">
              <button
                {...shared}
                role="menuitem"
                aria-haspopup="menu"
                aria-expanded={isOpen}
                onPointerMove={(event) => {
                  if (!isOpen && hasMoved(event)) open(event);
                }}
                onClick={open}
              >
                <span className="menu-text">{text}</span>
                <Icon name="right" />
              </button>
              {isOpen && (
                <Menu
                  label={text}
                  entries={entry.entries}
                  at={beside.at}
                  otherX={beside.otherX}
                  onClose={() => setBeside(undefined)}
                  onChosen={onChosen}
                />
              )}
            </div>
          );
        }
        const { hint, disabled, checked, run } = entry;
        return (
          <button
            key={index}
            {...shared}
            role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
            aria-checked={checked}
            disabled={disabled}
            // One entry stands out: that of the pointer where it was moved last, that of the keys otherwise.
            onPointerMove={(event) => {
              // On its way to the menu beside.
              if (!hasMoved(event) || (beside !== undefined && event.movementX > 0)) return;
              setBeside(undefined);
              event.currentTarget.focus({ preventScroll: true });
            }}
            onClick={() => {
              onChosen();
              run();
            }}
          >
            <span className={checked === undefined ? 'menu-text' : 'menu-text menu-choice'}>{text}</span>
            {hint !== undefined && <kbd>{hint}</kbd>}
          </button>
        );
      })}
    </div>
  );
  // In a landmark, where screen readers expect all content; a menu beside another one is a part of it.
  return otherX === undefined ? createPortal(menu, document.querySelector('main') ?? document.body) : menu;
}

/** A pointer at rest is said to move where a menu opens beneath it. */
export function hasMoved({ movementX, movementY }: PointerEvent): boolean {
  return movementX !== 0 || movementY !== 0;
}

function items(menu: HTMLElement): HTMLButtonElement[] {
  const own = ':scope > button:not(:disabled), :scope > [role=none] > button';
  return [...menu.querySelectorAll<HTMLButtonElement>(own)];
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
  /** Without one the button has an arrow behind its text. */
  readonly icon?: IconName;
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
      <Button
        {...(props.icon === undefined ? {} : { icon: props.icon })}
        ref={button}
        disabled={props.disabled}
        label={props.label}
        aria-haspopup="menu"
        aria-expanded={at !== undefined}
        testId={props.testId}
        tip={props.label}
        onClick={open}
      >
        {props.text !== undefined && <span className="button-text">{props.text}</span>}
        {props.icon === undefined && <Icon name="down" />}
      </Button>
      {at !== undefined && <Menu label={props.label} entries={props.entries} at={at} onClose={close} />}
    </>
  );
}
