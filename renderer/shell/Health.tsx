import type { ReactNode } from 'react';
import { healthOf, type HealthItem, type HealthPart, type PartOfSamples } from '../../shared/facts/health.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { precisionText, shareCertainty } from '../../shared/views/precision.ts';
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
