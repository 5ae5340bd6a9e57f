/**
 * For `node --import`: the built main.js runs as Electron would run it from a folder, with an 'electron' that can do
 * nothing but exit. Whatever else the program asks of it is an error.
 */
import { register } from 'node:module';

register('./resolve-electron.mjs', import.meta.url);
const nothing = (name) =>
  new Proxy(
    {},
    {
      get: (_, property) => {
        throw new Error(`the program without a window asked for ${name}.${String(property)}`);
      },
    },
  );
const names = 'BrowserWindow dialog Menu nativeTheme protocol screen session shell'.split(' ');
globalThis.fakeElectrons = new Map([
  [
    '',
    {
      ...Object.fromEntries(names.map((name) => [name, nothing(name)])),
      app: { exit: (code) => process.exit(code) },
    },
  ],
]);
process.defaultApp = true;
