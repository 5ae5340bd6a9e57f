import type { MethodRef } from '../../../shared/engine/query.ts';
import { memo, type ReactNode } from 'react';
import { formatCount } from '../../../shared/text/format-value.ts';
import { elideMiddle, shownLabel, splitFrameLabel } from '../../../shared/text/format-frame.ts';
import { askForLines, backToDetail } from '../../store/detail-actions.ts';
import { detailOf, showsHottestLines } from '../../store/selectors.ts';
import { EmptyState } from '../../widgets/EmptyState.tsx';
import { enterPane } from '../enter-pane.ts';
import { drawsSame, type PaneLog } from '../pane-log.ts';
import { RememberedSplit } from '../RememberedSplit.tsx';
import { HottestLines } from '../source/HottestLines.tsx';
import { RowsPane } from './RowsPane.tsx';
import './detail.css';

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
