import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { clockText, parseTime, resolveTime } from '../../shared/scope/time-text.ts';
import type { TimeRange } from '../../shared/scope/scope.ts';
import { openRange } from '../store/actions.ts';
import { chooseRange } from '../store/time-actions.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Dialog, DialogCommands, takesFocus } from '../widgets/Dialog.tsx';
import './range.css';

/** The time range as exact times. */
export function RangeDialog({ log }: { readonly log: LogView }): ReactNode {
  const isOpen = useWindow((state) => state.rangeIsOpen);
  return (
    <Dialog
      title="Time range"
      isOpen={isOpen}
      onClose={() => openRange(false)}
      className="dialog-small"
      testId="range"
    >
      <RangeForm log={log} />
    </Dialog>
  );
}

const EXAMPLES = '12.5, 90s, 5m, 2:05.25 or 2026-11-20T14:27:02Z';

function RangeForm({ log }: { readonly log: LogView }): ReactNode {
  const first = BigInt(log.timeline?.first ?? 0);
  const [before] = useState(() => [
    endText(log.scope.range, 'from', first),
    endText(log.scope.range, 'to', first),
  ]);
  const [from, setFrom] = useState(before[0]);
  const [to, setTo] = useState(before[1]);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const problemId = useId();

  function apply(event: SyntheticEvent): void {
    event.preventDefault();
    // A range that moves on with the log has no times here, and is not cleared by them.
    if (from === before[0] && to === before[1]) {
      openRange(false);
      return;
    }
    const range = rangeIn(from, to, first);
    if (typeof range === 'string') {
      setProblem(range);
      return;
    }
    chooseRange(range);
    openRange(false);
  }

  const field = (label: string, value: string, change: (text: string) => void, testId: string): ReactNode => (
    <label>
      <span>{label}</span>
      <input
        type="text"
        className="text-field"
        ref={label === 'From' ? takesFocus : undefined}
        placeholder={label === 'From' ? 'Beginning' : 'End'}
        value={value}
        data-testid={testId}
        aria-describedby={problem === undefined ? undefined : problemId}
        spellCheck={false}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  );
  return (
    <form onSubmit={apply} noValidate>
      <p className="dialog-help">
        Samples from the first time on, until before the second one. A time is counted from the earliest
        sample, or has a date: {EXAMPLES}.
      </p>
      <div className="range-fields">
        {field('From', from, setFrom, 'range-from')}
        {field('To', to, setTo, 'range-to')}
      </div>
      {problem !== undefined && (
        <p id={problemId} role="alert" className="dialog-problem">
          {problem}
        </p>
      )}
      <DialogCommands submit="Apply" testId="range-apply" onCancel={() => openRange(false)} />
    </form>
  );
}

function endText(range: TimeRange | undefined, end: 'from' | 'to', first: bigint): string {
  const ns = range?.kind === 'between' ? range[end] : undefined;
  return ns === undefined ? '' : clockText(BigInt(ns) - first);
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
