import { join } from 'node:path';
import type { SampleId } from '../../shared/protocol/messages.ts';

/** The name under which a window shows each sample recording. */
const NAMES: Readonly<Record<SampleId, string>> = {
  'honest-profiler': 'shop.hpl',
  jfr: 'shop.jfr',
};

export interface Sample {
  readonly name: string;
  readonly path: string;
}

/** A sample recording in the folder of assets, where all of them are gzipped. */
export function sampleIn(folder: string, id: SampleId): Sample {
  const name = NAMES[id];
  return { name, path: join(folder, `${name}.gz`) };
}
