import type { ReactNode } from 'react';
import './controls.css';

interface SelectProps<Choice extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: Choice; readonly text: string }[];
  readonly value: Choice;
  readonly onChange: (value: Choice) => void;
  readonly disabled?: boolean;
  readonly hint?: string;
  readonly testId: string;
}

/** The system's own drop-down list with its label in front. */
export function Select<Choice extends string>(props: SelectProps<Choice>): ReactNode {
  return (
    <label className="select" data-tip={props.hint}>
      <span className="select-label">{props.label}</span>
      <select
        value={props.value}
        disabled={props.disabled}
        data-testid={props.testId}
        onChange={(event) => {
          const chosen = props.choices.find((choice) => choice.value === event.target.value);
          if (chosen !== undefined) props.onChange(chosen.value);
        }}
      >
        {props.choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
    </label>
  );
}
