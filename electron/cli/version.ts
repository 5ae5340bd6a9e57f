import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandIo, type ExitStatus, UsageError } from './command-io.ts';

/** The version in package.json. The build puts this module into dist/electron, which is as deep as electron/cli. */
export function programVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}

/** Prints the version. */
export function versionCommand(argv: readonly string[], io: CommandIo): ExitStatus {
  if (argv.length > 0) throw new UsageError('version takes neither options nor files');
  io.stdout(`leanscope ${programVersion()}\n`);
  return 0;
}
