/**
 * The three tables of a dataset, and of a database that holds one. Ids are hashes of what they name, so that hosts write
 * into one folder without knowing of each other.
 *
 *   samples/service=shop/date=2026-11-28/part-web3-….parquet
 *     time                  host   thread      pool        samples   weight      stack
 *     2026-11-28 10:00:00   web3   http-7      http-*      12        120000000   -81002…
 *
 *   stacks/part-web3-….parquet            frames/part-web3-….parquet
 *     stack     frames                      frame     class           method   line
 *     -81002…   [5512…, -4711…] leaf first  5512…     com.acme.Cart   add      12
 */
export const TABLE_NAMES = ['samples', 'stacks', 'frames'] as const;
export type TableName = (typeof TABLE_NAMES)[number];

/** A column of a table. Its Parquet type is made from `type`. */
export interface TableColumn {
  readonly name: string;
  /** `ids`: a list of 64-bit integers. `time`: ns since 1970. */
  readonly type: 'text' | 'int64' | 'int32' | 'time' | 'bool' | 'ids';
  readonly isNullable?: true;
}

/** Columns that are folders: their values are in paths, and not in the files. */
export const PARTITIONS = ['service', 'date'] as const;

export const TABLES: Readonly<Record<TableName, readonly TableColumn[]>> = {
  samples: [
    // The beginning of the interval in which the samples were taken; absent where a file has no times since 1970.
    { name: 'time', type: 'time', isNullable: true },
    // The length of the interval in ns.
    { name: 'duration_ns', type: 'int64', isNullable: true },
    { name: 'host', type: 'text' },
    { name: 'instance', type: 'text' },
    // The version that was deployed; absent where the writer has not said.
    { name: 'version', type: 'text', isNullable: true },
    { name: 'thread', type: 'text' },
    { name: 'pool', type: 'text' },
    { name: 'state', type: 'text', isNullable: true },
    // The sample type that was chosen of a file, or what the file counts.
    { name: 'type', type: 'text' },
    // The unit of the weight: ns, bytes, or nothing.
    { name: 'unit', type: 'text' },
    { name: 'samples', type: 'int64' },
    { name: 'weight', type: 'int64' },
    { name: 'stack', type: 'int64' },
    { name: 'trace_id', type: 'text', isNullable: true },
    { name: 'span_id', type: 'text', isNullable: true },
    { name: 'operation', type: 'text', isNullable: true },
  ],
  stacks: [
    { name: 'stack', type: 'int64' },
    // Leaf first.
    { name: 'frames', type: 'ids' },
    { name: 'truncated', type: 'bool' },
  ],
  frames: [
    { name: 'frame', type: 'int64' },
    { name: 'class', type: 'text' },
    { name: 'method', type: 'text' },
    { name: 'descriptor', type: 'text', isNullable: true },
    { name: 'file', type: 'text', isNullable: true },
    // Absent where no line is known.
    { name: 'line', type: 'int32', isNullable: true },
    { name: 'bci', type: 'int32', isNullable: true },
    { name: 'kind', type: 'text', isNullable: true },
  ],
};
