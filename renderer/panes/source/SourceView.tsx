import type { MethodLines } from '../../../shared/engine/query.ts';
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { SourceAnswer } from '../../../shared/protocol/source-messages.ts';
import type { SourceLine } from '../../../shared/engine/views/line-sums.ts';
import { copyText, openDialog, note } from '../../store/actions/actions.ts';
import { editSource } from '../../store/source-search.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { Icon } from '../../widgets/icons.tsx';
import { VirtualRows } from '../../widgets/VirtualRows.tsx';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import { aboutLines, hottestLineIn, mismatch, otherRelease, sampledLine } from './line-rows.ts';
import { columnsOf, declarationOf, shownTokens, type SourceText, type Token } from './source-text.ts';
import './source-view.css';
import { sourceKey } from '../pane-keys.ts';
import { Button } from '../../widgets/Button.tsx';
import { valueText } from './value-text.ts';
import { take } from '../../widgets/key-name.ts';
import { useEnteredFocus } from '../enter-pane.ts';

/** CSS pixels, as in source-view.css. */
const LINE_HEIGHT = 20;
/** Lines above the one that is scrolled to. */
const LINES_ABOVE = 6;

interface SourceViewProps {
  readonly lines: MethodLines;
  readonly measure: Measure;
  /** A line as text, `Shop.parse(Shop.java:42)`; without `line` the hottest one. */
  readonly location: (line?: number) => string;
  readonly file: Extract<SourceAnswer, { readonly kind: 'found' }>;
  readonly text: SourceText;
  /** The line at which the view begins; undefined: the hottest line. */
  readonly line: number | undefined;
  /** Version of the Java that ran the program, if that is known. */
  readonly javaVersion: string | undefined;
}

/** A source file, scrolled to a line of the method. Only the lines on screen are in the document. */
export function SourceView(props: SourceViewProps): ReactNode {
  const { lines, measure, location, file, text, line, javaVersion } = props;
  const [recorded] = lines.files;
  const release = otherRelease(javaVersion, file.jdk);
  const first = useMemo(
    () =>
      Math.min(
        line ?? hottestLineIn(text, recorded, measure.metric) ?? declarationOf(text, lines.methodName) ?? 1,
        text.lines.length,
      ),
    // Where it begins: growth must not move it.
    // oxlint-disable-next-line react/exhaustive-deps
    [],
  );
  // A view that is opened again begins at the hottest line.
  useEffect(() => () => note({ sourceLine: undefined }), []);
  // No line is chosen at first in the source of another release, whose lines may be wrong.
  const [chosen, setCurrent] = useState(release === undefined ? first : undefined);
  // The file may have become shorter.
  const current = Math.max(1, Math.min(chosen ?? first, text.lines.length));
  const [reveal, setReveal] = useState<{ readonly at: number; readonly start: number }>();
  const columns = useMemo(() => columnsOf(text), [text]);
  const valuesAt = useMemo(
    () => new Map<number, SourceLine>(recorded.lines.map((values) => [values.line, values])),
    [recorded],
  );
  const tokensAt = useMemo(() => tokenCache(text), [text]);
  const unfit = useMemo(() => mismatch(text, recorded), [text, recorded]);
  const warning = [release, unfit].filter((each) => each !== undefined).join(' ');
  const lineNumbers = useMemo(() => text.lines.map((_, at) => at + 1), [text]);

  function go(line: number | undefined): void {
    if (line === undefined || text.lines.length === 0) return;
    const to = Math.max(1, Math.min(line, text.lines.length));
    setCurrent(to);
    setReveal({ at: to - 1, start: to - 1 });
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / LINE_HEIGHT) - 1);
    const action = sourceKey(event);
    if (action === undefined) return;
    take(event);
    switch (action.type) {
      case 'by':
        return go(current + action.lines * (action.isPage ? page : 1));
      case 'first':
        return go(1);
      case 'last':
        return go(text.lines.length);
      case 'sampled':
        return go(sampledLine(recorded, current, action.step));
      case 'hottest':
        return release === undefined ? go(hottestLineIn(text, recorded, measure.metric)) : undefined;
      case 'edit':
        return editSource(current);
      case 'copy':
        return void copyText(location(current));
    }
  }

  return (
    <>
      <FileBar file={file} line={current} location={location(current)} />
      {warning !== '' && (
        <p className="source-warning" role="status" data-testid="source-mismatch">
          <Icon name="warning" />
          {warning}
        </p>
      )}
      <p className="source-notes">
        {[...file.notes, ...aboutLines(lines, measure.units)].map((note) => (
          <span key={note}>{note}</span>
        ))}
      </p>
      <div className="source-header" aria-hidden="true">
        <span>Self</span>
        <span>Total</span>
        <span>Line</span>
      </div>
      <VirtualRows
        total={text.lines.length}
        rowHeight={LINE_HEIGHT}
        rows={lineNumbers}
        renderRow={(line, at, top) => (
          <SourceLine
            line={line}
            top={top}
            values={valuesAt.get(line)}
            tokens={tokensAt(at)}
            measure={measure}
            isCurrent={chosen !== undefined && line === current}
            lineCount={text.lines.length}
          />
        )}
        reveal={reveal}
        active={chosen === undefined ? undefined : { at: current - 1, elementId: lineElementId(current) }}
        initialPosition={Math.max(0, first - 1 - LINES_ABOVE) * LINE_HEIGHT}
        container={{
          tabIndex: 0,
          role: 'listbox',
          'aria-label': `Source of ${lines.methodName}, ${file.name}`,
          className: 'source-lines',
          style: { '--columns': columns } as CSSProperties,
          onKeyDown,
          onMouseDown: (event) => {
            const line = (event.target as HTMLElement).closest<HTMLElement>('[data-line]')?.dataset.line;
            if (line !== undefined) setCurrent(Number(line));
          },
        }}
      />
    </>
  );
}

