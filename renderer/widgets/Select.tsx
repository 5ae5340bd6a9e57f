import type { ReactNode } from 'react';
import './controls.css';

interface SelectProps<Choice extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: Choice; readonly text: string }[];
  readonly value: Choice;
  readonly onChange: (value: Choice) => void;
  /** Its label is only heard. */
  readonly isBare?: boolean;
  readonly hint?: string;
  readonly testId?: string;
}

/** The system's own drop-down list with its label in front. */
export function Select<Choice extends string>(props: SelectProps<Choice>): ReactNode {
  return (
    <label className="select line" data-tip={props.hint}>
      <span className={props.isBare === true ? 'unseen' : 'select-label mid'}>{props.label}</span>
      <select
        value={props.value}
        data-testid={props.testId}
        // Only choices are values.
        onChange={(event) => props.onChange(event.target.value as Choice)}
      >
        {props.choices.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
