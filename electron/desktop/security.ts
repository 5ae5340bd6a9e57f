/**
 * Serves the page, and restricts what it can do even if an attacker controls it: navigation, new windows, permissions,
 * network. The rules are those of Electron's security checklist.
 */
import type { App, Session, WebContents } from 'electron';
import { GUIDE } from '../../shared/protocol/desktop-bridge.ts';
import { type PageFile, pageHeaders } from '../host/page-files.ts';

/** The only origin of the window's page. */
export const APP_SCHEME = 'app';
export const APP_ORIGIN = 'app://leanscope';
export const APP_PAGE = `${APP_ORIGIN}/`;

/** The exact addresses that the window may open in the system's browser. */
const WEB_PAGES: readonly string[] = [
  'https://github.com/leanscope/leanscope',
  GUIDE,
  'https://github.com/jvm-profiling-tools/honest-profiler',
];

/** The only permission of the page: writing to the clipboard. */
const isAllowed = (permission: string, origin: string | undefined) =>
  permission === 'clipboard-sanitized-write' && origin === APP_ORIGIN;

const originOf = (url: string | undefined) => {
  if (url === undefined) return undefined;
  return url === APP_ORIGIN || url.startsWith(`${APP_ORIGIN}/`) ? APP_ORIGIN : undefined;
};

const OWN_ADDRESSES: readonly string[] = [`${APP_ORIGIN}/`, `blob:${APP_ORIGIN}/`, 'data:'];

/** `devTools` lets the developer tools load their own pages. */
export function hardenSession(session: Session, devTools: boolean): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(isAllowed(permission, originOf(details.requestingUrl)));
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isAllowed(permission, originOf(requestingOrigin)),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler(null);
  const allowed = devTools ? [...OWN_ADDRESSES, 'devtools://'] : OWN_ADDRESSES;
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    answer({ cancel: !allowed.some((start) => url.startsWith(start)) });
  });
}

/** Prevents every navigation but one: the page reloads itself by a button where a part of it could not be loaded. */
function preventUnlessReload(
  event: { readonly url: string; readonly isMainFrame: boolean; preventDefault(): void },
  contents: WebContents,
): void {
  const isReload = event.isMainFrame && event.url === APP_PAGE && contents.getURL() === APP_PAGE;
  if (!isReload) event.preventDefault();
}

/** Call before the first window opens. `openExternal` receives only addresses in WEB_PAGES. */
export function hardenContents(app: App, openExternal: (url: string) => void): void {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.on('will-navigate', (event) => preventUnlessReload(event, contents));
    contents.on('will-frame-navigate', (event) => preventUnlessReload(event, contents));
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      if (WEB_PAGES.includes(url)) openExternal(url);
      return { action: 'deny' };
    });
  });
}

const HEADERS = pageHeaders();

/** Answers requests of the page. An address that is not exactly that of a file gets 404. */
export function pageResponse(
  files: ReadonlyMap<string, PageFile>,
  { method, url }: { readonly method: string; readonly url: string },
): Response {
  const isOwn = method === 'GET' && url.startsWith(APP_ORIGIN);
  const file = isOwn ? files.get(url.slice(APP_ORIGIN.length)) : undefined;
  if (file === undefined) return new Response(null, { status: 404, headers: HEADERS });
  return new Response(file.bytes, { headers: { ...HEADERS, 'Content-Type': file.type } });
}
