import type { ReactNode } from 'react';
import { healthOf, type HealthItem, type HealthPart } from '../../shared/facts/health.ts';
import { precisionText } from '../../shared/views/precision.ts';
import { formatQuantity } from '../../shared/text/format-value.ts';
import { isPartial, shownSummary, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { restartText } from './restart-text.ts';

/** What was lost of a log and why it matters, and how exactly its shares are known. */
export function Health({ log }: { readonly log: LogView }): ReactNode {
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
        <Item key={`${item.id} ${item.amount} ${item.why}`} item={item} />
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

function Item({ item }: { readonly item: HealthItem }): ReactNode {
  return (
    <div className="health-item" data-health={item.id}>
      <Title title={item.title} amount={item.amount} />
      <p>
        {item.why} {item.advice}
      </p>
      {item.parts.map((part) => (
        <Part key={part.title} part={part} />
      ))}
    </div>
  );
}

function Part({ part }: { readonly part: HealthPart }): ReactNode {
  return (
    <div className="health-part">
      <Title title={part.title} amount={part.amount} />
      <p>
        {part.why} {part.advice}
      </p>
      {part.threads !== '' && <p className="health-threads">Threads: {part.threads}</p>}
    </div>
  );
}

function Title({ title, amount }: { readonly title: string; readonly amount: string }): ReactNode {
  return (
    <p className="health-title">
      <strong>{title}</strong> <span>{amount}</span>
    </p>
  );
}
