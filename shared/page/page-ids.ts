/** The element of a page, or of the metadata of an SVG, with the packed profiles in base64. */
export const PAGE_DATA_ID = 'leanscope-profile';

/** Incremented when a reader of the previous version would misread a page. */
export const PAGE_VERSION = 1;
