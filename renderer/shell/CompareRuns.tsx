import { type ReactNode, useState } from 'react';
import { copyText, showNotice } from '../store/actions/actions.ts';
import { type TabName, tabNames } from '../store/state/log-names.ts';
import type { NamedRun, RunsReport } from '../profile-worker/mirror-messages.ts';
import type { LogKey, LogView } from '../store/state/window-state.ts';
import { useWindow, services } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { NameOfTab, placeOf } from './use-log-menu.tsx';
import { unitsOf } from '../store/state/selectors.ts';
import { STABLE_NAMES } from '../../shared/scope/transform-list.ts';

const SIDES = [
  { value: 'base', text: 'Base' },
  { value: 'new', text: 'New' },
  { value: 'none', text: '–', hint: 'Leave it out' },
] as const;

/** The part of a tab in a comparison of runs. */
type RunSide = (typeof SIDES)[number]['value'];

interface CompareRunsProps {
  readonly log: LogKey;
  readonly logs: readonly LogView[];
  readonly names: readonly TabName[];
  /** The comparison of the runs; undefined until there is one. */
  readonly report: RunsReport | undefined;
}

/** Chooses tabs as the runs of two sides, and shows what changed by more than runs of one side differ. */
export function CompareRuns({ log, logs, names, report }: CompareRunsProps): ReactNode {
  const [sides, setSides] = useState<Readonly<Record<LogKey, RunSide>>>({ [log]: 'new' });
  const of = (side: RunSide): readonly LogKey[] =>
    logs.map(({ key }) => key).filter((key) => sides[key] === side);
  const [base, next] = [of('base'), of('new')];
  return (
    <details className="compare-more" data-testid="compare-runs">
      <summary className="mid">Several runs of each side</summary>
      <p className="dialog-help">
        Two runs of one program differ, too. With several of each side, what changed by more than that is
        listed.
      </p>
      <ul className="dialog-list">
        {logs.map((each, at) => (
          <li key={each.key} className="line" title={placeOf(each)}>
            <SegmentedControl<RunSide>
              label={`Side of ${names[at].name}`}
              choices={SIDES}
              value={sides[each.key] ?? 'none'}
              onChange={(side) => setSides({ ...sides, [each.key]: side })}
            />
            <span>
              <NameOfTab {...names[at]} />
            </span>
          </li>
        ))}
      </ul>
      <div className="line">
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
          {report.problem !== undefined && <p className="dialog-help">{report.problem}</p>}
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

/** Compares tabs as the runs of two sides, in the scope of a log without its times. The dialog shows the report. */
function compareRunsOf(key: LogKey, base: readonly LogKey[], next: readonly LogKey[]): void {
  const { logs } = useWindow.getState();
  const names = tabNames(logs);
  const log = logs.find((each) => each.key === key);
  if (log === undefined) return;
  const side = (keys: readonly LogKey[]): readonly LogView[] =>
    logs.filter((each) => keys.includes(each.key));
  const runs = (keys: readonly LogKey[]): NamedRun[] =>
    side(keys).flatMap((each) => {
      const { name, apart } = names[logs.indexOf(each)];
      const { key: log, status: facts } = each;
      return facts === undefined ? [] : [{ log, name: apart === '' ? name : `${name} ${apart}`, facts }];
    });
  const units = unitsOf(log);
  const others = side([...base, ...next]).find((each) => unitsOf(each).counted.many !== units.counted.many);
  if (others !== undefined) {
    showNotice(
      'info',
      `${others.name} counts ${unitsOf(others).counted.many}, and ${log.name} ${units.counted.many}: choose tabs of one kind.`,
    );
    return;
  }
  const transforms = [STABLE_NAMES, ...log.scope.transforms];
  services().mirrors.post(key, {
    type: 'runs',
    base: runs(base),
    next: runs(next),
    units,
    scope: { threads: log.scope.threads, transforms },
    hidesErrors: log.hidesErrors,
    metric: units.counted.isDependent === true && units.value !== undefined ? 'time' : 'samples',
  });
}
