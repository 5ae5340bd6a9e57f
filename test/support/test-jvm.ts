import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { testSize } from './test-size.ts';

/** A JDK that is installed here. */
interface Jdk {
  readonly home: string;
  readonly major: number;
}

/** The JDKs of this machine that have `java` and `jcmd`, one per major version, oldest first. */
export const JDKS: readonly Jdk[] = installedJdks();

/** Those whose flight recordings can be followed, oldest first. */
export const RECORDED_JDKS = JDKS.filter(({ major }) => major >= 17);

/** Of these, for what hardly depends on the JDK: the newest in `npm test`, all in `npm run test:long`. */
export const CHOSEN_JDKS = testSize(RECORDED_JDKS.slice(-1), RECORDED_JDKS);

/** For `testUnless`: why there can be no test with a JVM whose flight recordings can be followed. */
export const NO_JVM = RECORDED_JDKS.length > 0 ? undefined : 'there is no JDK 17 or later';

export function jdkHome(major?: number): string {
  const found = major === undefined ? RECORDED_JDKS[0] : JDKS.find((jdk) => jdk.major === major);
  if (found === undefined) throw new Error(`there is no JDK ${major ?? 17}`);
  return found.home;
}

export interface TestJvm {
  readonly pid: number;
  readonly process: ChildProcess;
  /** Ends the program by closing its standard input, and waits for it. */
  end(): Promise<void>;
}

/** Half of what a JVM costs that lives for a second or two is the compilation of methods that are soon left. */
export const QUICK_START: readonly string[] = ['-XX:TieredStopAtLevel=1'];

/**
 * Starts a program of test/support/jvm, Busy when not given, and waits until it runs. It ends with the test, because it
 * would take a quarter of a processor from the next ones: its standard input is closed then, at the latest by the end
 * of this process.
 */
export async function startJvm(options: JvmOptions = {}): Promise<TestJvm> {
  const { jvm, isReady } = launch(options);
  onTestFinished(() => jvm.end());
  await isReady;
  return jvm;
}

/**
 * One JVM for those tests of a file that leave it as it was, which saves its start. The first of them that calls the
 * function returned starts it. It ends with the file.
 */
export function useSharedJvm(options: JvmOptions = {}): () => Promise<TestJvm> {
  let shared: ReturnType<typeof launch> | undefined;
  afterAll(() => shared?.jvm.end());
  return async () => {
    shared ??= launch(options);
    await shared.isReady;
    return shared.jvm;
  };
}

interface JvmOptions {
  readonly home?: string;
  /** The launcher, `java` of the home if it is not given. */
  readonly launcher?: string;
  readonly main?: 'Busy' | 'Events' | 'Known';
  readonly jvm?: readonly string[];
  readonly program?: readonly string[];
  readonly cwd?: string;
}

/** Starts a program, which is ready when it says so. */
function launch(options: JvmOptions): { readonly jvm: TestJvm; readonly isReady: Promise<void> } {
  const java = options.launcher ?? join(options.home ?? jdkHome(), 'bin/java');
  const program = options.program ?? [];
  const main = options.main ?? 'Busy';
  const child = spawn(
    java,
    ['-cp', compiledPrograms(), ...QUICK_START, ...(options.jvm ?? []), main, ...program],
    {
      cwd: options.cwd,
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const jvm: TestJvm = {
    pid: child.pid ?? -1,
    process: child,
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
  const isReady = new Promise<void>((done, fail) => {
    child.stdout.once('data', () => done());
    child.once('error', fail);
    child.once('exit', () => fail(new Error('the program has ended')));
  });
  child.stdout.resume();
  return { jvm, isReady };
}

/** The folder of the compiled programs. Compiled once, as that takes longer than a start of the JVM. */
function compiledPrograms(): string {
  const sources = readdirSync(SOURCES)
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(SOURCES, name));
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(source));
  const folder = resolve('node_modules/.cache/leanscope/test-jvm', hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  const next = `${folder}.${process.pid}`;
  // Like the oldest JDK whose recordings are followed, so that all others can run it.
  const { status, stderr } = spawnSync(
    join(jdkHome(), 'bin/javac'),
    ['--release', '17', '-d', next, ...sources],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`javac failed: ${stderr}`);
  try {
    renameSync(next, folder);
  } catch {
    // Another test file was faster.
    rmSync(next, { recursive: true });
  }
  return folder;
}

const SOURCES = 'test/support/jvm';

function installedJdks(): readonly Jdk[] {
  const folder = '/usr/lib/jvm';
  const homes = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  if (process.env.JAVA_HOME !== undefined) homes.push(process.env.JAVA_HOME);
  const found = new Map<number, Jdk>();
  for (const home of homes) {
    if (!['java', 'jcmd', 'jfr'].every((tool) => existsSync(join(home, 'bin', tool)))) continue;
    const { stderr } = spawnSync(join(home, 'bin/java'), ['-version'], { encoding: 'utf8' });
    const major = Number(/version "(?:1\.)?(\d+)/.exec(stderr)?.[1]);
    if (major > 0 && !found.has(major)) found.set(major, { home, major });
  }
  return [...found.values()].sort((a, b) => a.major - b.major);
}
