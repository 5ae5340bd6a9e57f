import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { clockText, parseTime, resolveTime } from '../../shared/scope/time-range.ts';
import type { TimeRange } from '../../shared/scope/scope.ts';
import { closeDialog } from '../store/actions.ts';
import { chooseRange } from '../store/time-actions.ts';
import type { LogView } from '../store/window-state.ts';
import { DialogCommands, takesFocus } from '../widgets/Dialog.tsx';
import './forms.css';

const EXAMPLES = '12.5, 90s, 5m, 2:05.25 or 2026-11-20T14:27:02Z';

/** The time range as exact times. They are since the earliest sample: until it is known, no range can be applied. */
export function RangeForm({ log }: { readonly log: LogView }): ReactNode {
  const first = log.timeline && BigInt(log.timeline.first);
  const before = first === undefined ? ['', ''] : endsOf(log.scope.range, first);
  const [typed, type] = useState<{ readonly from?: string; readonly to?: string }>({});
  const { from = before[0], to = before[1] } = typed;
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const problemId = useId();

  function apply(event: SyntheticEvent): void {
    event.preventDefault();
    if (first === undefined) return;
    // A range that moves on with the log has no times here, and is not cleared by them.
    if (from === before[0] && to === before[1]) {
      closeDialog('range');
      return;
    }
    const range = rangeIn(from, to, first);
    if (typeof range === 'string') {
      setProblem(range);
      return;
    }
    chooseRange(range);
    closeDialog('range');
  }

  const field = (end: 'from' | 'to', value: string): ReactNode => (
    <label>
      <span>{end === 'from' ? 'From' : 'To'}</span>
      <input
        type="text"
        className="text-field"
        ref={end === 'from' ? takesFocus : undefined}
        placeholder={end === 'from' ? 'Beginning' : 'End'}
        value={value}
        data-testid={`range-${end}`}
        aria-describedby={problem === undefined ? undefined : problemId}
        spellCheck={false}
        onChange={(event) => type({ ...typed, [end]: event.target.value })}
      />
    </label>
  );
  return (
    <form onSubmit={apply} noValidate>
      <p className="dialog-help">
        Shows the samples between two times, the second one not included. A time is counted from the earliest
        sample, or has a date: {EXAMPLES}.
      </p>
      <div className="range-fields">
        {field('from', from)}
        {field('to', to)}
      </div>
      {problem !== undefined && (
        <p id={problemId} role="alert" className="dialog-problem">
          {problem}
        </p>
      )}
      {first === undefined && (
        <p className="dialog-help">The time of the earliest sample is not known yet.</p>
      )}
      <DialogCommands
        submit="Apply"
        testId="range-apply"
        disabled={first === undefined}
        onCancel={() => closeDialog('range')}
      />
    </form>
  );
}

function endsOf(range: TimeRange | undefined, first: bigint): readonly [from: string, to: string] {
  if (range?.kind !== 'between') return ['', ''];
  const at = (ns: string | undefined): string => (ns === undefined ? '' : clockText(BigInt(ns) - first));
  return [at(range.from), at(range.to)];
}

/** The range of two texts, undefined for no limits; or what is wrong with them. */
function rangeIn(fromText: string, toText: string, first: bigint): TimeRange | undefined | string {
  const [from, to] = [fromText.trim(), toText.trim()].map((text) => (text === '' ? 'none' : parseTime(text)));
  if (from === undefined) return `From is no time: ${fromText}`;
  if (to === undefined) return `To is no time: ${toText}`;
  const start = from === 'none' ? undefined : resolveTime(from, first);
  const end = to === 'none' ? undefined : resolveTime(to, first);
  if (start === undefined && end === undefined) return undefined;
  if (start !== undefined && end !== undefined && start >= end) return 'From must be before To';
  return { kind: 'between', from: start?.toString(), to: end?.toString() };
}
