export const CHUNK_HEADER_BYTES = 68;

/** Offsets in larger chunks would need more than 32 bits. A JVM's chunks have some 12 MB, async-profiler's 100 MB. */
const MAX_CHUNK_BYTES = 2 ** 31 - 1;
/** Offset of the state of the chunk. */
const STATE_OFFSET = 64;
const COMPRESSED_INTEGERS = 1;
const MAGIC = [0x46, 0x4c, 0x52, 0x00] as const;

/**
 * The first 68 bytes of a chunk, big-endian; u2, i4 and i8 are integers of 2, 4 and 8 bytes (specs: JFR).
 *
 *   0    FLR\0   u2 major   u2 minor
 *   8    size               i8, including the header; 0: not finished
 *   16   constant pools     i8, offset of their last event in the chunk; 0: not written yet
 *   24   metadata           i8, offset of the metadata event in the chunk; 0: not written yet
 *   32   start              i8 ns since 1970
 *   40   duration           i8 ns
 *   48   start              i8 ticks
 *   56   ticks per second   i8
 *   64   state              u1; 0: finished, 255: the header is being written, else the number of the flush
 *   66   features           u2; lowest bit: compressed integers
 */
export interface ChunkHeader {
  /** 0: the chunk is not finished. */
  readonly size: number;
  /** 0: unknown. */
  readonly metadataOffset: number;
  /** 0: unknown. */
  readonly poolsOffset: number;
  readonly startNs: bigint;
  readonly startTicks: number;
  readonly ticksPerSecond: number;
  /**
   * The JVM is writing the chunk: `size` is that of what it has flushed, where every event is complete and no constant is
   * missing. More follows with the next flush, after a new header (specs: live-jvm, section 3).
   */
  readonly isOpen: boolean;
}

/** Why a header is invalid. */
interface WrongHeader {
  readonly found: string;
  readonly expected: string;
}

/** Whether `bytes` begin with the magic number of a chunk; undefined if there are too few of them. */
export function beginsChunk(bytes: Uint8Array): boolean | undefined {
  for (let at = 0; at < MAGIC.length; at++) {
    if (at === bytes.length) return undefined;
    if (bytes[at] !== MAGIC[at]) return false;
  }
  return true;
}

/** `bytes`: at least CHUNK_HEADER_BYTES. */
export function readChunkHeader(bytes: Uint8Array): ChunkHeader | WrongHeader {
  if (beginsChunk(bytes) !== true) {
    const found = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    return { found, expected: '46 4c 52 00 (FLR), the start of a chunk' };
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, CHUNK_HEADER_BYTES);
  const major = view.getUint16(4);
  if (major !== 2) {
    const age = major < 2 ? ', the format of Oracle JDK 8 and older' : '';
    return { found: `version ${major}.${view.getUint16(6)}${age}`, expected: 'version 2' };
  }
  if ((view.getInt32(64) & COMPRESSED_INTEGERS) === 0)
    return { found: 'integers of fixed length', expected: 'compressed integers, as every JVM writes them' };
  const number = (at: number): number => Number(view.getBigInt64(at));
  const [size, poolsOffset, metadataOffset] = [number(8), number(16), number(24)];
  if (size !== 0 && (size < CHUNK_HEADER_BYTES || size > MAX_CHUNK_BYTES))
    return {
      found: `a chunk of ${size} bytes`,
      expected: `at least ${CHUNK_HEADER_BYTES} and at most 2 GB, or 0 for one that is not finished`,
    };
  const ticksPerSecond = number(56);
  if (ticksPerSecond <= 0)
    return { found: `a clock of ${ticksPerSecond} ticks a second`, expected: 'more than 0 ticks a second' };
  return {
    size,
    poolsOffset,
    metadataOffset,
    startNs: view.getBigInt64(32),
    startTicks: number(48),
    ticksPerSecond,
    isOpen: size > 0 && bytes[STATE_OFFSET] !== 0,
  };
}

/** Whether two headers are of the same chunk, at different flushes. */
export function areOfOneChunk(some: ChunkHeader, other: ChunkHeader): boolean {
  return some.startNs === other.startNs && some.startTicks === other.startTicks;
}
