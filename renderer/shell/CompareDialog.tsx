import { type ReactNode, useState } from 'react';
import { closeDialog, copyText } from '../store/actions.ts';
import {
  compareLogs,
  compareRunsOf,
  compareWithFiles,
  compareWithSampleType,
  noOtherType,
  otherSampleTypes,
} from '../store/compare-actions.ts';
import { shownName, type TabName, tabNames } from '../store/log-names.ts';
import type { LogKey, LogView, RunSide } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { takesFocus } from '../widgets/Form.tsx';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { placeOf, whatIsRead } from './use-log-menu.tsx';

/** Chooses the base of a comparison: another tab, another of its sample types, or a file. */
export function CompareForm(): ReactNode {
  const logs = useWindow((state) => state.logs);
  const dialog = useWindow((state) => state.dialog);
  const log = dialog?.kind === 'compare' ? logs.find(({ key }) => key === dialog.log) : undefined;
  if (log === undefined) return null;
  const names = tabNames(logs);
  const types = otherSampleTypes(log);
  const noType = noOtherType(log);
  return (
    <>
      <p className="dialog-help">
        Choose the base. Shown is what changed from there to <b>{shownName(log)}</b>.
      </p>
      {logs.length > 1 && (
        <section aria-label="Another tab">
          <p className="mid">Another tab</p>
          <ul className="compare-offers">
            {logs.map((other, at) =>
              other === log ? null : (
                <Offer
                  key={other.key}
                  title={placeOf(other)}
                  onChoose={() => compareLogs(log.key, other.key)}
                >
                  <Name {...names[at]} />
                </Offer>
              ),
            )}
          </ul>
        </section>
      )}
      <div className="line mid">
        <Button
          ref={takesFocus}
          testId="compare-file"
          onClick={() => {
            closeDialog('compare');
            chooseBaseFile(log.key);
          }}
        >
          A file…
        </Button>
        <span>
          A part of this log: drag in the timeline, and compare it with the rest. A file can also be dropped
          on the window with Alt.
        </span>
      </div>
      {types.length > 0 && (
        <details className="compare-more" data-testid="compare-types">
          <summary className="mid">Another sample type of {whatIsRead(log)}</summary>
          <ul className="compare-offers" aria-label="Another sample type">
            {types.map((choice) => (
              <Offer key={choice.text} onChoose={() => compareWithSampleType(log.key, choice)}>
                {choice.text}
              </Offer>
            ))}
          </ul>
        </details>
      )}
      {logs.length > 2 && <Runs log={log.key} logs={logs} names={names} />}
      {noType !== undefined && <p className="dialog-help">{noType}</p>}
    </>
  );
}

interface OfferProps {
  readonly title?: string;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

function Offer({ title, onChoose, children }: OfferProps): ReactNode {
  return (
    <li>
      <Button
        className="cut"
        ref={takesFocus}
        title={title}
        testId="compare-offer"
        onClick={() => {
          closeDialog('compare');
          onChoose();
        }}
      >
        {children}
      </Button>
    </li>
  );
}

function Name({ name, apart }: TabName): ReactNode {
  return (
    <>
      {name} <span className="mid">{apart}</span>
    </>
  );
}

/** Shows the system's file dialog, and compares the log with what is chosen. */
function chooseBaseFile(log: LogKey): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.onchange = () => compareWithFiles(log, [...(input.files ?? [])]);
  input.click();
}

const SIDES = [
  { value: 'base', text: 'Base' },
  { value: 'new', text: 'New' },
  { value: 'none', text: '–', hint: 'Leave it out' },
] as const;

interface RunsProps {
  readonly log: LogKey;
  readonly logs: readonly LogView[];
  readonly names: readonly TabName[];
}

/** Chooses tabs as the runs of two sides, and shows what changed by more than runs of one side differ. */
function Runs({ log, logs, names }: RunsProps): ReactNode {
  const report = useWindow(({ dialog }) => (dialog?.kind === 'compare' ? dialog.report : undefined));
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
      <ul className="compare-offers">
        {logs.map((each, at) => (
          <li key={each.key} className="line" title={placeOf(each)}>
            <SegmentedControl<RunSide>
              label={`Side of ${names[at].name}`}
              choices={SIDES}
              value={sides[each.key] ?? 'none'}
              onChange={(side) => setSides({ ...sides, [each.key]: side })}
            />
            <span>
              <Name {...names[at]} />
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
