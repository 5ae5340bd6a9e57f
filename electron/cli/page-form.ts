import type { PageForm } from '../../shared/export/export-view.ts';
import { CommandError } from './io/command-io.ts';
import { UsageError } from './options/usage-error.ts';
import type { CARRIED_OPTIONS } from './options/command-options.ts';
import type { ValuesOf } from './options/options.ts';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programVersion } from '../runtime/program-version.ts';
import { MOST_EMBEDDED } from '../../shared/export/page-options.ts';

/** The part of a command line that concerns the profile in a file. */
interface CarriedRequest {
  readonly values: ValuesOf<typeof CARRIED_OPTIONS>;
  /** Undefined: the format carries no profile. */
  readonly carries: 'page' | 'drawing' | undefined;
  /** Something is left out or changed. */
  readonly hasScope: boolean;
  /** Settings of the window that opens it. */
  readonly settings: object;
}

/** The form of a file that carries its profile; undefined for a format that carries none. Throws UsageError and CommandError. */
export function pageFormOf({ values, carries, hasScope, settings }: CarriedRequest): PageForm | undefined {
  if (carries === undefined) return undefined;
  if (values.include === 'all' && hasScope)
    throw new UsageError('--include all writes what is outside of the scope, too: leave the scope away');
  const anonymous = values.anonymous.map((each) => {
    const found = /^([^=*]+)=\*$/.exec(each);
    if (found === null)
      throw new UsageError(`--anonymous must be PREFIX=*, such as com.acme=*, not '${each}'`);
    return found[1];
  });
  return {
    options: {
      include: values.include,
      anonymous,
      note: values.note ?? '',
      threads: !values['no-threads'],
      times: !values['no-times'],
    },
    template: carries === 'page' ? pageTemplate() : undefined,
    madeBy: programVersion(),
    views: { whole: '', part: '' },
    preferences: JSON.stringify(settings),
    most: values.embed === 'no' ? 0 : carries === 'page' || values.embed === 'yes' ? Infinity : MOST_EMBEDDED,
  };
}

/** The build bundles this module into a file in dist/electron; tests run it where it is. */
const TEMPLATES = ['../renderer/page.html', '../../dist/renderer/page.html'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** The built page without a profile. */
function pageTemplate(): string {
  const path = TEMPLATES.find((each) => existsSync(each));
  if (path === undefined) throw new CommandError(`${TEMPLATES[0]}: is missing; npm run build makes it`);
  return readFileSync(path, 'utf8');
}
