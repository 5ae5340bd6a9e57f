import type { ReactNode } from 'react';
import { toggleDialog } from '../store/actions.ts';
import { closeLog } from '../store/tab-actions.ts';
import { shownName } from '../store/log-names.ts';
import { isConnected, isPartial, shownState, shownSummary, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useIsOpen, useWindow } from '../store/window-store.ts';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { useLogMenu } from './use-log-menu.tsx';
import { stateText } from './log-state.ts';
import { StateMark } from './StateMark.tsx';
import { type FactTable, factText, listedFacts } from '../../shared/facts/format-facts.ts';
import {
  capitalised,
  formatBytes,
  formatCount,
  formatQuantity,
  formatShare,
  formatSpan,
} from '../../shared/text/format-value.ts';
import { tipOf } from './commands.ts';
import './details.css';
import { type HealthItem, healthOf, type HealthPart, type PartOfSamples } from '../../shared/facts/health.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { precisionText, shareCertainty } from '../../shared/engine/columns/precision.ts';
import { restartText } from './restart-text.ts';
import { Button } from '../widgets/Button.tsx';
import type { LogStatus } from '../../shared/protocol/messages.ts';

const toggle = (isOpen: boolean): void => toggleDialog('details', isOpen);

/** The log's state, and its name when there are no tabs. The panel below has all details of the file. */
export function StatusChip({ log }: { readonly log: LogView }): ReactNode {
  const isOpen = useIsOpen('details');
  const hasTabs = useWindow((state) => state.logs.length > 1);
  const { tone, text } = stateText(
    log,
    useWindow((state) => isConnected(state, log)),
  );
  const { menu, onContextMenu } = useLogMenu(log);
  return (
    <div className="log-chip" onContextMenu={onContextMenu}>
      <Popover
        label="Details"
        isOpen={isOpen}
        onToggle={toggle}
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
            <span className="chip-text">{text}</span>
            <Icon name="down" />
          </>
        }
        buttonClass={`chip status-chip tone-${tone}`}
        buttonProps={{
          'data-testid': 'status-chip',
          'data-tone': tone,
          'data-state': shownState(log),
          'data-tip': tipOf('details', 'Details'),
        }}
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
  const { status } = log;
  const problem = status?.detail;
  return (
    <>
      <div>
        <h2>{log.name}</h2>
        <p className="details-folder">{log.folder}</p>
      </div>
      {problem !== undefined && (
        <p className="details-problem">
          <Icon name="warning" />
          <span>{problem}</span>
        </p>
      )}
      <dl className="facts" data-testid="log-facts">
        {logFacts(log).map((fact) => (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <dd>{fact.value}</dd>
          </div>
        ))}
      </dl>
      <Health log={log} />
      {status !== undefined && status.notes.length > 0 && (
        <section>
          <h3>Notes</h3>
          {status.notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </section>
      )}
      {status !== undefined && status.notRecorded.length > 0 && (
        <section>
          <h3>Not recorded in this format</h3>
          <ul>
            {status.notRecorded.map((clause) => (
              <li key={clause}>{capitalised(clause)}</li>
            ))}
          </ul>
        </section>
      )}
      {(status?.tables ?? []).map(listedFacts).map((table) => (
        <Facts key={table.title} table={table} />
      ))}
    </>
  );
}

function Facts({ table }: { readonly table: FactTable }): ReactNode {
  const { title, columns, rows, leftOut } = table;
  return (
    <section>
      <h3>{title}</h3>
      <div className="details-scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              {columns.map(({ name, kind }) => (
                <th key={name} scope="col" className={kind === 'text' ? undefined : 'details-number'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.map((value, column) => {
                  const { name, kind } = columns[column];
                  const text = factText(value, kind);
                  return (
                    <td key={name} className={kind === 'text' ? undefined : 'details-number'} title={text}>
                      {text}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {leftOut > 0 && <p className="details-more">and {formatQuantity(leftOut, 'more row')}</p>}
    </section>
  );
}

/** The losses of a log and why they matter, and how exactly its shares are known. */
function Health({ log }: { readonly log: LogView }): ReactNode {
  const { status, summary } = log;
  if (status?.format === undefined) return null;
  const items = healthOf(status);
  const restart = restartText(log);
  const restarts = status.restart?.count ?? 0;
  const precision = summary && precisionText(shownSummary(summary).samples, unitsOf(log));
  return (
    <section data-testid="health">
      <h3>What was lost</h3>
      {items.length === 0 && restart === undefined && (
        <p>{isPartial(log) ? 'Nothing so far.' : 'Nothing: all of the file was used.'}</p>
      )}
      {restart !== undefined && (
        <div className="health-item" data-health="restart">
          <Title title="Restart" amount={restarts > 1 ? formatQuantity(restarts, 'time') : ''} />
          <p>
            {restarts > 1 && 'The last one: '}
            {restart}
          </p>
        </div>
      )}
      {items.map((item) => (
        <Item key={`${item.id} ${item.amount} ${item.why}`} item={item} units={unitsOf(log)} />
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

interface ItemProps {
  readonly item: HealthItem;
  readonly units: ProfileUnits;
}

function Item({ item, units }: ItemProps): ReactNode {
  return (
    <div className="health-item" data-health={item.id}>
      <Title title={item.title} amount={item.amount} certainty={certaintyOf(item.samples, units)} />
      <p>
        {item.why} {item.advice}
      </p>
      {item.parts.map((part) => (
        <Part key={part.title} part={part} units={units} />
      ))}
    </div>
  );
}

function Part({ part, units }: { readonly part: HealthPart; readonly units: ProfileUnits }): ReactNode {
  return (
    <div className="health-part">
      <Title title={part.title} amount={part.amount} certainty={certaintyOf(part.samples, units)} />
      <p>
        {part.why} {part.advice}
      </p>
      {part.threads !== '' && <p className="health-threads">Threads: {part.threads}</p>}
    </div>
  );
}

/** How exactly a share of samples is known. */
function certaintyOf(samples: PartOfSamples | undefined, units: ProfileUnits): string | undefined {
  return samples && shareCertainty(samples.part, samples.whole, units)?.text;
}

interface TitleProps {
  readonly title: string;
  readonly amount: string;
  readonly certainty?: string | undefined;
}

function Title({ title, amount, certainty }: TitleProps): ReactNode {
  return (
    <p className="health-title">
      <strong>{title}</strong> <span data-tip={certainty}>{amount}</span>
    </p>
  );
}

interface Fact {
  readonly name: string;
  readonly value: string;
}

/**
 * Known facts about a file's content and size; unknown ones are left out. What it lacks: see `healthOf`. Samples can come
 * before the first status, and a host can end between the two.
 */
export function logFacts(log: LogView): readonly Fact[] {
  const { status } = log;
  const facts: Fact[] = [];
  const add = (name: string, value: string): void => void facts.push({ name, value });
  if (status !== undefined) addFileFacts(status, add);
  if (log.summary !== undefined && log.summary.samples > 0) {
    add(capitalised(unitsOf(log).counted.many), formatCount(log.summary.samples));
    add('Threads', formatCount(log.summary.threads));
    add('Methods', formatCount(log.summary.methods));
    add('Call nodes', formatCount(log.summary.nodes));
  }
  if (status === undefined) return facts;
  if (status.deepestStack > 0) add('Deepest stack', formatQuantity(status.deepestStack, 'frame'));
  if (status.spanNs !== undefined) add('Span', formatSpan(status.spanNs));
  return facts;
}

function addFileFacts(status: LogStatus, add: (name: string, value: string) => void): void {
  if (status.formatName !== '') add('Format', status.formatName);
  const size = status.acceptedBytes + status.skippedBytes + status.pendingBytes;
  add(
    'File',
    `${formatBytes(status.fileBytes)}${status.readBytes < status.fileBytes ? `, ${formatBytes(status.readBytes)} read` : ''}`,
  );
  if (size !== status.fileBytes && size > 0) add('Unpacked', formatBytes(size));
  if (status.acceptedBytes < size)
    add('Used', `${formatBytes(status.acceptedBytes)} (${formatShare(status.acceptedBytes, size, 1)})`);
}
