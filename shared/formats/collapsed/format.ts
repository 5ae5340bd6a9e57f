import { DecoderCode } from '../decoder-code.ts';
import type { ProfileFormat } from '../profile-format.ts';
import { recogniseCollapsed } from './recognise.ts';

const code = new DecoderCode(() => import('./decoder.ts'));

/** Collapsed, or folded, stacks: the text that flame graph tools write and read (specs: other formats). */
export const COLLAPSED: ProfileFormat = {
  id: 'collapsed',
  name: 'collapsed stacks',
  listed: { group: 'Exchange formats', entry: 'Collapsed stacks' },
  extensions: ['.collapsed', '.folded', '.txt'],
  follows: true,
  joinsEntries: 'lines',
  notRecorded: [
    'when a sample was taken',
    'the unit of weights: samples, bytes or nanoseconds',
    'threads, unless they are the first frame',
    'whether a stack was truncated',
  ],
  recognise: recogniseCollapsed,
  code,
  createDecoder: (sink, chosen) => new code.module.CollapsedDecoder(sink, chosen),
};
