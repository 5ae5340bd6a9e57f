/**
 * Node's module hooks by which the built program gets a fake 'electron': the one under `globalThis.fakeElectrons` that
 * belongs to the query of the importing module, so that `main.js?2` is a program of its own.
 */
const NAMES =
  'app BrowserWindow dialog Menu nativeTheme protocol screen session shell contextBridge ipcRenderer webUtils';

export async function resolve(specifier, context, next) {
  if (specifier !== 'electron') return next(specifier, context);
  return { url: `fake-electron:${new URL(context.parentURL).search.slice(1)}`, shortCircuit: true };
}

export async function load(url, context, next) {
  if (!url.startsWith('fake-electron:')) return next(url, context);
  const key = JSON.stringify(url.slice('fake-electron:'.length));
  const source = NAMES.split(' ').map((name) => `export const ${name} = fake.${name};`);
  return {
    format: 'module',
    shortCircuit: true,
    source: `const fake = globalThis.fakeElectrons.get(${key});\n${source.join('\n')}`,
  };
}
