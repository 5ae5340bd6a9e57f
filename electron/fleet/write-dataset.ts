import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer, type ColumnSource } from 'hyparquet-writer';
import type { DatasetLabels, DatasetRows, TableRows } from './dataset-rows.ts';
import { type TableColumn, type TableName, TABLES } from './tables.ts';

/** Rows of a row group: a reader of one stack or minute skips those whose smallest and largest values do not fit. */
const GROUP_ROWS = 100_000;

type SchemaElement = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>[number];

/**
 * Adds the rows of a profile to a dataset: a file of frames, one of stacks, then one of samples for each day. Other
 * writers may do so at the same time. Each file is written beside its place, flushed and renamed, and samples come last:
 * after a crash the dataset has only whole files, and whatever they name is there. Returns the paths of the files.
 * Throws the errors of the file system.
 */
export function writeDataset(
  dir: string,
  rows: DatasetRows,
  labels: DatasetLabels,
  now: Date,
): readonly string[] {
  const part = `part-${pathPart(labels.host)}-${now.getTime().toString(36)}-${randomBytes(6).toString('hex')}.parquet`;
  const written: string[] = [];
  const write = (folder: string, table: TableName, of: TableRows): void => {
    written.push(writeWhole(join(dir, folder), part, parquetOf(table, of)));
  };
  write('frames', 'frames', rows.frames);
  write('stacks', 'stacks', rows.stacks);
  for (const [date, samples] of rows.samples)
    write(join('samples', `service=${pathPart(labels.service)}`, `date=${date}`), 'samples', samples);
  return written;
}

/** A label as a part of a path: what is no letter, digit, point, hyphen or underscore is %XX, as engines read it. */
function pathPart(label: string): string {
  return encodeURIComponent(label).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function writeWhole(folder: string, name: string, bytes: Uint8Array): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  // Readers look for part-*.parquet.
  const beside = join(folder, `.${name}.tmp`);
  const file = openSync(beside, 'wx');
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } catch (error) {
    closeSync(file);
    rmSync(beside, { force: true });
    throw error;
  }
  closeSync(file);
  renameSync(beside, path);
  return path;
}

/** The bytes of a Parquet file with the rows of a table. */
export function parquetOf(table: TableName, rows: TableRows): Uint8Array {
  const columns = TABLES[table];
  const columnData: ColumnSource[] = columns.map(({ name }) => ({
    name,
    data: rows[name] as ColumnSource['data'],
  }));
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.flatMap((column) => schemaOf(column)),
  ];
  return new Uint8Array(
    parquetWriteBuffer({ columnData, schema, rowGroupSize: GROUP_ROWS, createdBy: 'leanscope' }),
  );
}

function schemaOf({ name, type, isNullable }: TableColumn): SchemaElement[] {
  const repetition_type = isNullable ? 'OPTIONAL' : 'REQUIRED';
  const column = { name, repetition_type } as const;
  switch (type) {
    case 'text':
      return [{ ...column, type: 'BYTE_ARRAY', converted_type: 'UTF8' }];
    case 'int64':
      return [{ ...column, type: 'INT64' }];
    case 'int32':
      return [{ ...column, type: 'INT32' }];
    case 'bool':
      return [{ ...column, type: 'BOOLEAN' }];
    case 'time':
      return [
        {
          ...column,
          type: 'INT64',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' },
        },
      ];
    case 'ids':
      return [
        { ...column, converted_type: 'LIST', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'INT64', repetition_type: 'REQUIRED' },
      ];
  }
}
