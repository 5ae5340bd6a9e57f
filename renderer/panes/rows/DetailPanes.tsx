import type { MethodRef } from '../../../shared/engine/query.ts';
import { memo, type ReactNode } from 'react';
import { formatCount } from '../../../shared/text/format-value.ts';
import { elideMiddle, shownLabel, splitFrameLabel } from '../../../shared/text/format-frame.ts';
import { askForLines, backToDetail, openSource } from '../../store/detail-actions.ts';
import { detailOf, showsHottestLines } from '../../store/selectors.ts';
import { EmptyState } from '../../widgets/EmptyState.tsx';
import { enterPane, enterPaneWhenShown } from '../enter-pane.ts';
import { drawsSame, type PaneLog } from '../pane-log.ts';
import { RememberedSplit } from '../RememberedSplit.tsx';
import { RowsPane } from './RowsPane.tsx';
import { cellOf } from '../../../shared/engine/columns/columns.ts';
import { hottestLines, rankedBy } from '../source/line-rows.ts';
import { useLineMeasure } from '../source/use-line-measure.ts';
import { valueText } from '../source/value-text.ts';
import './detail.css';
import '../source/hottest-lines.css';

const MOST_CRUMBS = 4;
/** Longest name in a title, characters. */
const MOST_SHOWN = 60;

type DetailLog = PaneLog<'detail' | 'scope' | 'linesAsked'>;

/** Who calls the selected method, and below that what it calls. */
export function DetailPanes({ log }: { readonly log: DetailLog }): ReactNode {
  const method = detailOf(log);
  if (method === undefined) return <NoDetail />;
  // Another method starts at the top.
  const about = `${method.of} ${method.id} ${method.label}`;
  return (
    <div className="detail-panes">
      {showsHottestLines(log) ? <HottestLines log={log} /> : <LinesOnRequest nodes={log.summary?.nodes} />}
      <div className="detail-halves">
        <RememberedSplit
          name="detail"
          direction="rows"
          label="Resize the callers"
          usualShare={55}
          leastSize={60}
        >
          <CallersPane key={`callers ${about}`} log={log} />
          <CalleesPane key={`callees ${about}`} log={log} />
        </RememberedSplit>
      </div>
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

const CallersPane = memo(
  function CallersPane({ log }: { readonly log: DetailLog }): ReactNode {
    return <DetailRows pane="callers" label="Callers" log={log} />;
  },
  drawsSame('callers', ['detail']),
);

const CalleesPane = memo(
  function CalleesPane({ log }: { readonly log: DetailLog }): ReactNode {
    return <DetailRows pane="callees" label="Callees" log={log} />;
  },
  drawsSame('callees', ['detail']),
);

interface DetailRowsProps {
  readonly pane: 'callers' | 'callees';
  readonly label: string;
  readonly log: DetailLog;
}

function DetailRows({ pane, label, log }: DetailRowsProps): ReactNode {
  const method = detailOf(log);
  const name = elideMiddle(shownLabel(method?.label ?? ''), MOST_SHOWN);
  const isLoaded = log.panes[pane].shown !== undefined;
  return (
    <RowsPane
      pane={pane}
      label={label}
      rowsLabel={`${label} of ${name}`}
      log={log}
      about={method?.label}
      empty={
        isLoaded && (
          <EmptyState
            title={`\u201c${name}\u201d is not here`}
            text="The scope or hidden errors leave all its samples out."
          />
        )
      }
    />
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
  const skipped = Math.max(0, path.length - MOST_CRUMBS);
  return (
    <nav className="breadcrumb detail-path" aria-label={pathLabel} data-testid="detail-path">
      {skipped > 0 && <span className="crumb-skipped">…{skipped} more</span>}
      {path.slice(skipped).map(({ label }, index) => {
        const at = skipped + index;
        const { name } = splitFrameLabel(label);
        return (
          <button
            key={`${at} ${label}`}
            type="button"
            className="crumb"
            title={shownLabel(label)}
            aria-current={at === path.length - 1 ? 'page' : undefined}
            disabled={at === path.length - 1}
            onClick={() => backToDetail(at)}
          >
            {shownLabel(name)}
          </button>
        );
      })}
    </nav>
  );
}

const MOST_LINES = 8;

/** The lines of the method with the largest values, in a row above its callers; empty for one without lines. */
function HottestLines({ log }: { readonly log: PaneLog<'linesAsked'> }): ReactNode {
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
                    {line.line} <b>{valueText(line, measure, of).text}</b>{' '}
                    <b>{cellOf(`${of}Share`, line, measure).text} %</b>
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
