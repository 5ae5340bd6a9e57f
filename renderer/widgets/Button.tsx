import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';
import './controls.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'type'> {
  /** In front of its text. Without a text it is the whole button. */
  readonly icon?: IconName | undefined;
  /** The name that is heard, where it is not the text. */
  readonly label?: string;
  /** Its tooltip; that of an icon alone is the label, if nothing else is given. */
  readonly tip?: string | undefined;
  readonly testId?: string;
}

/** A button that does something at once; those that submit a form are in `DialogCommands`. */
export function Button({ icon, label, tip, testId, className, children, ...rest }: ButtonProps): ReactNode {
  const isBare = children === undefined;
  const look = ['button', ...(isBare ? ['button-bare'] : []), className ?? ''];
  return (
    <button
      {...rest}
      type="button"
      className={look.join(' ').trimEnd()}
      aria-label={label}
      data-testid={testId}
      data-tip={tip ?? (isBare ? label : undefined)}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}
