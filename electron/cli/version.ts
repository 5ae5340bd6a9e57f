import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the package that this file belongs to; bundled, it lies in dist/electron, which is as deep as electron/cli. */
export function programVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
