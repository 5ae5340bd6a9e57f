import { type ReactNode, useState } from 'react';
import { copyText } from '../store/actions.ts';
import { compareRunsOf } from '../store/compare-actions.ts';
import { tabNames } from '../store/log-names.ts';
import type { LogKey, RunSide } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { placeOf } from './use-log-menu.tsx';

const SIDES = [
  { value: 'base', text: 'Base' },
  { value: 'new', text: 'New' },
  { value: 'none', text: '–', hint: 'Leave it out' },
] as const;

/** Chooses tabs as the runs of two sides, and shows what changed by more than runs of one side differ. */
export function RunsForm({ log }: { readonly log: LogKey }): ReactNode {
  const logs = useWindow((state) => state.logs);
  const dialog = useWindow((state) => state.dialog);
  const names = tabNames(logs);
  const [sides, setSides] = useState<Readonly<Record<LogKey, RunSide>>>({ [log]: 'new' });
  const sideOf = (key: LogKey): RunSide => sides[key] ?? 'none';
  const of = (side: RunSide): readonly LogKey[] =>
    logs.map(({ key }) => key).filter((key) => sideOf(key) === side);
  const [base, next] = [of('base'), of('new')];
  const report = dialog?.kind === 'compare' ? dialog.report : undefined;
  return (
    <details className="compare-types" data-testid="compare-runs">
      <summary>Several runs of each side</summary>
      <p className="compare-help">
        Two runs of one program differ, too. With several of each side, what changed by more than that is
        listed.
      </p>
      <ul className="compare-runs">
        {logs.map((each, at) => (
          <li key={each.key} title={placeOf(each)}>
            <SegmentedControl<RunSide>
              label={`Side of ${names[at].name}`}
              choices={SIDES}
              value={sideOf(each.key)}
              onChange={(side) => setSides({ ...sides, [each.key]: side })}
            />
            <span>
              {names[at].name} <span className="compare-apart">{names[at].apart}</span>
            </span>
          </li>
        ))}
      </ul>
      <div className="compare-commands">
        <Button
          testId="compare-runs-apply"
          disabled={base.length === 0 || next.length === 0}
          onClick={() => compareRunsOf(log, base, next)}
        >
          Compare runs
        </Button>
        {report !== undefined && report.markdown !== '' && (
          <Button testId="compare-runs-copy" onClick={() => void copyText(report.markdown)}>
            Copy as Markdown
          </Button>
        )}
      </div>
      {report !== undefined && (
        <div role="status">
          {report.problem !== undefined && <p className="compare-help">{report.problem}</p>}
          {report.text !== '' && (
            <pre className="compare-report" tabIndex={0} data-testid="compare-runs-report">
              {report.text}
            </pre>
          )}
        </div>
      )}
    </details>
  );
}
