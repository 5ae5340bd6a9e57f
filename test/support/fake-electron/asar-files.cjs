/**
 * Files inside of an archive `….asar`, as Electron gives them to a program and its worker threads
 * (lib/node/asar-fs-wrapper.ts): of node:fs the functions below, `require`, and scripts of workers. Any other function
 * finds no such file. As in Electron, an entry of a folder that is not listed recursively does not know its parent.
 */
const fs = require('node:fs');
const Module = require('node:module');
const { dirname, join, normalize, posix, sep } = require('node:path');
const { fileURLToPath } = require('node:url');
const threads = require('node:worker_threads');
const { extractFile, getRawHeader } = require('@electron/asar');

/** The archive and the names of what is in it; undefined for any other file, an archive as a whole among them. */
function insideOf(path) {
  if (typeof path !== 'string' && !(path instanceof URL)) return undefined;
  const match = /^(.*?\.asar)[/\\](.+)$/.exec(normalize(path instanceof URL ? fileURLToPath(path) : path));
  return match === null ? undefined : { archive: match[1], names: match[2].split(sep) };
}

/** What the archive's header says of it; undefined: it is not there. */
function entryOf({ archive, names }) {
  let entry = getRawHeader(archive).header;
  for (const name of names) entry = entry?.files?.[name];
  return entry;
}

const notFound = (path) =>
  Object.assign(new Error(`ENOENT, ${path} not found`), { code: 'ENOENT', errno: -2 });

function direntOf(name, entry, parentPath) {
  const isFile = entry.files === undefined;
  return { name, isFile: () => isFile, isDirectory: () => !isFile, ...(parentPath && { parentPath }) };
}

/** Replacements of functions of node:fs, for paths inside of an archive. */
const replacements = {
  existsSync: (path, place) => entryOf(place) !== undefined,
  readFileSync(path, place, options) {
    const entry = entryOf(place);
    if (entry?.files !== undefined || entry === undefined) throw notFound(path);
    if (entry.unpacked) return fs.readFileSync(join(`${place.archive}.unpacked`, ...place.names), options);
    const bytes = extractFile(place.archive, posix.join(...place.names));
    const encoding = typeof options === 'string' ? options : options?.encoding;
    return encoding ? bytes.toString(encoding) : bytes;
  },
  readdirSync(path, place, options) {
    const folder = entryOf(place);
    if (folder?.files === undefined) throw notFound(path);
    const entries = Object.entries(folder.files);
    if (options?.recursive !== true)
      return entries.map(([name, entry]) => (options?.withFileTypes ? direntOf(name, entry) : name));
    if (options.withFileTypes !== true) throw new Error('not built here: the program does not use it');
    const list = (parent, files) =>
      Object.entries(files).flatMap(([name, entry]) => [
        direntOf(name, entry, parent),
        ...list(join(parent, name), entry.files ?? {}),
      ]);
    return list(path, folder.files);
  },
};

/** Starts workers whose script is in an archive with this module. */
class Worker extends threads.Worker {
  constructor(script, options = {}) {
    if (insideOf(script) === undefined) super(script, options);
    else super(__filename, { ...options, argv: [fileURLToPath(script), ...(options.argv ?? [])] });
  }
}

/** Returns the function that takes it back. */
function readArchives() {
  const real = { ...fs };
  for (const [name, replacement] of Object.entries(replacements))
    fs[name] = (path, ...rest) => {
      const place = insideOf(path);
      return place === undefined ? real[name](path, ...rest) : replacement(path, place, ...rest);
    };
  const { _resolveFilename } = Module;
  Module._resolveFilename = function (request, parent, ...rest) {
    const path = request.startsWith('.') ? join(dirname(parent?.filename ?? ''), request) : request;
    if (insideOf(path) === undefined) return _resolveFilename.call(this, request, parent, ...rest);
    if (!fs.existsSync(path))
      throw Object.assign(new Error(`Cannot find module '${path}'`), { code: 'MODULE_NOT_FOUND' });
    return path;
  };
  const { Worker: RealWorker } = threads;
  threads.Worker = Worker;
  return () => {
    for (const name of Object.keys(replacements)) fs[name] = real[name];
    Module._resolveFilename = _resolveFilename;
    threads.Worker = RealWorker;
  };
}

module.exports = { readArchives };

if (!threads.isMainThread && process.argv[2] !== undefined && insideOf(process.argv[2]) !== undefined) {
  readArchives();
  require(process.argv[2]);
}
