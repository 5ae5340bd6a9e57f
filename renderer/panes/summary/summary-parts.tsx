import type { ReactNode } from 'react';
import { splitFrameLabel, withoutAddress } from '../../../shared/text/format-frame.ts';
import { formatShare } from '../../../shared/text/format-value.ts';

/** A frame without its package, which the tooltip has. */
export function nameOf(label: string): string {
  const { name, position } = splitFrameLabel(withoutAddress(label));
  return name + position;
}

/** A share in the column of numbers: percent, without the sign. */
export function Share({ of }: { readonly of: number }): ReactNode {
  return <span className="summary-share">{formatShare(of, 1, 1).replace(' %', '')}</span>;
}
