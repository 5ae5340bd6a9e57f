import { type ReactNode, useState } from 'react';
import { clockText, parseTime, resolveTime } from '../../shared/scope/time-range.ts';
import type { TimeRange, Transform } from '../../shared/scope/scope.ts';
import type { TransformDialog } from '../../shared/scope/transform-list.ts';
import { kindOf } from '../../shared/scope/transforms.ts';
import { closeDialog } from '../store/actions/actions.ts';
import { applyStep } from '../store/actions/scope-actions.ts';
import { chooseRange } from '../store/actions/time-actions.ts';
import type { EditedStep, LogView } from '../store/state/window-state.ts';
import { Check, DialogForm, FORM_HELP, FORM_PROBLEM, takesFocus, TextField } from '../widgets/Form.tsx';

/** The time range as exact times. They are since the earliest sample: until it is known, no range can be applied. */
export function RangeForm({ log }: { readonly log: LogView }): ReactNode {
  const first = log.timeline && BigInt(log.timeline.first);
  const before = endsOf(log.scope.range, first);
  const [typed, type] = useState<Partial<Ends>>({});
  const [problem, setProblem] = useState<string>();
  const ends = { ...before, ...typed };

  function apply(): void {
    if (first === undefined) return;
    // A range that moves on with the log has no times here, and is not cleared by them.
    if (ends.from !== before.from || ends.to !== before.to) {
      const range = rangeIn(ends, first);
      if (typeof range === 'string') return setProblem(range);
      chooseRange(range);
    }
    closeDialog('range');
  }

  const field = (end: keyof Ends, name: string, placeholder: string): ReactNode => (
    <label className="field grow">
      {name}
      <TextField
        ref={end === 'from' ? takesFocus : undefined}
        placeholder={placeholder}
        value={ends[end]}
        testId={`range-${end}`}
        aria-describedby={problem === undefined ? undefined : FORM_PROBLEM}
        onText={(text) => type({ ...typed, [end]: text })}
      />
    </label>
  );
  return (
    <DialogForm
      help={
        <>
          Shows the samples between two times, the second one not included. A time is counted from the
          earliest sample, or has a date: 12.5, 90s, 5m, 2:05.25 or 2026-11-20T14:27:02Z.
          {first === undefined && ' The time of the earliest sample is not known yet.'}
        </>
      }
      problem={problem}
      submit="Apply"
      testId="range-apply"
      disabled={first === undefined}
      onSubmit={apply}
    >
      <div className="line">
        {field('from', 'From', 'Beginning')}
        {field('to', 'To', 'End')}
      </div>
    </DialogForm>
  );
}

/** The texts of the two fields. */
interface Ends {
  readonly from: string;
  readonly to: string;
}

function endsOf(range: TimeRange | undefined, first: bigint | undefined): Ends {
  const at = (ns: string | undefined): string =>
    ns === undefined || first === undefined ? '' : clockText(BigInt(ns) - first);
  return range?.kind === 'between' ? { from: at(range.from), to: at(range.to) } : { from: '', to: '' };
}

/** The range of two texts, undefined for no limits; or what is wrong with them. */
function rangeIn(ends: Ends, first: bigint): TimeRange | undefined | string {
  const [from, to] = [ends.from, ends.to].map((text) =>
    text.trim() === '' ? 'none' : parseTime(text.trim()),
  );
  if (from === undefined) return `From is no time: ${ends.from}`;
  if (to === undefined) return `To is no time: ${ends.to}`;
  const start = from === 'none' ? undefined : resolveTime(from, first);
  const end = to === 'none' ? undefined : resolveTime(to, first);
  if (start === undefined && end === undefined) return undefined;
  if (start !== undefined && end !== undefined && start >= end) return 'From must be before To';
  return { kind: 'between', from: start?.toString(), to: end?.toString() };
}

/** A step of the scope that is more than a key: prefixes that belong together, kinds of names. */
export function StepForm({ transform }: EditedStep): ReactNode {
  const { dialog } = kindOf(transform);
  return dialog && <Step transform={transform} dialog={dialog} />;
}

interface StepProps {
  readonly transform: Transform;
  readonly dialog: TransformDialog;
}

function Step({ transform, dialog }: StepProps): ReactNode {
  const { help, label, choices } = dialog;
  const edited = dialog.texts(transform);
  const [lines, setLines] = useState(edited.join('\n'));
  const [isTried, setTried] = useState(false);
  const texts = prefixesIn(lines, edited);
  const problem = isTried && texts.length === 0 ? dialog.problem : undefined;
  const described = problem === undefined ? FORM_HELP : `${FORM_HELP} ${FORM_PROBLEM}`;

  function apply(): void {
    setTried(true);
    if (texts.length > 0) applyStep(dialog.withTexts(transform, texts));
  }

  return (
    <DialogForm help={help} problem={problem} submit="Apply" testId="step-apply" onSubmit={apply}>
      {choices === undefined ? (
        <textarea
          ref={takesFocus}
          className="text-field"
          aria-label={label}
          aria-describedby={described}
          aria-invalid={problem !== undefined}
          data-testid="step-prefixes"
          rows={4}
          spellCheck={false}
          value={lines}
          onChange={({ target }) => setLines(target.value)}
          onKeyDown={({ key, ctrlKey, metaKey }) => {
            if (key === 'Enter' && (ctrlKey || metaKey)) apply();
          }}
        />
      ) : (
        <fieldset className="column" aria-describedby={described}>
          <legend className="unseen">{label}</legend>
          {Object.entries(choices).map(([name, text], at) => (
            <Check
              key={name}
              ref={at === 0 ? takesFocus : undefined}
              checked={texts.includes(name)}
              testId={`step-${name}`}
              onCheck={(isOn) =>
                setLines((isOn ? [...texts, name] : texts.filter((each) => each !== name)).join('\n'))
              }
            >
              {text}
            </Check>
          ))}
        </fieldset>
      )}
    </DialogForm>
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
