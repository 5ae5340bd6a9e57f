/** Signatures, sizes and values of the records of zip archives (APPNOTE.TXT of PKWARE, sections 4.3 and 4.4). */

/** Signatures: the first four bytes of a part. */
export const LOCAL_HEADER = 0x04034b50;
export const DESCRIPTOR = 0x08074b50;
export const CENTRAL_HEADER = 0x02014b50;
export const ARCHIVE_EXTRA_DATA = 0x08064b50;
export const END_OF_DIRECTORY = 0x06054b50;
export const END_OF_DIRECTORY_64 = 0x06064b50;
export const LOCATOR_64 = 0x07064b50;

/** Bytes of an entry's header without its name and extra field. */
export const LOCAL_HEADER_BYTES = 30;
/** A bit of the flags of an entry. */
export const ENCRYPTED = 1;
/** Methods of compression. */
export const STORED = 0;
export const DEFLATED = 8;
/** Stands in place of a 32-bit number that has 64 bits and is in the extra field INT64_FIELD. */
export const INT32_OVERFLOW = 0xffffffff;
export const INT64_FIELD = 1;
