import { type ReactNode, useId, useState } from 'react';
import { type Choice, isValidNumber, SAMPLE_TYPE_CHOICE, switchText } from '../../shared/facts/choice.ts';
import { choose } from '../store/log-actions.ts';
import type { LogView } from '../store/window-state.ts';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { Select } from '../widgets/Select.tsx';

/** Reading options of the file besides the kind of samples, if it has any: a button, and a panel to change them. */
export function Choices({ log }: { readonly log: LogView }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const choices = (log.status?.choices ?? []).filter(({ id }) => id !== SAMPLE_TYPE_CHOICE);
  if (choices.length === 0) return null;
  return (
    <Popover
      label="Reading options"
      isOpen={isOpen}
      onToggle={setOpen}
      button={<Icon name="sliders" />}
      buttonClass="button button-bare"
      buttonProps={{
        'aria-label': 'Reading options',
        'data-testid': 'choices',
        'data-tip': `Reading options: ${choices.map(({ name }) => name.toLowerCase()).join(', ')}`,
      }}
    >
      {() => (
        <div className="form">
          {choices.map((choice) => (
            <ChoiceControl key={`${log.key} ${choice.id}`} choice={choice} />
          ))}
        </div>
      )}
    </Popover>
  );
}

function ChoiceControl({ choice }: { readonly choice: Choice }): ReactNode {
  const id = useId();
  const testId = `choice-${choice.id}`;
  switch (choice.kind) {
    case 'one':
      return (
        <>
          <Select
            label={choice.name}
            choices={choice.options}
            value={choice.chosen}
            onChange={(value) => choose(choice.id, value)}
            testId={testId}
          />
          <p className="form-hint">{choice.hint}</p>
        </>
      );
    case 'switch':
      return (
        <>
          <label className="form-label" htmlFor={id}>
            {choice.name}
          </label>
          <div className="form-control">
            <input
              id={id}
              type="checkbox"
              checked={choice.chosen}
              data-testid={testId}
              onChange={(event) => choose(choice.id, switchText(choice, event.target.checked))}
            />
          </div>
          <p className="form-hint">{choice.hint}</p>
        </>
      );
    case 'number':
      return <NumberField key={choice.chosen} choice={choice} testId={testId} />;
  }
}

/**
 * Takes effect on Enter or when the field loses the focus, not at every digit: each value makes the host read the file
 * again.
 */
function NumberField({
  choice,
  testId,
}: {
  readonly choice: Choice & { kind: 'number' };
  readonly testId: string;
}): ReactNode {
  const id = useId();
  const given = choice.chosen === undefined ? '' : String(choice.chosen);
  const [text, setText] = useState(given);
  const isWrong = text !== '' && !isValidNumber(Number(text));
  const take = (): void => {
    if (text !== given && !isWrong) choose(choice.id, text);
  };
  return (
    <>
      <label className="form-label" htmlFor={id}>
        {choice.name}
      </label>
      <div className="form-control">
        <input
          id={id}
          type="text"
          className="text-field number"
          inputMode="decimal"
          value={text}
          placeholder={String(choice.suggested)}
          aria-invalid={isWrong}
          aria-describedby={`${id}-hint`}
          data-testid={testId}
          onChange={(event) => setText(event.target.value.trim())}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take();
            if (event.key === 'Escape' && text !== given) {
              event.stopPropagation();
              setText(given);
            }
          }}
        />
        <span>{choice.unit}</span>
      </div>
      {isWrong ? (
        <p className="form-hint form-problem" id={`${id}-hint`} role="alert">
          Enter a number above 0, for example {choice.suggested}.
        </p>
      ) : (
        <p className="form-hint" id={`${id}-hint`}>
          {choice.hint}
        </p>
      )}
    </>
  );
}
