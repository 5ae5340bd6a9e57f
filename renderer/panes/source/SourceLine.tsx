import { type CSSProperties, memo, type ReactNode } from 'react';
import type { SourceLine as LineValues } from '../../../shared/engine/views/line-sums.ts';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import type { Token } from './source-text.ts';
import { valueText } from './value-text.ts';

interface SourceLineProps {
  /** From 1. */
  readonly line: number;
  readonly top: number;
  /** undefined: no samples are at this line. */
  readonly values: LineValues | undefined;
  readonly tokens: readonly Token[];
  readonly measure: Measure;
  readonly isCurrent: boolean;
  /** Of the file. */
  readonly lineCount: number;
}

export function lineElementId(line: number): string {
  return `source-line-${line}`;
}

/** One line of a source file: its self and total samples or time, its number, its text. */
export const SourceLine = memo(function SourceLine(props: SourceLineProps): ReactNode {
  const { line, values, tokens, measure } = props;
  const self = valueText(values, measure, 'self');
  const total = valueText(values, measure, 'total');
  const spoken = [self.spoken, total.spoken].filter((each) => each !== '').join('; ');
  return (
    <div
      id={lineElementId(line)}
      className="source-line"
      role="option"
      aria-selected={props.isCurrent}
      aria-posinset={line}
      aria-setsize={props.lineCount}
      aria-description={spoken === '' ? undefined : spoken}
      data-line={line}
      style={{ top: props.top, '--self': self.bar, '--total': total.bar } as CSSProperties}
    >
      <span className="source-gutter" title={spoken === '' ? undefined : spoken}>
        <span className="source-value source-self">{self.text}</span>
        <span className="source-value source-total">{total.text}</span>
        <span className="source-number">{line}</span>
      </span>
      <code>
        {tokens.map(({ kind, text }, at) =>
          kind === 'plain' ? (
            text
          ) : (
            // Tokens of a line never change places.
            <span key={at} className={`code-${kind}`}>
              {text}
            </span>
          ),
        )}
      </code>
    </div>
  );
});
