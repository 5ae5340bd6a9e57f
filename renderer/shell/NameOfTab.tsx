import type { ReactNode } from 'react';
import type { TabName } from '../store/state/log-names.ts';

/** The name of a tab, with what tells it apart from others. */
export function NameOfTab({ name, apart }: TabName): ReactNode {
  return (
    <>
      {name} <span className="mid">{apart}</span>
    </>
  );
}
