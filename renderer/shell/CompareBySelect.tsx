import type { ReactNode } from 'react';
import type { CompareBy } from '../../shared/values/compared-to.ts';
import { compareBy } from '../store/compare-actions.ts';
import { shownCompareBy } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Select } from '../widgets/Select.tsx';

const COMPARE_CHOICES = [
  { value: 'share', text: 'Shares' },
  { value: 'amount', text: 'Amounts' },
  { value: 'rate', text: 'Per second' },
] as const;

/** What is compared of the two sides. */
export function CompareBySelect({
  log,
  testId,
}: {
  readonly log: LogView;
  readonly testId: string;
}): ReactNode {
  const by = useWindow(({ preferences }) => shownCompareBy(log, preferences));
  const seconds = log.summary?.compared?.seconds;
  const hasTimes = seconds !== undefined && seconds.base > 0 && seconds.next > 0;
  return (
    <Select<CompareBy>
      label="Compare"
      choices={hasTimes ? COMPARE_CHOICES : COMPARE_CHOICES.slice(0, 2)}
      value={by}
      onChange={compareBy}
      hint="Shares of each side’s total, amounts, or amounts per second"
      testId={testId}
    />
  );
}
