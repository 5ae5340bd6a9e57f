import { type ReactNode, useState } from 'react';
import type { Choice } from '../../shared/formats/choice.ts';
import { choose, openDetails } from '../store/actions.ts';
import type { LogView } from '../store/window-state.ts';
import { Select } from '../widgets/Select.tsx';
import './choices.css';

/** How the file is read, where it leaves something open, and what to know of its numbers. */
export function Choices({ log }: { readonly log: LogView }): ReactNode {
  const { status } = log;
  if (status === undefined || (status.choices.length === 0 && status.notes.length === 0)) return null;
  return (
    <div className="choices" role="toolbar" aria-label="How the file is read" data-testid="choices">
      {status.choices.map((choice) => (
        <ChoiceControl key={`${log.key} ${choice.id}`} choice={choice} />
      ))}
      {status.notes.length > 0 && (
        <button
          type="button"
          className="choices-note"
          data-testid="note"
          data-tip={status.notes[0]}
          onClick={() => openDetails(true)}
        >
          {status.notes[0]}
        </button>
      )}
    </div>
  );
}

function ChoiceControl({ choice }: { readonly choice: Choice }): ReactNode {
  const testId = `choice-${choice.id}`;
  switch (choice.kind) {
    case 'one':
      return (
        <Select
          label={choice.name}
          choices={choice.options}
          value={choice.chosen}
          onChange={(value) => choose(choice.id, value)}
          hint={choice.hint}
          testId={testId}
        />
      );
    case 'switch':
      return (
        <label className="check" data-tip={choice.hint}>
          <input
            type="checkbox"
            checked={choice.chosen}
            data-testid={testId}
            onChange={(event) => choose(choice.id, event.target.checked ? 'on' : 'off')}
          />
          <span>{choice.name}</span>
        </label>
      );
    case 'number':
      return <NumberField key={choice.chosen} choice={choice} testId={testId} />;
  }
}

/** Takes effect when it is left or Enter is pressed: reading anew at every digit would show numbers nobody meant. */
function NumberField({
  choice,
  testId,
}: {
  readonly choice: Choice & { kind: 'number' };
  readonly testId: string;
}): ReactNode {
  const given = choice.chosen === undefined ? '' : String(choice.chosen);
  const [text, setText] = useState(given);
  const isWrong = text !== '' && !(Number(text) > 0);
  const take = (): void => {
    if (text !== given && !isWrong) choose(choice.id, text);
  };
  return (
    <label className="select number-choice" data-tip={choice.hint}>
      <span className="select-label">{choice.name}</span>
      <input
        type="text"
        inputMode="decimal"
        value={text}
        placeholder={String(choice.suggested)}
        aria-invalid={isWrong}
        data-testid={testId}
        onChange={(event) => setText(event.target.value.trim())}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take();
          if (event.key === 'Escape') {
            event.stopPropagation();
            setText(given);
          }
        }}
      />
      <span className="select-label">{choice.unit}</span>
    </label>
  );
}
