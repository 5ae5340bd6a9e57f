import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { onTestFinished } from 'vitest';
import { inCheckout } from '../built-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type FakeElectron, fakeElectron, type FakeOptions } from './fake-electron.ts';

const require = createRequire(import.meta.url);
require('./require-electron.cjs');

const electron = globalThis as unknown as { fakeElectron: unknown };

/** Runs the built main.cjs with a fake Electron and these arguments, up to before Electron is ready. */
export function startDesktop(args: readonly string[] = [], options: Partial<FakeOptions> = {}): FakeElectron {
  const fake = fakeElectron({ userData: temporaryFolder(), ...options });
  onTestFinished(() => void fake.app.emit('will-quit'));
  electron.fakeElectron = fake.modules;
  const { argv } = process;
  const program = process as { defaultApp?: boolean };
  process.argv = ['/opt/leanscope', ...(options.isPackaged === true ? [] : ['/checkout']), ...args];
  program.defaultApp = options.isPackaged !== true;
  try {
    unloadProgram();
    require(inCheckout('dist/electron/main.cjs'));
  } finally {
    process.argv = argv;
    delete program.defaultApp;
  }
  return fake;
}

/** Unloads the program's modules, so that the next start runs a new instance. */
function unloadProgram(): void {
  const folder = inCheckout('dist/electron') + sep;
  for (const path of Object.keys(require.cache))
    if (path.startsWith(folder)) Reflect.deleteProperty(require.cache, path);
}
