/**
 * Finds and starts Electron's runtime, for the `leanscope` command, which runs in Node. Never imports 'electron': that
 * package downloads the runtime as soon as it is imported.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Runtime =
  | { readonly kind: 'found'; readonly executable: string }
  /** `reason` completes "the window cannot be opened: …". */
  | { readonly kind: 'missing'; readonly reason: string }
  /** The package for npm has no desktop window. */
  | { readonly kind: 'browser' };

/** The surroundings of the search for the runtime. */
interface RuntimeEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly userId: number | undefined;
  /** The folder of the program's package.json. */
  readonly appFolder: string;
}

/** The build puts this module into dist/electron, which is as deep as electron/runtime. */
const appFolder = fileURLToPath(new URL('../..', import.meta.url));

const currentEnvironment = (): RuntimeEnvironment => ({
  env: process.env,
  platform: process.platform,
  userId: process.getuid?.(),
  appFolder,
});

/** Looks where Electron's installer puts the runtime, or in ELECTRON_OVERRIDE_DIST_PATH, as Electron's launcher does. */
export function findRuntime(environment: RuntimeEnvironment = currentEnvironment()): Runtime {
  const { env, platform, userId, appFolder: folder } = environment;
  if (!existsSync(join(folder, 'dist/electron/preload.cjs'))) return { kind: 'browser' };
  // A runtime would not help here, and none was downloaded.
  if (platform === 'linux') {
    if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return { kind: 'missing', reason: 'there is no display' };
    if (userId === 0) return { kind: 'missing', reason: 'Electron does not run as root' };
  }
  const electron = join(folder, 'node_modules/electron');
  const nameFile = join(electron, 'path.txt');
  const name = existsSync(nameFile) ? readFileSync(nameFile, 'utf8') : undefined;
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  const executable =
    override !== undefined && override !== ''
      ? join(override, name ?? 'electron')
      : name !== undefined
        ? join(electron, 'dist', name)
        : undefined;
  if (executable === undefined || !existsSync(executable))
    return { kind: 'missing', reason: "Electron's runtime is not installed" };
  return { kind: 'found', executable };
}

/** Options of the window about sources. */
export interface SourceArguments {
  /** Absolute paths of folders and archives. */
  readonly roots: readonly string[];
  /** A command that opens a file at a line. */
  readonly editor: string | undefined;
}

type RuntimeOutcome =
  | { readonly kind: 'ran'; readonly exitCode: number }
  | { readonly kind: 'notStarted'; readonly reason: string };

/**
 * Exit codes of a runtime that cannot be executed, lacks a system library, or cannot create its sandbox or open the
 * display.
 */
const NOT_STARTED_CODES: readonly number[] = [126, 127];
const NOT_STARTED_SIGNALS: readonly string[] = ['SIGTRAP', 'SIGABRT', 'SIGILL', 'SIGSEGV'];
/** A runtime that ran longer than this has shown its window, so a failure later is not a failure to start. */
const START_MS = 5000;

/**
 * Opens the window with these files, by absolute paths and addresses, and waits until it is closed. If the program is already running, that instance opens
 * the files, and the new process ends at once.
 */
export function startRuntime(
  executable: string,
  files: readonly string[],
  { roots, editor }: SourceArguments = { roots: [], editor: undefined },
): Promise<RuntimeOutcome> {
  const startedAt = performance.now();
  const options = roots.map((root) => `--source=${resolve(root)}`);
  if (editor !== undefined) options.push(`--editor=${editor}`);
  const env = { ...process.env };
  // The terminals of some editors set it. With it the runtime would run as Node, without a window.
  delete env.ELECTRON_RUN_AS_NODE;
  const child = spawn(executable, [appFolder, ...options, '--', ...files], {
    env,
    stdio: 'inherit',
  });
  const forward = (signal: NodeJS.Signals) => () => void child.kill(signal);
  const signals = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => [name, forward(name)] as const);
  for (const [name, listener] of signals) process.on(name, listener);
  return new Promise((done) => {
    const end = (outcome: RuntimeOutcome) => {
      for (const [name, listener] of signals) process.off(name, listener);
      done(outcome);
    };
    child.once('error', (error) => end({ kind: 'notStarted', reason: error.message }));
    child.once('exit', (code, signal) => {
      const failed =
        code === null ? NOT_STARTED_SIGNALS.includes(signal ?? '') : NOT_STARTED_CODES.includes(code);
      if (failed && performance.now() - startedAt < START_MS)
        end({ kind: 'notStarted', reason: `Electron ended with ${signal ?? `status ${String(code)}`}` });
      else end({ kind: 'ran', exitCode: code ?? 1 });
    });
  });
}
