import {
  tarEntryName,
  tarEntrySize,
  TarEntryType,
  tarText,
  TAR_BLOCK_BYTES as BLOCK,
  paxPath,
} from '../../read/tar-header.ts';
import type { Damage } from '../../facts/damage.ts';

/** A file of a tar archive: bytes[from … to) of the archive. */
export interface TarEntry {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The archive ends within the file. */
  readonly isIncomplete: boolean;
}

export interface TarListing {
  readonly entries: readonly TarEntry[];
  /** The first invalid header. */
  readonly damage: Damage | undefined;
}

/**
 * Lists the files of a tar archive (POSIX ustar, with the long names of GNU tar and pax).
 *
 *   ▐header 512▐ content, filled up to a multiple of 512 ▐header▐ … ▐two blocks of zeros▐
 */
export function listTar(archive: Uint8Array): TarListing {
  const entries: TarEntry[] = [];
  let longName: string | undefined;
  let headers = 0;
  for (let at = 0; at + BLOCK <= archive.length;) {
    if (archive[at] === 0) return { entries, damage: undefined };
    const size = tarEntrySize(archive, at);
    if (size === undefined) {
      const damage: Damage = {
        what: 'tar header',
        byteOffset: at,
        record: headers,
        found: 'a header with a wrong checksum or size',
        expected: 'a tar header or zeros',
      };
      return { entries, damage };
    }
    headers++;
    const from = at + BLOCK;
    const to = Math.min(archive.length, from + size);
    const type = archive[at + 156];
    if (type === TarEntryType.gnuLongName) longName = tarText(archive, from, to);
    else if (type === TarEntryType.pax) longName = paxPath(archive, from, to);
    else {
      if (type === TarEntryType.file || type === TarEntryType.oldFile) {
        const name = longName ?? tarEntryName(archive, at);
        entries.push({ name, from, to, isIncomplete: from + size > archive.length });
      }
      longName = undefined;
    }
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
  return { entries, damage: undefined };
}
