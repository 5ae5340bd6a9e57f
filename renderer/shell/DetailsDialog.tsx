import { type ReactNode, useEffect, useRef } from 'react';
import type { FactTable } from '../../shared/formats/format-facts.ts';
import { formatAmount, formatCount, formatQuantity } from '../../shared/text/format-value.ts';
import type { LogStatus } from '../../shared/protocol/messages.ts';
import { openDetails } from '../store/actions.ts';
import { activeLog } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';
import './details.css';

/** What is in the active file beside its samples: notes, and tables of threads, events, segments. */
export function DetailsDialog(): ReactNode {
  const log = useWindow(activeLog);
  const status = log?.status;
  const isOpen = useWindow((state) => state.detailsAreOpen);
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);

  return (
    <dialog
      ref={dialog}
      className="help details"
      aria-labelledby="details-title"
      onClose={() => openDetails(false)}
      onClick={(event) => {
        if (event.target === dialog.current) openDetails(false);
      }}
    >
      {isOpen && (
        <div className="help-sheet" data-testid="details">
          <header>
            <h2 id="details-title">{log?.name}</h2>
            <button
              type="button"
              className="button button-bare"
              aria-label="Close"
              onClick={() => openDetails(false)}
            >
              <Icon name="close" />
            </button>
          </header>
          {status !== undefined && <About status={status} />}
          {(status?.notes ?? []).map((note) => (
            <p key={note}>{note}</p>
          ))}
          {(status?.tables ?? []).map((table) => (
            <Facts key={table.title} table={table} />
          ))}
        </div>
      )}
    </dialog>
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
                    title={cellText(value, columns[column].kind)}
                  >
                    {cellText(value, columns[column].kind)}
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

function cellText(value: string | number | undefined, kind: FactTable['columns'][number]['kind']): string {
  if (value === undefined) return '–';
  if (typeof value === 'string') return value;
  return kind === 'ns' || kind === 'bytes' ? formatAmount(value, kind) : formatCount(value);
}
