import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import type { Transform } from '../../shared/scope/scope.ts';
import type { TransformDialog } from '../../shared/scope/transform-list.ts';
import { kindOf } from '../../shared/scope/transforms.ts';
import { closeDialog } from '../store/actions.ts';
import { applyStep } from '../store/scope-actions.ts';
import { useWindow } from '../store/window-store.ts';
import { DialogCommands, takesFocus } from '../widgets/Dialog.tsx';
import './forms.css';

/** A step of the scope that is more than a key: prefixes that belong together, kinds of names. */
export function StepForm(): ReactNode {
  const edited = useWindow(({ dialog }) => (dialog?.kind === 'step' ? dialog.transform : undefined));
  const dialog = edited && kindOf(edited).dialog;
  return edited && dialog && <Step transform={edited} dialog={dialog} />;
}

interface StepProps {
  readonly transform: Transform;
  readonly dialog: TransformDialog;
}

function Step({ transform, dialog }: StepProps): ReactNode {
  const edited = dialog.texts(transform);
  const { help, label, problem, choices } = dialog;
  const [texts, setTexts] = useState(edited);
  const [isTried, setTried] = useState(false);
  const [helpId, problemId] = [useId(), useId()];
  const hasProblem = isTried && texts.length === 0;

  function apply(event: SyntheticEvent): void {
    event.preventDefault();
    setTried(true);
    if (texts.length > 0) applyStep(dialog.withTexts(transform, texts));
  }

  const described = hasProblem ? `${helpId} ${problemId}` : helpId;
  return (
    <form onSubmit={apply} noValidate>
      <p id={helpId} className="dialog-help">
        {help}
      </p>
      {choices === undefined ? (
        <LinesField {...{ label, described, hasProblem, edited, apply }} onChange={setTexts} />
      ) : (
        <fieldset className="step-names" aria-describedby={described}>
          <legend className="unseen">{label}</legend>
          {Object.entries(choices).map(([name, text], at) => (
            <label key={name}>
              <input
                ref={at === 0 ? takesFocus : undefined}
                type="checkbox"
                checked={texts.includes(name)}
                data-testid={`step-${name}`}
                onChange={({ target }) =>
                  setTexts(target.checked ? [...texts, name] : texts.filter((each) => each !== name))
                }
              />
              {text}
            </label>
          ))}
        </fieldset>
      )}
      {hasProblem && (
        <p id={problemId} role="alert" className="dialog-problem">
          {problem}
        </p>
      )}
      <DialogCommands submit="Apply" testId="step-apply" onCancel={() => closeDialog('step')} />
    </form>
  );
}

interface LinesProps {
  readonly label: string;
  readonly described: string;
  readonly hasProblem: boolean;
  readonly edited: readonly string[];
  readonly apply: (event: SyntheticEvent) => void;
  readonly onChange: (texts: readonly string[]) => void;
}

function LinesField({ label, described, hasProblem, edited, apply, onChange }: LinesProps): ReactNode {
  const [text, setText] = useState(edited.join('\n'));
  return (
    <textarea
      ref={takesFocus}
      className="text-field step-prefixes"
      aria-label={label}
      aria-describedby={described}
      aria-invalid={hasProblem}
      data-testid="step-prefixes"
      rows={4}
      spellCheck={false}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        onChange(prefixesIn(target.value, edited));
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) apply(event);
      }}
    />
  );
}

/**
 * The prefixes in a text, one on each line. A star may be written at the end; those of the step that is edited stay as they
 * are, whatever is in them.
 */
export function prefixesIn(text: string, edited: readonly string[]): readonly string[] {
  const written = text
    .split('\n')
    .map((line) => (edited.includes(line) ? line : line.trim().replace(/\*$/, '')));
  return [...new Set(written)].filter((prefix) => prefix !== '');
}
