import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in package.json. The build puts this module into dist/electron, which is as deep as electron/runtime. */
export function programVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
