import type { MethodRef } from '../../../shared/engine/query.ts';
import type { ReactNode } from 'react';
import { PATTERN_MEANINGS, PATTERN_TEXTS } from '../../../shared/engine/views/time-pattern.ts';
import { poolsText } from '../../../shared/summary/summary-text.ts';
import { formatCount } from '../../../shared/text/format-value.ts';
import { backToDetail, openSource } from '../../store/actions/detail-actions.ts';
import { showsHottestLines } from '../../store/state/selectors.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { EmptyState } from '../../widgets/EmptyState.tsx';
import { enterPane, enterPaneWhenShown } from '../enter-pane.ts';
import { TimesDrawing } from '../TimesDrawing.tsx';
import { cellOf } from '../../../shared/engine/columns/columns.ts';
import { hottestLines, rankedBy } from '../source/line-rows.ts';
import { useLineMeasure, valueText } from '../source/value-text.ts';
import './detail.css';
import '../source/hottest-lines.css';
import { Breadcrumb } from '../Breadcrumb.tsx';
import { changeActive } from '../../store/actions/actions.ts';

const MOST_CRUMBS = 4;

/** Above the callers and callees of a method: the threads that have it on their stacks, and the lines where its samples are. */
export function FactsOfDetail({ log }: { readonly log: LogView }): ReactNode {
  const about = log.about?.method?.about;
  const threads = about === undefined ? '' : poolsText(about);
  return (
    <div className="detail-facts">
      {threads !== '' && (
        <span
          className="detail-threads"
          data-testid="detail-threads"
          data-tip={`Threads that have it on their stacks: ${threads}`}
        >
          {threads}
        </span>
      )}
      {showsHottestLines(log) ? <HottestLines log={log} /> : <LinesOnRequest nodes={log.summary?.nodes} />}
    </div>
  );
}

/** In place of the hottest lines where they cost a copy of all call nodes. */
function LinesOnRequest({ nodes }: { readonly nodes: number | undefined }): ReactNode {
  if (nodes === undefined) return null;
  const size = formatCount(nodes);
  return (
    <div className="lines-on-request">
      <button
        type="button"
        data-testid="show-hottest-lines"
        data-tip={`Because stacks are changed or compared here, counting lines needs a copy of all ${size} call nodes.`}
        onClick={() => {
          askForLines();
          // The button goes.
          enterPane('callers');
        }}
      >
        Show hottest lines
      </button>
    </div>
  );
}

/** No method is selected yet. */
export function NoDetail(): ReactNode {
  return (
    <section className="pane" aria-label="Callers and callees" data-testid="detail-empty">
      <EmptyState
        title="Select a method"
        text="Its callers and callees appear here. Select a row or a frame in any pane."
      />
    </section>
  );
}

/** The methods that were opened one from the other, the first on the left; a click goes back. */
export function DetailPath({
  path,
  label: pathLabel,
}: {
  readonly path: readonly MethodRef[];
  readonly label: string;
}): ReactNode {
  const crumbs = path.map(({ label }, at) => ({ label, run: () => backToDetail(at) }));
  return <Breadcrumb label={pathLabel} testId="detail-path" crumbs={crumbs} first={0} most={MOST_CRUMBS} />;
}

const MOST_LINES = 8;

/** The lines of the method with the largest values, in a row above its callers; empty for one without lines. */
function HottestLines({ log }: { readonly log: LogView }): ReactNode {
  const { shown } = log.panes.source;
  const lines = shown?.lines;
  const measure = useLineMeasure(log, lines);
  const hottest =
    lines === undefined ? [] : hottestLines(lines.files[0], measure.metric).slice(0, MOST_LINES);
  const method = { className: lines?.className ?? '', methodName: lines?.methodName ?? '' };
  const of = rankedBy(hottest, measure.metric);
  return (
    <div className="hottest-lines" data-testid="hottest-lines">
      {hottest.length === 0 && log.linesAsked !== undefined && (
        <span role="status">
          {shown === undefined ? 'Counting lines…' : 'This scope has no lines of the method'}
        </span>
      )}
      {hottest.length > 0 && (
        <>
          <span aria-hidden="true">Hottest lines, {of}</span>
          <ul aria-label={`Hottest lines, ${of}`}>
            {hottest.map((line) => {
              const spoken = (['self', 'total'] as const).map(
                (each) => valueText(line, measure, each).spoken,
              );
              const about = `Line ${line.line}. ${spoken.filter((text) => text !== '').join('. ')}`;
              return (
                <li key={line.line}>
                  <button
                    type="button"
                    aria-description={about}
                    data-tip={`${about}. Click to see it in its source.`}
                    onClick={() => {
                      openSource(undefined, { ...method, line: line.line });
                      enterPaneWhenShown('source');
                    }}
                  >
                    Line {line.line} <b>{cellOf(`${of}Share`, line, measure).text} %</b>{' '}
                    {valueText(line, measure, of).text}
                  </button>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
}

/** CSS pixels; as in detail.css. */
const WIDTH = 72;
const HEIGHT = 14;

/** When the method that is shown had its samples, as a drawing and in a word. */
export function DetailTimes({ log }: { readonly log: Pick<LogView, 'about' | 'baseline'> }): ReactNode {
  const { about, baseline } = log;
  const when = about?.method?.about?.when;
  if (when === undefined) return null;
  const { counts, pattern } = when;
  const without = baseline === undefined ? '' : ', without those of the baseline';
  const meaning = pattern === undefined ? '' : ` ${PATTERN_MEANINGS[pattern]}`;
  return (
    <span
      className="detail-times"
      data-testid="detail-times"
      data-tip={`When the method has samples, over the time range${without}.${meaning}`}
    >
      <TimesDrawing counts={counts} width={WIDTH} height={HEIGHT} />
      {pattern && PATTERN_TEXTS[pattern]}
    </span>
  );
}

/** Shows the hottest lines of methods, whatever they cost, until the scope changes stacks in another way. */
function askForLines(): void {
  changeActive((log) => ({
    ...log,
    linesAsked: { transforms: log.scope.transforms, base: log.baseline?.log },
  }));
}
