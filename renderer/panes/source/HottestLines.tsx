import type { ReactNode } from 'react';
import { openSource } from '../../store/detail-actions.ts';
import { enterPaneWhenShown } from '../enter-pane.ts';
import type { PaneLog } from '../pane-log.ts';
import { cellOf } from '../../../shared/engine/columns/columns.ts';
import { hottestLines, rankedBy } from './line-rows.ts';
import { useLineMeasure } from './use-line-measure.ts';
import { valueText } from './value-text.ts';
import './hottest-lines.css';

const MOST_LINES = 8;

/** The lines of the method with the largest values, in a row above its callers; empty for one without lines. */
export function HottestLines({ log }: { readonly log: PaneLog<'linesAsked'> }): ReactNode {
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
