import type { KeyboardEvent, ReactNode } from 'react';
import { moveFocus } from './move-focus.ts';
import './controls.css';

export interface SegmentedChoice<Choice extends string> {
  readonly value: Choice;
  readonly text: string;
  readonly hint?: string;
  readonly disabled?: boolean;
}

interface SegmentedControlProps<Choice extends string> {
  readonly label: string;
  readonly choices: readonly SegmentedChoice<Choice>[];
  readonly value: Choice;
  readonly onChange: (value: Choice) => void;
  readonly disabled?: boolean;
  readonly testId?: string;
}

/** Radio buttons drawn as one strip; arrow keys choose. */
export function SegmentedControl<Choice extends string>(props: SegmentedControlProps<Choice>): ReactNode {
  const { choices, value, onChange } = props;

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const enabled = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')];
    moveFocus(event, 'row', enabled)?.click();
  }

  return (
    <div
      className="segmented"
      role="radiogroup"
      aria-label={props.label}
      data-testid={props.testId}
      onKeyDown={onKeyDown}
    >
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          tabIndex={choice.value === value ? 0 : -1}
          disabled={props.disabled === true || choice.disabled}
          data-value={choice.value}
          data-tip={choice.hint}
          onClick={() => onChange(choice.value)}
        >
          {choice.text}
        </button>
      ))}
    </div>
  );
}
