import { Fragment, type ReactNode } from 'react';
import { type FactTable, factText, listedFacts } from '../../shared/facts/format-facts.ts';
import { healthOf, type PartOfSamples } from '../../shared/facts/health.ts';
import { precisionText, shareCertainty } from '../../shared/engine/columns/precision.ts';
import {
  capitalised,
  formatBytes,
  formatCount,
  formatQuantity,
  formatShare,
  formatSpan,
} from '../../shared/text/format-value.ts';
import { toggleDialog } from '../store/actions/actions.ts';
import { isConnected, isPartial, shownState, shownSummary, unitsOf } from '../store/state/selectors.ts';
import { closeLog } from '../store/actions/tab-actions.ts';
import { shownName } from '../store/state/log-names.ts';
import type { LogView } from '../store/state/window-state.ts';
import { useIsOpen, useWindow } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { tipOf } from './commands.ts';
import { restartText, StateMark, stateText } from './log-state.tsx';
import { useLogMenu } from './use-log-menu.tsx';
import './details.css';

/** The log's state, and its name when there are no tabs. The panel below has all details of the file. */
export function Details({ log }: { readonly log: LogView }): ReactNode {
  const hasTabs = useWindow((state) => state.logs.length > 1);
  const { tone, text } = stateText(
    log,
    useWindow((state) => isConnected(state, log)),
  );
  // Nothing happens in a file that has not grown here: beside its name, the dot says that.
  const isUsual = !hasTabs && !log.hasGrown && tone === 'quiet' && shownState(log) === 'idle';
  const { menu, onContextMenu } = useLogMenu(log);
  return (
    <div className="log-chip line" onContextMenu={onContextMenu}>
      <Popover
        label="Details"
        isOpen={useIsOpen('details')}
        onToggle={(isOpen) => toggleDialog('details', isOpen)}
        button={
          <>
            <StateMark tone={tone} />
            {hasTabs ? (
              <span className="unseen">Details, </span>
            ) : (
              <>
                <ElidedText className="chip-name" text={shownName(log)} />
                <span className="unseen">, </span>
              </>
            )}
            <span className={isUsual ? 'unseen' : 'chip-text cut'}>{text}</span>
            <Icon name="down" />
          </>
        }
        className={`button chip status-chip tone-${tone}`}
        testId="status-chip"
        data-tone={tone}
        data-state={shownState(log)}
        tip={tipOf('details', 'Details')}
        panelClass="details"
        panelTestId="details"
      >
        {() => <DetailsPanel log={log} />}
      </Popover>
      {!hasTabs && (
        <Button icon="close" className="log-close" label="Close" onClick={() => closeLog(log.key)} />
      )}
      {menu}
    </div>
  );
}

/** All that is known about a file beside its samples: state, numbers, what it lacks, notes, tables. */
function DetailsPanel({ log }: { readonly log: LogView }): ReactNode {
  const { detail, notes = [], notRecorded = [], tables = [] } = log.status ?? {};
  return (
    <>
      <h2>{log.name}</h2>
      <p className="dim">{log.folder}</p>
      {detail !== undefined && (
        <p className="details-problem line">
          <Icon name="warning" />
          <span>{detail}</span>
        </p>
      )}
      <dl className="facts" data-testid="log-facts">
        {logFacts(log).map(([name, value]) => (
          <Fragment key={name}>
            <dt className="dim">{name}</dt>
            <dd className="numbers">{value}</dd>
          </Fragment>
        ))}
      </dl>
      <Health log={log} />
      <Texts title="Notes" texts={notes} />
      <Texts title="Not recorded in this format" texts={notRecorded.map(capitalised)} />
      {tables.map(listedFacts).map((table) => (
        <Facts key={table.title} {...table} />
      ))}
    </>
  );
}

