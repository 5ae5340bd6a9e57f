import { type ReactNode, useId, useState } from 'react';
import {
  MOST_THREAD_NAME_CHARACTERS,
  MOST_THREAD_NAMES,
  SAMPLING_RANGES,
  THREAD_STATES,
} from '../../shared/facts/recording-choice.ts';
import { sampleWith } from '../store/jvm-actions.ts';
import { useWindow } from '../store/window-store.ts';

/** How threads are sampled by thread dumps. */
export function SamplingFields(): ReactNode {
  const { intervalMs, sharePercent, depth, threads, states } = useWindow(
    (state) => state.preferences.sampling,
  );
  return (
    <>
      <Field
        label="Every"
        unit="ms"
        hint="The time between two thread dumps. They come less often if they would take more of the JVM’s time than is allowed. They are kept in a temporary file; sampling ends when it has 2 GB."
        value={String(intervalMs)}
        testId="sample-interval"
        onChange={(text) => takeNumber('intervalMs', text)}
      />
      <Field
        label="At most"
        unit="% of the JVM’s time"
        hint="All threads stand still during a dump. What it costs is measured, and dumps come less often if needed. After the first dump, or one that costs far more than those before, the next waits until the share is kept again."
        value={String(sharePercent)}
        testId="sample-share"
        onChange={(text) => takeNumber('sharePercent', text)}
      />
      <Field
        label="Frames"
        hint="The innermost frames of a stack that are kept; empty: all"
        placeholder="all"
        value={depth === undefined ? '' : String(depth)}
        testId="sample-depth"
        onChange={(text) => {
          if (text !== '') return takeNumber('depth', text);
          sampleWith({ depth: undefined });
          return undefined;
        }}
      />
      <Field
        label="Threads"
        hint="Names with commas between, pools as http-worker-*, or one /regular expression/; empty: all. Thread dumps name no thread groups."
        placeholder="all"
        isWide
        value={threads.join(', ')}
        testId="sample-threads"
        onChange={takeThreads}
      />
      <div className="jvm-states" role="group" aria-label="States of threads">
        {THREAD_STATES.map((state) => (
          <label
            key={state}
            className="jvm-type check"
            data-tip="Threads in these states are counted; none: in all. The log has all of them: it can be changed later."
          >
            <input
              type="checkbox"
              checked={states.includes(state)}
              data-testid={`sample-${state}`}
              onChange={() =>
                sampleWith({
                  states: THREAD_STATES.filter((each) => states.includes(each) !== (each === state)),
                })
              }
            />
            {state.toLowerCase().replace('_', ' ')}
          </label>
        ))}
      </div>
      <p className="jvm-hint">
        For any HotSpot JVM. Threads stop at a safepoint for a dump: a stack shows where its thread could
        stop, often the end of a loop or of a method.
      </p>
    </>
  );
}

/** Takes a number in its range. Returns what is wrong with another text. */
function takeNumber(key: keyof typeof SAMPLING_RANGES, text: string): string | undefined {
  const { least, most } = SAMPLING_RANGES[key];
  const number = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
  const isWhole = key !== 'depth' || Number.isInteger(number);
  if (!(number >= least && number <= most) || !isWhole) return `${least} to ${most}`;
  sampleWith({ [key]: number });
  return undefined;
}

function takeThreads(text: string): string | undefined {
  const isExpression = text.startsWith('/') && text.endsWith('/') && text.length > 2;
  const names = isExpression ? [text] : text.split(',').map((name) => name.trim());
  const threads = names.filter((name) => name !== '');
  if (threads.length > MOST_THREAD_NAMES) return `at most ${MOST_THREAD_NAMES} names`;
  if (threads.some((name) => name.length > MOST_THREAD_NAME_CHARACTERS))
    return `at most ${MOST_THREAD_NAME_CHARACTERS} characters a name`;
  sampleWith({ threads });
  return undefined;
}

interface FieldProps {
  readonly label: string;
  readonly unit?: string;
  readonly hint: string;
  readonly placeholder?: string;
  readonly isWide?: boolean;
  readonly value: string;
  readonly testId: string;
  /** Takes a text; what is wrong with it if it cannot be taken. */
  readonly onChange: (text: string) => string | undefined;
}

/** A text that is taken while it is typed. What cannot be taken is replaced by the last valid text when the focus leaves. */
function Field({ label, unit, hint, placeholder, isWide, value, testId, onChange }: FieldProps): ReactNode {
  const [draft, setDraft] = useState<{ readonly text: string; readonly problem: string | undefined }>();
  const id = useId();
  const problem = draft?.problem;
  return (
    <label className="jvm-field" data-tip={hint}>
      {label}
      <input
        type="text"
        spellCheck={false}
        className={isWide === true ? 'jvm-field-wide' : undefined}
        value={draft?.text ?? value}
        placeholder={placeholder}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : id}
        data-testid={testId}
        onChange={(event) => {
          const text = event.target.value;
          setDraft({ text, problem: onChange(text.trim()) });
        }}
        onBlur={() => setDraft(undefined)}
      />
      {unit}
      {problem !== undefined && (
        <span id={id} role="alert" className="jvm-problem">
          {problem}
        </span>
      )}
    </label>
  );
}
