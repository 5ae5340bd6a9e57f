import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a zip archive as it is written here, byte by byte (PKWARE APPNOTE, sections 4.3.7 to 4.3.9). */
export interface WrittenEntry {
  readonly name: string;
  readonly content: Uint8Array;
  readonly isStored?: boolean;
  /** The sizes and the checksum follow the entry: with a signature, and with sizes of 64 bits. */
  readonly descriptor?: { readonly isSigned: boolean; readonly isLong: boolean };
  /** Bytes behind the data, which belong to nothing. */
  readonly junk?: Uint8Array;
  /** Bytes behind the descriptor, or behind the data if there is none. */
  readonly junkBehind?: Uint8Array;
}

/** The entries without their directory, of which only the beginning is written. */
export function writtenZip(entries: readonly WrittenEntry[]): Uint8Array {
  return new Uint8Array(
    Buffer.concat([...entries.flatMap(partsOf), Buffer.from('PK\x01\x02'.padEnd(46, '\0'))]),
  );
}

const NOTHING = new Uint8Array(0);

function partsOf(entry: WrittenEntry): Uint8Array[] {
  const { name, content, isStored = false, descriptor, junk = NOTHING, junkBehind = NOTHING } = entry;
  const data = isStored ? content : deflateRawSync(content);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(descriptor === undefined ? 0 : 8, 6);
  header.writeUInt16LE(isStored ? 0 : 8, 8);
  if (descriptor === undefined) {
    header.writeUInt32LE(crc32(content), 14);
    header.writeUInt32LE(data.length, 18);
    header.writeUInt32LE(content.length, 22);
  }
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  const sizes = descriptor === undefined ? NOTHING : descriptorOf(descriptor, data.length, content);
  return [header, Buffer.from(name), data, junk, sizes, junkBehind];
}

function descriptorOf(
  { isSigned, isLong }: { readonly isSigned: boolean; readonly isLong: boolean },
  storedBytes: number,
  content: Uint8Array,
): Buffer {
  const fields = Buffer.alloc(isLong ? 20 : 12);
  fields.writeUInt32LE(crc32(content), 0);
  fields.writeUInt32LE(storedBytes, 4);
  fields.writeUInt32LE(content.length, isLong ? 12 : 8);
  return isSigned ? Buffer.concat([Buffer.from('PK\x07\x08'), fields]) : fields;
}
