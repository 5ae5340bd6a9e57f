import { type ReactNode, useCallback, useRef, useState } from 'react';
import { Icon, type IconName } from './icons.tsx';
import { Menu, type MenuEntry } from './Menu.tsx';
import './controls.css';

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
