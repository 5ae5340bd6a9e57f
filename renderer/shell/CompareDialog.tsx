import type { ReactNode } from 'react';
import { closeDialog } from '../store/actions/actions.ts';
import {
  compareLogs,
  compareWithFiles,
  compareWithSampleType,
  noOtherType,
  otherSampleTypes,
} from '../store/actions/compare-actions.ts';
import { shownName, tabNames } from '../store/state/log-names.ts';
import type { RunsReport } from '../profile-worker/mirror-messages.ts';
import type { LogKey, LogView } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { takesFocus } from '../widgets/Form.tsx';
import { CompareRuns } from './CompareRuns.tsx';
import { NameOfTab, placeOf, whatIsRead } from './use-log-menu.tsx';

interface CompareProps {
  readonly log: LogView;
  readonly report: RunsReport | undefined;
}

/** Chooses the base of a comparison: another tab, another of its sample types, or a file. */
export function CompareForm({ log, report }: CompareProps): ReactNode {
  const logs = useWindow((state) => state.logs);
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
          <ul className="dialog-list">
            {logs.map((other, at) =>
              other === log || other.status?.state === 'failed' ? null : (
                <Offer
                  key={other.key}
                  title={placeOf(other)}
                  onChoose={() => compareLogs(log.key, other.key)}
                >
                  <NameOfTab {...names[at]} />
                </Offer>
              ),
            )}
          </ul>
        </section>
      )}
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
      <p className="dialog-help">
        A file can also be dropped on the window with Alt. To compare a part of this log with the rest, drag
        in the timeline.
      </p>
      {types.length > 0 && (
        <details className="compare-more" data-testid="compare-types">
          <summary className="mid">Another sample type of {whatIsRead(log)}</summary>
          <ul className="dialog-list" aria-label="Another sample type">
            {types.map((choice) => (
              <Offer key={choice.text} onChoose={() => compareWithSampleType(log.key, choice)}>
                {choice.text}
              </Offer>
            ))}
          </ul>
        </details>
      )}
      {logs.length > 2 && <CompareRuns {...{ log, logs, names, report }} />}
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

/** Shows the system's file dialog, and compares the log with what is chosen. */
function chooseBaseFile(log: LogKey): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.onchange = () => compareWithFiles(log, [...(input.files ?? [])]);
  input.click();
}
