import type { ReactNode } from 'react';
import { type FactTable, factText, listedFacts } from '../../shared/facts/format-facts.ts';
import { capitalised, formatQuantity } from '../../shared/text/format-value.ts';
import type { LogView } from '../store/window-state.ts';
import { Icon } from '../widgets/icons.tsx';
import { Health } from './Health.tsx';
import { logFacts } from './log-facts.ts';
import './details.css';

/** All that is known about a file beside its samples: state, numbers, what it lacks, notes, tables. */
export function DetailsPanel({ log }: { readonly log: LogView }): ReactNode {
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
