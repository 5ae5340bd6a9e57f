import type { MethodLines } from '../../../shared/engine/query.ts';
import { type ReactNode, useMemo, useRef } from 'react';
import type { SourceAnswer } from '../../../shared/protocol/source-messages.ts';
import { elideMiddle, shownLabel } from '../../../shared/text/format-frame.ts';
import { printable } from '../../../shared/text/printable.ts';
import type { Metric } from '../../../shared/engine/values/metric.ts';
import { copyText, focusPane, openDialog } from '../../store/actions/actions.ts';
import { activeLog, detailOf } from '../../store/state/selectors.ts';
import { classSource, isSameSource } from '../../store/source-search.ts';
import type { SourceLine } from '../../store/state/window-state.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { EmptyState } from '../../widgets/EmptyState.tsx';
import type { LogView } from '../../store/state/window-state.ts';
import { aboutLines, hottestLine, hottestLines } from './line-rows.ts';
import { useLineMeasure, valueText } from './value-text.ts';
import { readSourceText } from './source-text.ts';
import { SourceView } from './SourceView.tsx';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import { Button } from '../../widgets/Button.tsx';
import './source.css';
import { useEnteredFocus } from '../enter-pane.ts';

/** Longest name in a title, characters. */
const MOST_SHOWN = 60;

/** The source of the selected method, with its samples beside each line. */
export function SourcePane({ log }: { readonly log: LogView }): ReactNode {
  return (
    <section
      className="pane source-pane"
      aria-label="Source"
      data-pane="source"
      data-testid="pane-source"
      onFocus={() => focusPane('source')}
    >
      <Content log={log} />
    </section>
  );
}

function Content({ log }: { readonly log: LogView }): ReactNode {
  const method = detailOf(log);
  const { shown } = log.panes.source;
  const sources = useWindow((state) => state.sources);
  const search = useWindow((state) => state.sourceSearch);
  const sourceLine = useWindow((state) => state.sourceLine);
  const connection = useWindow((state) => state.connection.state);
  const measure = useLineMeasure(log, shown?.lines);
  const javaVersion = useWindow((state) => activeLog(state)?.status?.javaVersion);
  const wanted = shown?.lines && classSource(shown.lines, javaVersion);
  const answer = wanted !== undefined && isSameSource(wanted, search?.wanted) ? search?.answer : undefined;
  const fileText = answer?.kind === 'found' ? answer.text : undefined;
  const text = useMemo(() => (fileText === undefined ? undefined : readSourceText(fileText)), [fileText]);

  if (method === undefined)
    return (
      <EmptyState
        title="Select a method"
        text="Its source is shown here, with its samples beside each line."
      />
    );
  const name = elideMiddle(shownLabel(method.label), MOST_SHOWN);
  if (shown === undefined) return null;
  const { lines } = shown;
  if (lines === undefined)
    return (
      <EmptyState
        title={`\u201c${name}\u201d has no source`}
        text="It is not a method of a class, or all its samples are outside the scope."
      />
    );
  const about = { lines, measure, location: locationOf(lines, measure.metric) };
  if (text !== undefined && answer?.kind === 'found')
    return (
      <SourceView
        key={`${answer.place} ${lines.className} ${lines.methodName}`}
        {...about}
        file={answer}
        line={isOfMethod(sourceLine, lines) ? sourceLine.line : undefined}
        text={text}
        javaVersion={javaVersion}
      />
    );
  const isLost = connection === 'lost' || connection === 'closed';
  if (
    answer === undefined &&
    !isLost &&
    sources !== undefined &&
    wanted !== undefined &&
    search !== undefined
  )
    return (
      <p className="source-searching" role="status">
        Looking for the source of {name}…
      </p>
    );
  return (
    <RecordedLines
      {...about}
      location={about.location()}
      name={name}
      why={isLost || sources === undefined ? NO_HOST : whyMissing(answer)}
      canAdd={!isLost && sources !== undefined}
    />
  );
}

function isOfMethod(line: SourceLine | undefined, lines: MethodLines): line is SourceLine {
  return line?.className === lines.className && line.methodName === lines.methodName;
}

const NO_HOST =
  'Sources are read by Leanscope on this machine, which this page has no connection to. Open the file in the desktop ' +
  'program, or with leanscope serve.';

const NO_FILE_NAME = 'Its class has no name that a file can have.';

function whyMissing(answer: SourceAnswer | undefined): string {
  if (answer?.kind !== 'missing' || answer.fileNames.length === 0) return NO_FILE_NAME;
  const { fileNames, problems } = answer;
  const names = fileNames.map(printable);
  const either = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return [`No ${either} of its package was found.`, ...problems].join(' ');
}

/** `Shop.parse(Shop.java:42)`, with the hottest line, as Java prints it. */
function locationOf(
  { className, methodName, files }: MethodLines,
  metric: Metric,
): (line?: number) => string {
  const [{ file }] = files;
  const name = className === '' ? methodName : `${className}.${methodName}`;
  return (line = hottestLine(files[0], metric)) => {
    if (file === '' || file === 'UnknownFile') return printable(name);
    return printable(`${name}(${line === undefined ? file : `${file}:${line}`})`);
  };
}

/** Lines that are listed; a method with more is rare, and nobody reads them without its source. */
const MOST_LINES = 200;

interface RecordedLinesProps {
  readonly lines: MethodLines;
  readonly measure: Measure;
  /** `Shop.parse(Shop.java:42)`, with the hottest line. */
  readonly location: string;
  readonly name: string;
  /** Why there is no source. */
  readonly why: string;
  readonly canAdd: boolean;
}

/** In place of a source that was not found: why, what to do, and the lines that the profile recorded. */
function RecordedLines(props: RecordedLinesProps): ReactNode {
  const { lines, measure, location, name, why, canAdd } = props;
  const content = useRef<HTMLDivElement>(null);
  useEnteredFocus(content);
  const [file] = lines.files;
  const hottest = hottestLines(file, measure.metric);
  return (
    <div
      ref={content}
      className="source-missing"
      data-testid="source-missing"
      tabIndex={0}
      role="region"
      aria-label={name}
    >
      <strong>The source of {name} was not found</strong>
      <p>{[why, ...aboutLines(lines, measure.units)].join(' ')}</p>
      <div className="source-commands">
        {canAdd && (
          <Button className="button-primary" onClick={() => openDialog({ kind: 'sources' })}>
            Add sources…
          </Button>
        )}
        <Button icon="copy" onClick={() => void copyText(location)}>
          Copy {location}
        </Button>
      </div>
      {hottest.length > 0 && (
        <table className="source-recorded">
          <caption>Recorded lines, the hottest first</caption>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Self</th>
              <th scope="col">Total</th>
            </tr>
          </thead>
          <tbody>
            {hottest.slice(0, MOST_LINES).map((line) => (
              <tr key={line.line}>
                <th scope="row">{line.line}</th>
                <td>{valueText(line, measure, 'self').text}</td>
                <td>{valueText(line, measure, 'total').text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
