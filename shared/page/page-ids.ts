/** The element of a page, or of the metadata of an SVG, with the packed profiles in base64. */
export const PAGE_DATA_ID = 'leanscope-profile';

/** The first bytes of a file that has nothing but packed profiles, which follow as they are. */
export const PACKED_MAGIC = 'LEANSCOPE PACKED PROFILE\n';

/** Incremented when a reader of the previous version would misread a page. */
export const PAGE_VERSION = 1;
