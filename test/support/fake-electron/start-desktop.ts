import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { onTestFinished } from 'vitest';
import { inCheckout } from '../built-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { preventable } from './fake-contents.ts';
import { type FakeElectron, fakeElectron, type FakeOptions } from './fake-electron.ts';

const require = createRequire(import.meta.url);
require('./require-electron.cjs');

const electron = globalThis as unknown as { fakeElectron: unknown };

export interface StartOptions extends Partial<FakeOptions> {
  /** The folder of the built program; the checkout's unless told. */
  readonly dist?: string;
}

/** Runs the built main.cjs with a fake Electron and these arguments, up to before Electron is ready. */
export function startDesktop(args: readonly string[] = [], options: StartOptions = {}): FakeElectron {
  const folder = join(options.dist ?? inCheckout('dist'), 'electron');
  const fake = fakeElectron({ userData: temporaryFolder(), args, ...options });
  onTestFinished(() => void fake.app.emit('will-quit', preventable().event));
  electron.fakeElectron = fake.modules;
  const { argv } = process;
  const program = process as { defaultApp?: boolean };
  process.argv = ['/opt/leanscope', ...(options.isPackaged === true ? [] : ['/checkout']), ...args];
  program.defaultApp = options.isPackaged !== true;
  try {
    unloadProgram(folder);
    require(join(folder, 'main.cjs'));
  } finally {
    process.argv = argv;
    delete program.defaultApp;
  }
  return fake;
}

/** Unloads the program's modules, so that the next start runs a new instance. */
function unloadProgram(folder: string): void {
  for (const path of Object.keys(require.cache))
    if (path.startsWith(folder + sep)) Reflect.deleteProperty(require.cache, path);
}
