/**
 * Vitest replaces `import()` in what it loads itself. This file is required, so that its `import()` is Node's, which
 * finds the fake 'electron' by `resolve-electron.mjs`.
 */
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');

globalThis.fakeElectrons = new Map();
register('./resolve-electron.mjs', pathToFileURL(__filename));

module.exports = (url) => import(url);
