import type { ReactNode } from 'react';
import './controls.css';

interface SelectProps<Choice extends string> {
  readonly label: string;
  /** `group`: the heading of a choice and of those next to it with the same. */
  readonly choices: readonly {
    readonly value: Choice;
    readonly text: string;
    readonly group?: string | undefined;
  }[];
  readonly value: Choice;
  readonly onChange: (value: Choice) => void;
  /** Its label is only heard. */
  readonly isBare?: boolean;
  readonly hint?: string;
  readonly testId?: string;
}

/** The system's own drop-down list with its label in front. */
export function Select<Choice extends string>(props: SelectProps<Choice>): ReactNode {
  const { choices } = props;
  const groups = new Set(choices.map(({ group }) => group));
  const optionsOf = (of: string | undefined): ReactNode =>
    choices.map(({ value, text, group }) =>
      group === of ? (
        <option key={value} value={value}>
          {text}
        </option>
      ) : null,
    );
  return (
    <label className="select" data-tip={props.hint}>
      <span className={props.isBare === true ? 'unseen' : 'select-label mid'}>{props.label}</span>
      <select
        value={props.value}
        data-testid={props.testId}
        onChange={(event) => {
          const chosen = choices.find((choice) => choice.value === event.target.value);
          if (chosen !== undefined) props.onChange(chosen.value);
        }}
      >
        {[...groups].map((group) =>
          group === undefined ? (
            optionsOf(group)
          ) : (
            <optgroup key={group} label={group}>
              {optionsOf(group)}
            </optgroup>
          ),
        )}
      </select>
    </label>
  );
}
