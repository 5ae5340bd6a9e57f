/** The window's page comes from here and from nowhere else: `protocol.ts` answers. */
export const APP_SCHEME = 'app';
export const APP_ORIGIN = 'app://leanscope';
export const APP_PAGE = `${APP_ORIGIN}/`;
