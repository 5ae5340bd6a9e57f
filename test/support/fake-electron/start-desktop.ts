import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { inCheckout } from '../built-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type FakeElectron, fakeElectron, type FakeOptions } from './fake-electron.ts';

/** The built file itself is to run, and not what Vitest would make of it. */
const nativeImport = createRequire(import.meta.url)('./native-import.cjs') as (
  url: string,
) => Promise<unknown>;

const registry = globalThis as unknown as { readonly fakeElectrons: Map<string, unknown> };
let starts = 0;

/** Runs the built main.js with a fake Electron and these arguments, up to before Electron is ready. */
export async function startDesktop(
  args: readonly string[] = [],
  options: Partial<FakeOptions> = {},
): Promise<FakeElectron> {
  const key = `start${String(++starts)}`;
  const fake = fakeElectron({ userData: temporaryFolder(), ...options });
  onTestFinished(() => void fake.app.emit('will-quit'));
  registry.fakeElectrons.set(key, fake.modules);
  const { argv } = process;
  const program = process as { defaultApp?: boolean };
  process.argv = ['/opt/leanscope', ...(options.isPackaged === true ? [] : ['/checkout']), ...args];
  program.defaultApp = options.isPackaged !== true;
  try {
    await nativeImport(`${pathToFileURL(inCheckout('dist/electron/main.js')).href}?${key}`);
  } finally {
    process.argv = argv;
    delete program.defaultApp;
  }
  return fake;
}
