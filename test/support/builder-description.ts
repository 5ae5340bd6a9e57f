import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inCheckout } from './built-program.ts';

/** electron-builder.yml, as far as tests look at it. */
export interface BuilderDescription {
  readonly linux: { readonly target: readonly string[]; readonly mimeTypes: readonly string[] };
  readonly win: { readonly target: readonly string[] };
  readonly mac: {
    readonly target: readonly { readonly target: string }[];
    readonly identity?: string | null;
  };
}

/** Read with electron-builder's own parser. */
export function builderDescription(): BuilderDescription {
  const require = createRequire(inCheckout('node_modules/app-builder-lib/package.json'));
  const { load } = require('js-yaml') as { readonly load: (text: string) => unknown };
  return load(readFileSync(inCheckout('electron-builder.yml'), 'utf8')) as BuilderDescription;
}
