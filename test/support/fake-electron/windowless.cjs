/**
 * For `node --require`: the built main.cjs runs as Electron would run it from a folder, with an 'electron' that can do
 * nothing but exit. Whatever else the program asks of it is an error.
 */
require('./require-electron.cjs');

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
globalThis.fakeElectron = {
  ...Object.fromEntries(names.map((name) => [name, nothing(name)])),
  app: { exit: (code) => process.exit(code) },
};
process.defaultApp = true;
