import type { Cursor } from './cursor.ts';

export interface FieldType {
  readonly name: string;
  /** Id of the type of its value. */
  readonly type: number;
  readonly isArray: boolean;
  /** An event contains the key of a constant instead of the value. */
  readonly isPooled: boolean;
}

/** A type as the recording describes it: an event, a constant or a part of one. */
export interface RecordedType {
  readonly id: number;
  /** 'jdk.ExecutionSample', 'java.lang.Thread', 'long' … */
  readonly name: string;
  readonly fields: FieldType[];
}

/** An element whose children are being read. */
interface OpenElement {
  /** Number of children to read. */
  left: number;
  /** The type that it describes: `field` children belong to it. */
  readonly type: RecordedType | undefined;
}

/**
 * Reads a metadata event; the cursor is at the byte after its size and type (specs: JFR).
 *
 *   start, duration, id, number of strings, strings
 *   root ▸ metadata ▸ class  id=109 name=jdk.ExecutionSample superType=jdk.jfr.Event
 *                     └ field  name=stackTrace class=188 constantPool=true
 *
 * An element is: name, number of attributes, (key, value)…, number of children, children…; all texts are indexes of
 * strings. Returns undefined if the event is invalid.
 */
export function readMetadata(cursor: Cursor): ReadonlyMap<number, RecordedType> | undefined {
  cursor.skipIntegers(3);
  const strings: string[] = [];
  for (let left = cursor.count(); left > 0 && !cursor.hasFailed(); left--)
    strings.push(cursor.text(() => '') ?? '');
  const text = (): string => {
    const index = cursor.number();
    if (index < 0 || index >= strings.length) {
      cursor.fail();
      return '';
    }
    return strings[index];
  };

  const types = new Map<number, RecordedType>();
  const open: OpenElement[] = [{ left: 1, type: undefined }];
  while (open.length > 0 && !cursor.hasFailed()) {
    const parent = open[open.length - 1];
    if (parent.left === 0) {
      open.pop();
      continue;
    }
    parent.left--;
    const name = text();
    const attributes = new Map<string, string>();
    for (let left = cursor.count(); left > 0 && !cursor.hasFailed(); left--) attributes.set(text(), text());
    let type: RecordedType | undefined;
    if (name === 'class') {
      type = { id: Number(attributes.get('id')), name: attributes.get('name') ?? '', fields: [] };
      types.set(type.id, type);
    } else if (name === 'field' && parent.type !== undefined) {
      parent.type.fields.push({
        name: attributes.get('name') ?? '',
        type: Number(attributes.get('class')),
        isArray: Number(attributes.get('dimension') ?? 0) > 0,
        isPooled: attributes.get('constantPool') === 'true',
      });
    }
    open.push({ left: cursor.count(), type });
  }
  return cursor.hasFailed() ? undefined : types;
}