function Texts({ title, texts }: { readonly title: string; readonly texts: readonly string[] }): ReactNode {
  if (texts.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul className="bullets">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

function Facts({ title, columns, rows, leftOut }: FactTable): ReactNode {
  const classOf = (column: number): string | undefined =>
    columns[column].kind === 'text' ? undefined : 'details-number';
  return (
    <section>
      <h3>{title}</h3>
      <div className="details-scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              {columns.map(({ name }, column) => (
                <th key={name} scope="col" className={classOf(column)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.map((value, column) => {
                  const text = factText(value, columns[column].kind);
                  return (
                    <td key={column} className={classOf(column)} title={text}>
                      {text}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {leftOut > 0 && <p className="dim">and {formatQuantity(leftOut, 'more row')}</p>}
    </section>
  );
}

/** The losses of a log and why they matter, and how exactly its shares are known. */
function Health({ log }: { readonly log: LogView }): ReactNode {
  const { status, summary } = log;
  if (status?.format === undefined) return null;
  const units = unitsOf(log);
  const items = healthOf(status);
  const restart = restartText(log);
  const restarts = status.restart?.count ?? 0;
  const precision = summary && precisionText(shownSummary(summary).samples, units);
  /** A loss, or a part of one. `samples`: how exactly the share is known of which the amount tells. */
  const loss = (
    text: ReactNode,
    amount: string,
    samples: PartOfSamples | undefined,
    why: ReactNode,
  ): ReactNode => (
    <>
      <p className="health-title line wrap numbers">
        {text} <span data-tip={samples && shareCertainty(samples.part, samples.whole, units)}>{amount}</span>
      </p>
      <p>{why}</p>
    </>
  );
  return (
    <section data-testid="health">
      <h3>What was lost</h3>
      {items.length === 0 && restart === undefined && (
        <p>{isPartial(log) ? 'Nothing so far.' : 'Nothing: all of the file was used.'}</p>
      )}
      {restart !== undefined && (
        <div className="health-item mid" data-health="restart">
          {loss(
            <strong>Restart</strong>,
            restarts > 1 ? formatQuantity(restarts, 'time') : '',
            undefined,
            `${restarts > 1 ? 'The last one: ' : ''}${restart}`,
          )}
        </div>
      )}
      {items.map(({ id, title, amount, samples, why, advice, parts }) => (
        <div key={`${id} ${amount} ${why}`} className="health-item mid" data-health={id}>
          {loss(<strong>{title}</strong>, amount, samples, [why, ' ', advice])}
          {parts.map((part) => (
            <div key={part.title} className="health-part">
              {loss(<span>{part.title}</span>, part.amount, part.samples, [part.why, ' ', part.advice])}
              {part.threads !== '' && <p className="health-threads">Threads: {part.threads}</p>}
            </div>
          ))}
        </div>
      ))}
      {precision !== undefined && (
        <>
          <h3>How exact shares are</h3>
          <p data-testid="precision">{precision}</p>
        </>
      )}
    </section>
  );
}

/**
 * Known facts about a file's content and size; unknown ones are left out. What it lacks: see `healthOf`. Samples can come
 * before the first status, and a host can end between the two.
 */
export function logFacts(log: LogView): readonly (readonly [name: string, value: string])[] {
  const { status, summary } = log;
  const facts: [string, string][] = [];
  const add = (name: string, value: string): void => void facts.push([name, value]);
  if (status !== undefined) {
    const { fileBytes, readBytes, acceptedBytes } = status;
    if (status.formatName !== '') add('Format', status.formatName);
    const size = acceptedBytes + status.skippedBytes + status.pendingBytes;
    add(
      'File',
      `${formatBytes(fileBytes)}${readBytes < fileBytes ? `, ${formatBytes(readBytes)} read` : ''}`,
    );
    if (size !== fileBytes && size > 0) add('Unpacked', formatBytes(size));
    if (acceptedBytes < size)
      add('Used', `${formatBytes(acceptedBytes)} (${formatShare(acceptedBytes, size, 1)})`);
  }
  if (summary !== undefined && summary.samples > 0) {
    add(capitalised(unitsOf(log).counted.many), formatCount(summary.samples));
    add('Threads', formatCount(summary.threads));
    add('Methods', formatCount(summary.methods));
    add('Call nodes', formatCount(summary.nodes));
  }
  if (status !== undefined && status.deepestStack > 0)
    add('Deepest stack', formatQuantity(status.deepestStack, 'frame'));
  if (status?.spanNs !== undefined) add('Span', formatSpan(status.spanNs));
  return facts;
}
