import type { ReactNode } from 'react';
import { type FactTable, factText } from '../../shared/formats/format-facts.ts';
import { formatQuantity } from '../../shared/text/format-value.ts';
import type { LogStatus } from '../../shared/protocol/messages.ts';
import { openDetails } from '../store/actions.ts';
import { activeLog } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import './details.css';

/** What is in the active file beside its samples: notes, and tables of threads, events, segments. */
export function DetailsDialog(): ReactNode {
  const log = useWindow(activeLog);
  const status = log?.status;
  const isOpen = useWindow((state) => state.detailsAreOpen);
  return (
    <Dialog
      title={log?.name ?? ''}
      isOpen={isOpen}
      onClose={() => openDetails(false)}
      className="details"
      testId="details"
    >
      {status !== undefined && <About status={status} />}
      {(status?.notes ?? []).map((note) => (
        <p key={note}>{note}</p>
      ))}
      {(status?.tables ?? []).map((table) => (
        <Facts key={table.title} table={table} />
      ))}
    </Dialog>
  );
}

/** The format, and what nobody can know from such a file. */
function About({ status }: { readonly status: LogStatus }): ReactNode {
  const { formatName, cannotTell } = status;
  return (
    <p>
      <strong>{formatName}</strong>
      {cannotTell.length > 0 && `. Such a file cannot tell ${cannotTell.join('; ')}.`}
    </p>
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
                <th key={name} scope="col" className={kind === 'text' ? '' : 'details-number'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.map((value, column) => (
                  <td
                    key={columns[column].name}
                    className={columns[column].kind === 'text' ? '' : 'details-number'}
                    title={factText(value, columns[column].kind)}
                  >
                    {factText(value, columns[column].kind)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {leftOut > 0 && <p className="details-more">and {formatQuantity(leftOut, 'more row')}</p>}
    </section>
  );
}
