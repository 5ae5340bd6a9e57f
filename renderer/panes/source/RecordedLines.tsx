import type { MethodLines } from '../../../shared/engine/query.ts';
import { type ReactNode, useRef } from 'react';
import { copyText } from '../../store/actions.ts';
import { openDialog } from '../../store/actions.ts';
import { Icon } from '../../widgets/icons.tsx';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import { aboutLines, hottestLines } from './line-rows.ts';
import { useEnteredFocus } from './use-entered-focus.ts';
import { valueText } from './value-text.ts';

/** Lines that are listed; a method with more is rare, and nobody reads them without its source. */
const MOST_LINES = 200;

interface RecordedLinesProps {
  readonly lines: MethodLines;
  readonly measure: Measure;
  /** `Shop.parse(Shop.java:42)`; of the hottest line if none is given. */
  readonly location: (line?: number) => string;
  readonly name: string;
  /** Why there is no source. */
  readonly why: string;
  readonly canAdd: boolean;
}

/** In place of a source that was not found: why, what to do, and the lines that the profile recorded. */
export function RecordedLines(props: RecordedLinesProps): ReactNode {
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
          <button
            type="button"
            className="button button-primary"
            onClick={() => openDialog({ kind: 'sources' })}
          >
            Add sources…
          </button>
        )}
        <button type="button" className="button" onClick={() => void copyText(location())}>
          <Icon name="copy" />
          Copy {location()}
        </button>
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
