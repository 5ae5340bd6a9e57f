/**
 * Two scripts that together run a preload script as Electron does: in a world of its own, which shares the document with
 * the page but no JavaScript object. What crosses is cloned by Chromium, because the scripts meet only in the details of
 * events. As with Electron's contextBridge, functions become proxies, on both sides.
 */

/** Name of the world of the preload script. */
export const PRELOAD_WORLD = 'Electron Isolated Context';

/** Name of the binding of that world that takes what it sends, as the text of `Sent`. */
export const SEND_BINDING = 'sendToMain';

/** In the page's world, before its scripts: waits for what the preload script exposes. */
export const PAGE_SCRIPT = `{
  const listeners = [];
  let result;
  const call = (path) => (...args) => {
    const detail = { path, args: args.map((arg) => (typeof arg === 'function' ? { listener: listeners.push(arg) - 1 } : { arg })) };
    window.dispatchEvent(new CustomEvent('bridge-call', { detail }));
    return result;
  };
  const proxied = (api, path) => Object.freeze(Object.fromEntries(Object.entries(api).map(([name, { kind, value }]) =>
    [name, kind === 'function' ? call([...path, name]) : kind === 'object' ? proxied(value, [...path, name]) : value])));
  window.addEventListener('bridge-result', ({ detail }) => (result = detail.value));
  window.addEventListener('bridge-listener', ({ detail: { listener, args } }) => listeners[listener](...args));
  window.addEventListener('bridge-expose', ({ detail: { name, api } }) =>
    Object.defineProperty(window, name, { value: proxied(api, []), enumerable: true }));
}`;

/** In the preload script's world: Electron's modules, and the built script. `source`: the script. */
export const preloadScript = (source: string): string => `{
  const listeners = new Map();
  const base64Of = (buffer) => {
    let text = '';
    for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
    return btoa(text);
  };
  const carried = (value) =>
    value instanceof ArrayBuffer ? { base64: base64Of(value) } : value === undefined ? { isUndefined: true } : value;
  const revive = (value) =>
    value?.base64 === undefined ? value : Uint8Array.from(atob(value.base64), (c) => c.charCodeAt(0)).buffer;
  globalThis.deliver = (channel, content) => listeners.get(channel)?.({}, ...content.map(revive));

  const described = (api) => Object.fromEntries(Object.entries(api).map(([name, value]) =>
    [name, typeof value === 'object' ? { kind: 'object', value: described(value) } : { kind: typeof value, value: typeof value === 'function' ? undefined : value }]));
  const exposeInMainWorld = (name, api) => {
    window.addEventListener('bridge-call', ({ detail: { path, args } }) => {
      const target = path.slice(0, -1).reduce((part, key) => part[key], api);
      const value = target[path.at(-1)](...args.map(({ listener, arg }) =>
        listener === undefined
          ? arg
          : (...content) => window.dispatchEvent(new CustomEvent('bridge-listener', { detail: { listener, args: content } }))));
      window.dispatchEvent(new CustomEvent('bridge-result', { detail: { value } }));
    });
    window.dispatchEvent(new CustomEvent('bridge-expose', { detail: { name, api: described(api) } }));
  };
  const electron = {
    contextBridge: { exposeInMainWorld },
    ipcRenderer: {
      on: (channel, listener) => listeners.set(channel, listener),
      send: (channel, ...content) => ${SEND_BINDING}(JSON.stringify([channel, content.map(carried)])),
    },
    webUtils: {
      getPathForFile: (file) => {
        if (!(file instanceof File)) throw new TypeError('not a File');
        return file.name.endsWith('.pasted') ? '' : '/dropped/' + file.name;
      },
    },
  };
  (function (require, process) {
${source}
  })(() => electron, { platform: 'linux' });
}`;

type Carried = string | number | null | { readonly base64: string } | { readonly isUndefined: true };

/** What crosses between Node and the world, as JSON has it. */
export const carried = (value: unknown): Carried =>
  value instanceof ArrayBuffer
    ? { base64: Buffer.from(value).toString('base64') }
    : (value as string | number);

/** The arguments of the binding, as they were. */
export function revivedSent(text: string): readonly [channel: string, content: unknown[]] {
  const [channel, content] = JSON.parse(text) as [string, Carried[]];
  return [
    channel,
    content.map((value) => {
      if (typeof value !== 'object' || value === null) return value;
      if ('isUndefined' in value) return undefined;
      return 'base64' in value ? new Uint8Array(Buffer.from(value.base64, 'base64')).buffer : value;
    }),
  ];
}
