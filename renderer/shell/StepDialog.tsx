import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { MACHINE_NAMES, type MachineName } from '../../shared/scope/scope.ts';
import { closeDialog } from '../store/actions.ts';
import { applyStep } from '../store/scope-actions.ts';
import type { EditedStep } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Dialog, DialogCommands, takesFocus } from '../widgets/Dialog.tsx';
import './step.css';

/** A step of the scope that is more than a key: prefixes that belong together, kinds of names. */
export function StepDialog(): ReactNode {
  const edited = useWindow(({ dialog }) => (dialog?.kind === 'step' ? dialog : undefined));
  return (
    <Dialog
      title={edited?.transform.kind === 'fold' ? 'Stable names' : 'Only these frames'}
      isOpen={edited !== undefined}
      onClose={() => closeDialog('step')}
      className="dialog-small"
      testId="step"
    >
      {edited !== undefined && <StepForm transform={edited.transform} />}
    </Dialog>
  );
}

function StepForm({ transform }: Pick<EditedStep, 'transform'>): ReactNode {
  return transform.kind === 'only' ? <OnlyForm step={transform} /> : <FoldForm step={transform} />;
}

type Only = Extract<EditedStep['transform'], { kind: 'only' }>;
type Fold = Extract<EditedStep['transform'], { kind: 'fold' }>;

function OnlyForm({ step }: { readonly step: Only }): ReactNode {
  const [text, setText] = useState(step.prefixes.join('\n'));
  const [isTried, setTried] = useState(false);
  const [helpId, problemId] = [useId(), useId()];
  const prefixes = prefixesIn(text, step.prefixes);
  const hasProblem = isTried && prefixes.length === 0;

  function apply(event: SyntheticEvent): void {
    event.preventDefault();
    setTried(true);
    if (prefixes.length > 0) applyStep({ ...step, prefixes });
  }

  return (
    <form onSubmit={apply} noValidate>
      <p id={helpId} className="dialog-help">
        Frames stay whose names begin with any of these. All others are left out; their samples belong to
        their callers. One on each line, such as com.acme.
      </p>
      <textarea
        ref={takesFocus}
        className="text-field step-prefixes"
        aria-label="Beginnings of names"
        aria-describedby={hasProblem ? `${helpId} ${problemId}` : helpId}
        aria-invalid={hasProblem}
        data-testid="step-prefixes"
        rows={4}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) apply(event);
        }}
      />
      {hasProblem && (
        <p id={problemId} role="alert" className="dialog-problem">
          Enter the beginning of a name.
        </p>
      )}
      <DialogCommands submit="Apply" testId="step-apply" onCancel={() => closeDialog('step')} />
    </form>
  );
}

const KINDS: Readonly<Record<MachineName, string>> = {
  lambda: 'Lambdas: Shop$$Lambda/0x7f12 is Shop$$Lambda',
  proxy: 'Proxies: $Proxy17 is $Proxy',
  reflection: 'Reflection: GeneratedMethodAccessor12 is GeneratedMethodAccessor',
  generated: 'Other generated classes',
};

function FoldForm({ step }: { readonly step: Fold }): ReactNode {
  const [names, setNames] = useState(step.names);
  const [isTried, setTried] = useState(false);
  const problemId = useId();
  const hasProblem = isTried && names.length === 0;

  function apply(event: SyntheticEvent): void {
    event.preventDefault();
    setTried(true);
    if (names.length > 0) applyStep({ ...step, names });
  }

  return (
    <form onSubmit={apply} noValidate>
      <p className="dialog-help">Addresses and numbers in names that are made at run time are left out of:</p>
      <fieldset className="step-names" aria-describedby={hasProblem ? problemId : undefined}>
        <legend className="unseen">Kinds of names</legend>
        {MACHINE_NAMES.map((name, at) => (
          <label key={name}>
            <input
              ref={at === 0 ? takesFocus : undefined}
              type="checkbox"
              checked={names.includes(name)}
              data-testid={`step-${name}`}
              onChange={(event) =>
                setNames(
                  MACHINE_NAMES.filter((each) =>
                    each === name ? event.target.checked : names.includes(each),
                  ),
                )
              }
            />
            {KINDS[name]}
          </label>
        ))}
      </fieldset>
      {hasProblem && (
        <p id={problemId} role="alert" className="dialog-problem">
          Choose at least one kind.
        </p>
      )}
      <DialogCommands submit="Apply" testId="step-apply" onCancel={() => closeDialog('step')} />
    </form>
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
