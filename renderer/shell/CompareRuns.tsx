import { type ReactNode, useState } from 'react';
import { copyText, showNotice } from '../store/actions/actions.ts';
import type { TabName } from '../store/state/log-names.ts';
import type { NamedRun, RunsReport } from '../profile-worker/mirror-messages.ts';
import type { LogKey, LogView } from '../store/state/window-state.ts';
import { services } from '../store/state/window-store.ts';
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
  readonly log: LogView;
  readonly logs: readonly LogView[];
  readonly names: readonly TabName[];
  /** The comparison of the runs; undefined until there is one. */
  readonly report: RunsReport | undefined;
}

/** Chooses tabs as the runs of two sides, and shows what changed by more than runs of one side differ. */
export function CompareRuns({ log, logs, names, report }: CompareRunsProps): ReactNode {
  const [sides, setSides] = useState<Readonly<Record<LogKey, RunSide>>>({ [log.key]: 'new' });
  const runsOf = (side: RunSide): readonly NamedRun[] =>
    logs.flatMap(({ key, status: facts }, at) => {
      const { name, apart } = names[at];
      const isOne = sides[key] === side && facts !== undefined;
      return isOne ? [{ log: key, name: `${name} ${apart}`.trimEnd(), facts }] : [];
    });
  const [base, next] = [runsOf('base'), runsOf('new')];

  /** Compares the runs in the scope of the log without its times. The dialog shows the report. */
  function compare(): void {
    const units = unitsOf(log);
    const chosen = new Set([...base, ...next].map((run) => run.log));
    const other = logs.find(
      (each) => chosen.has(each.key) && unitsOf(each).counted.many !== units.counted.many,
    );
    if (other !== undefined) {
      const { many } = unitsOf(other).counted;
      showNotice(
        'info',
        `${other.name} counts ${many}, and ${log.name} ${units.counted.many}: choose tabs of one kind.`,
      );
      return;
    }
    services().mirrors.post(log.key, {
      type: 'runs',
      base,
      next,
      units,
      scope: { threads: log.scope.threads, transforms: [STABLE_NAMES, ...log.scope.transforms] },
      hidesErrors: log.hidesErrors,
      metric: units.counted.isDependent === true && units.value !== undefined ? 'time' : 'samples',
    });
  }

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
          onClick={compare}
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