/** The file, and what can be done with it. */
function FileBar(props: {
  readonly file: SourceViewProps['file'];
  readonly line: number;
  readonly location: string;
}): ReactNode {
  const { file, line, location } = props;
  const bar = useRef<HTMLDivElement>(null);
  useEnteredFocus(bar);
  const editor = useWindow(({ sources }) => sources?.editors.find(({ id }) => id === sources.editor));
  return (
    <div ref={bar} className="source-bar">
      <strong>{file.name}</strong>
      <span className="source-place" title={file.place}>
        <bdi>{file.place}</bdi>
      </span>
      <Button className="button-small" label={`Copy ${location}`} onClick={() => void copyText(location)}>
        <Icon name="copy" />
      </Button>
      {editor !== undefined && (
        <Button
          className="button-small"
          testId="edit-source"
          title={`Open line ${line} in ${editor.name} (Enter)`}
          onClick={() => editSource(line)}
        >
          Open in editor
        </Button>
      )}
      <Button className="button-small" testId="open-sources" onClick={() => openDialog({ kind: 'sources' })}>
        Sources…
      </Button>
    </div>
  );
}

/** Tokens by line, kept while the text is shown: lines are drawn again at each growth of the log. */
function tokenCache(text: SourceText): (at: number) => readonly Token[] {
  const known = new Map<number, readonly Token[]>();
  return (at) => {
    const tokens = known.get(at) ?? shownTokens(text, at);
    known.set(at, tokens);
    return tokens;
  };
}

interface SourceLineProps {
  /** From 1. */
  readonly line: number;
  readonly top: number;
  /** undefined: no samples are at this line. */
  readonly values: SourceLine | undefined;
  readonly tokens: readonly Token[];
  readonly measure: Measure;
  readonly isCurrent: boolean;
  /** The number of lines in the file. */
  readonly lineCount: number;
}

function lineElementId(line: number): string {
  return `source-line-${line}`;
}

/** One line of a source file: its self and total samples or time, its number, its text. */
const SourceLine = memo(function SourceLine(props: SourceLineProps): ReactNode {
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
