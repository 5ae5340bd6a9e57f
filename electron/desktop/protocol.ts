import { type PageFile, pageHeaders } from '../host/page-files.ts';

const HEADERS = pageHeaders();

/** Answers requests of the page. An address that is not exactly that of a file gets 404. */
export function answer(
  files: ReadonlyMap<string, PageFile>,
  { method, url }: { readonly method: string; readonly url: string },
): Response {
  const isOwn = method === 'GET' && url.startsWith(APP_ORIGIN);
  const file = isOwn ? files.get(url.slice(APP_ORIGIN.length)) : undefined;
  if (file === undefined) return new Response(null, { status: 404, headers: HEADERS });
  return new Response(file.bytes, { headers: { ...HEADERS, 'Content-Type': file.type } });
}

/** The only origin of the window's page. `protocol.ts` serves its files. */
export const APP_SCHEME = 'app';
export const APP_ORIGIN = 'app://leanscope';
export const APP_PAGE = `${APP_ORIGIN}/`;
