import type { ReactNode } from 'react';
import { closeDialog } from '../store/actions.ts';
import {
  compareLogs,
  compareWithFiles,
  compareWithSampleType,
  noOtherType,
  otherSampleTypes,
} from '../store/compare-actions.ts';
import { shownName, tabNames } from '../store/log-names.ts';
import type { LogKey } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { placeOf, whatIsRead } from './use-log-menu.tsx';
import { Button } from '../widgets/Button.tsx';
import { takesFocus } from '../widgets/Dialog.tsx';
import { RunsForm } from './RunsForm.tsx';
import './compare.css';

interface Offer {
  readonly text: string;
  readonly apart: string;
  readonly place: string | undefined;
  readonly run: () => void;
}

/** Chooses the base of a comparison: another tab, another of its sample types, or a file. */
export function CompareForm(): ReactNode {
  const logs = useWindow((state) => state.logs);
  const dialog = useWindow((state) => state.dialog);
  const log = dialog?.kind === 'compare' ? logs.find(({ key }) => key === dialog.log) : undefined;
  if (log === undefined) return null;
  const names = tabNames(logs);
  const tabs = logs.flatMap((other, at): Offer[] => {
    const { name: text, apart } = names[at];
    const run = (): void => compareLogs(log.key, other.key);
    return other === log ? [] : [{ text, apart, place: placeOf(other), run }];
  });
  const types = otherSampleTypes(log).map((choice): Offer => {
    const run = (): void => compareWithSampleType(log.key, choice);
    return { text: choice.text, apart: '', place: undefined, run };
  });
  const noType = noOtherType(log);
  return (
    <>
      <p className="compare-help">
        Choose the base. Shown is what changed from there to <b>{shownName(log)}</b>.
      </p>
      <Offers title="Another tab" offers={tabs} />
      <div className="compare-commands">
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
        <details className="compare-types" data-testid="compare-types">
          <summary>Another sample type of {whatIsRead(log)}</summary>
          <Offers title="Another sample type" isBare offers={types} />
        </details>
      )}
      {logs.length > 2 && <RunsForm log={log.key} />}
      {noType !== undefined && <p className="compare-help">{noType}</p>}
    </>
  );
}

interface OffersProps {
  readonly title: string;
  /** The title is only heard. */
  readonly isBare?: boolean;
  readonly offers: readonly Offer[];
}

function Offers({ title, isBare = false, offers }: OffersProps): ReactNode {
  if (offers.length === 0) return null;
  return (
    <section aria-label={title}>
      {!isBare && <h3>{title}</h3>}
      <ul>
        {offers.map(({ text, apart, place, run }, at) => (
          <li key={at}>
            <Button
              ref={takesFocus}
              title={place}
              testId="compare-offer"
              onClick={() => {
                closeDialog('compare');
                run();
              }}
            >
              {text}
              {apart !== '' && <span className="compare-apart"> {apart}</span>}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows the system's file dialog, and compares the log with what is chosen. */
function chooseBaseFile(log: LogKey): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.onchange = () => compareWithFiles(log, [...(input.files ?? [])]);
  input.click();
}
