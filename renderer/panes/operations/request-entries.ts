import { elideMiddle, NO_CONTEXT } from '../../../shared/text/format-frame.ts';
import { selectRequests } from '../../store/actions/request-actions.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';

const MOST_CHARACTERS = 32;

/** Entries for the requests with a value of an attribute; samples of no request cannot be chosen by one. */
export function requestEntries(key: string, value: string): readonly MenuEntry[] {
  if (value === NO_CONTEXT) return [];
  return [
    {
      text: `Only ${key} ${elideMiddle(value, MOST_CHARACTERS)}`,
      run: () => selectRequests(key, value, 'all'),
    },
    {
      text: 'Compare the slow ones with the rest',
      run: () => selectRequests(key, value, 'slow against the rest'),
    },
  ];
}
