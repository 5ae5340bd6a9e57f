/** Where a dataset or a database is, with a question to it: one text, which is opened like the path of a file. */
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FleetError } from './fleet-engine.ts';
import { TABLE_NAMES } from './tables.ts';

/** The columns that samples can be grouped by, and their hour: each of their values is a thread of the profile. */
export const FLEET_GROUPS = [
  'thread',
  'pool',
  'host',
  'instance',
  'service',
  'version',
  'date',
  'hour',
  'state',
  'operation',
] as const;
export type FleetGroup = (typeof FLEET_GROUPS)[number];

/** The question to a fleet. */
export interface FleetOptions {
  /** A condition of SQL about the columns of the samples. */
  readonly where: string | undefined;
  /** Each value of this column is a thread of the profile. */
  readonly per: FleetGroup;
  /** A query of SQL whose result is the profile, instead. */
  readonly sql: string | undefined;
  /** The end of its stacks that is first. */
  readonly order: 'leaf' | 'root';
}

export const NO_ADDRESS = 'the address is not clickhouse://USER@HOST:PORT/DATABASE';
const SCHEMES = ['clickhouse:', 'clickhouses:'];
const DATASET = 'dataset:';
const OPTIONS = ['where', 'per', 'sql', 'order'] as const satisfies readonly (keyof FleetOptions)[];

/** Whether a path of a command line names a dataset or a database. */
export function isFleet(path: string): boolean {
  return isFleetAddress(path) || isDataset(path);
}

/** Whether a text is no path, and names a database, or a dataset with a question. */
export function isFleetAddress(text: string): boolean {
  return isClickHouse(text) || text.startsWith(`${DATASET}//`);
}

export function isClickHouse(path: string): boolean {
  return SCHEMES.some((scheme) => path.slice(0, scheme.length + 2).toLowerCase() === `${scheme}//`);
}

/** Whether a path is a folder with those of the three tables; one of them may be lost. */
function isDataset(path: string): boolean {
  const isThere = (name: string): boolean =>
    statSync(join(path, name), { throwIfNoEntry: false })?.isDirectory() === true;
  try {
    return TABLE_NAMES.filter(isThere).length > 1;
  } catch {
    return false;
  }
}

/** The question as an address. Throws FleetError. */
export function fleetAddress(path: string, options: Partial<FleetOptions> = {}): string {
  const folder = (): URL => new URL(`${DATASET}//${pathToFileURL(resolve(path)).pathname}`);
  const url = isFleetAddress(path) ? urlOf(path) : folder();
  for (const name of OPTIONS) {
    const value = options[name];
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}

/** The place of an address, and how it is asked. Throws FleetError. */
export function fleetOf(address: string): { readonly path: string; readonly options: FleetOptions } {
  const url = urlOf(address);
  const [where, per, sql, order] = OPTIONS.map((name) => url.searchParams.get(name) ?? undefined);
  for (const name of OPTIONS) url.searchParams.delete(name);
  return {
    path: url.protocol === DATASET ? fileURLToPath(`file://${url.pathname}`) : url.href,
    options: {
      where,
      sql,
      per: FLEET_GROUPS.find((each) => each === per) ?? 'pool',
      order: order === 'root' ? 'root' : 'leaf',
    },
  };
}

/**
 * An address in its parts. Throws FleetError, also where it has a password, which would be in the list of processes, in
 * histories and in lists of files.
 */
export function urlOf(address: string): URL {
  if (hasPassword(address)) throw new FleetError(NO_PASSWORD);
  try {
    return new URL(address);
  } catch {
    throw new FleetError(NO_ADDRESS);
  }
}

export const NO_PASSWORD =
  'a password does not belong in an address, where others see it: set CLICKHOUSE_PASSWORD instead';

/** Whether a text is an address with a password in it, also one that is not valid because of it. */
export function hasPassword(text: string): boolean {
  if (/^[a-z][\w+.-]*:\/\/[^?#]*\?(?:.*&)?(?:password|passwd|pwd)=/is.test(text)) return true;
  if (!/^[a-z][\w+.-]*:\/\/[^@]*:[^@]*@/is.test(text)) return false;
  return !URL.canParse(text) || new URL(text).password !== '';
}

/** A name for people, without user, password and tables. */
export function fleetName(path: string): string {
  return isClickHouse(path) || hasPassword(path)
    ? path.replace(/\/\/.*@/s, '//').replace(/[?#].*/s, '')
    : path;
}

/** The name and the place of the log that an address opens. */
export function fleetPlace(address: string): { readonly name: string; readonly folder: string } {
  const { path, options } = fleetOf(address);
  const shown = fleetName(path);
  const { sql, where } = options;
  return { name: [basename(shown), sql ?? where ?? ''].join(' ').trimEnd(), folder: dirname(shown) };
}
