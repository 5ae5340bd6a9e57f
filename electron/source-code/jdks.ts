import { readdir, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { readBeginning } from '../source/open-file.ts';

/** Most bytes of a JDK's file `release`, which has a kilobyte or two. */
const MOST_RELEASE_BYTES = 1 << 16;

/** A JDK with its sources. */
export interface Jdk {
  /** Its folder, without links. */
  readonly home: string;
  /** The archive of its sources. */
  readonly sources: string;
  /** `17.0.9`; empty if it is not known. */
  readonly version: string;
}

/** The search for JDKs depends on these. */
interface JdkPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly userFolder: string;
}

/** Folders whose subfolders are JDKs, and what is in between. */
function foldersOfJdks({ env, platform, userFolder }: JdkPlaces): readonly (readonly [string, string])[] {
  const ofUser = [
    [join(userFolder, '.sdkman', 'candidates', 'java'), ''],
    [join(userFolder, '.jdks'), ''],
    [join(userFolder, '.asdf', 'installs', 'java'), ''],
  ] as const;
  if (platform === 'darwin') {
    const machines = [
      '/Library/Java/JavaVirtualMachines',
      join(userFolder, 'Library/Java/JavaVirtualMachines'),
    ];
    return [...machines.map((folder) => [folder, 'Contents/Home'] as const), ...ofUser];
  }
  if (platform === 'win32') {
    const programs = [env.ProgramFiles, env['ProgramFiles(x86)']].filter((folder) => folder !== undefined);
    const makers = ['Java', 'Eclipse Adoptium', 'Microsoft', 'Amazon Corretto', 'Zulu', 'BellSoft'];
    return [
      ...programs.flatMap((folder) => makers.map((maker) => [join(folder, maker), ''] as const)),
      ...ofUser,
    ];
  }
  return [['/usr/lib/jvm', ''], ['/opt/java', ''], ['/usr/java', ''], ...ofUser];
}

/**
 * The JDKs of this machine that have their sources: that of JAVA_HOME, that of `java` on the PATH, and those where
 * installers put them. Each once.
 */
export async function findJdks(places: JdkPlaces): Promise<readonly Jdk[]> {
  const homes = [places.env.JAVA_HOME, await homeOnPath(places), ...(await installedHomes(places))];
  const found = new Map<string, Jdk>();
  for (const home of homes) {
    const jdk = home === undefined || home === '' ? undefined : await jdkIn(home);
    if (jdk !== undefined && !found.has(jdk.sources)) found.set(jdk.sources, jdk);
  }
  return [...found.values()];
}

export function newestFirst(jdks: readonly Jdk[]): readonly Jdk[] {
  return jdks.toSorted((a, b) => compareVersions(b.version, a.version));
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left.at(at) ?? 0) - (right.at(at) ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): readonly number[] {
  const numbers = (version.match(/\d+/g) ?? []).map(Number);
  return numbers[0] === 1 ? numbers.slice(1) : numbers;
}

/** `java` may be a link to the JDK, or on macOS a program of the system that leads to none. */
async function homeOnPath({ env, platform }: JdkPlaces): Promise<string | undefined> {
  const name = platform === 'win32' ? 'java.exe' : 'java';
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const program = folder === '' ? undefined : await realpath(join(folder, name)).catch(() => undefined);
    if (program !== undefined) return dirname(dirname(program));
  }
  return undefined;
}

async function installedHomes(places: JdkPlaces): Promise<readonly string[]> {
  const homes: string[] = [];
  for (const [folder, inner] of foldersOfJdks(places)) {
    const names = await readdir(folder).catch(() => []);
    homes.push(...names.map((name) => join(folder, name, inner)));
  }
  return homes;
}

async function jdkIn(folder: string): Promise<Jdk | undefined> {
  const home = await realpath(folder).catch(() => undefined);
  if (home === undefined) return undefined;
  // Java 8 has its sources in the JDK's folder, and its runtime in a folder below it.
  for (const place of ['lib/src.zip', 'src.zip', '../src.zip']) {
    // A package without sources may leave a link to them.
    const sources = await realpath(join(home, place)).catch(() => undefined);
    if (sources !== undefined && (await isFile(sources)))
      return { home, sources, version: await versionIn(home) };
  }
  return undefined;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function versionIn(home: string): Promise<string> {
  const release = await readBeginning(join(home, 'release'), MOST_RELEASE_BYTES).catch(() => undefined);
  return /^JAVA_VERSION="?([\w.+-]+)/m.exec(release?.toString() ?? '')?.[1] ?? '';
}
