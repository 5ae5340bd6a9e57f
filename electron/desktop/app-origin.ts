/** The only origin of the window's page. `protocol.ts` serves its files. */
export const APP_SCHEME = 'app';
export const APP_ORIGIN = 'app://leanscope';
export const APP_PAGE = `${APP_ORIGIN}/`;
