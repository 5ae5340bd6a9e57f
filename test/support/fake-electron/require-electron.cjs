/**
 * Has the built program get `globalThis.fakeElectron` when it requires 'electron'. The package itself would download a
 * runtime when it is asked for.
 */
const Module = require('node:module');

const load = Module._load;
Module._load = (request, ...rest) =>
  request === 'electron' ? globalThis.fakeElectron : load(request, ...rest);
