import type { Cursor } from './cursor.ts';

export interface FieldType {
  readonly name: string;
  /** Id of the type of its value. */
  readonly type: number;
  readonly isArray: boolean;
  /** An event contains the key of a constant instead of the value. */
  readonly isPooled: boolean;
  readonly annotations: Annotation[];
}

/** The annotations of a type or a field: its label, the unit of its values. */
interface Annotation {
  /** Id of the annotation's type. */
  readonly type: number;
  /** Empty if it has none. */
  readonly value: string;
}

/** A type as the recording describes it: an event, a constant or a part of one. */
export interface RecordedType {
  readonly id: number;
  /** 'jdk.ExecutionSample', 'java.lang.Thread', 'long' … */
  readonly name: string;
  readonly fields: FieldType[];
  /** Empty for a type without a super type. */
  readonly superType: string;
  readonly annotations: Annotation[];
}

/** By id. */
export type Types = ReadonlyMap<number, RecordedType>;

/** Unit of a time span -> ns. */
export const SPANS: Readonly<Record<string, number | undefined>> = {
  NANOSECONDS: 1,
  MICROSECONDS: 1e3,
  MILLISECONDS: 1e6,
  SECONDS: 1e9,
};
/** The value of the annotation with a name; undefined if there is none. */
export function annotationOf(
  annotations: readonly Annotation[],
  name: string,
  types: Types,
): string | undefined {
  return annotations.find(({ type }) => types.get(type)?.name === name)?.value;
}

/** An element whose children are being read. */
interface OpenElement {
  /** Number of children to read. */
  left: number;
  /** The type that it describes: `field` children belong to it. */
  readonly type: RecordedType | undefined;
  /** Annotations of the type or field that it describes. */
  readonly annotations: Annotation[] | undefined;
}

/**
 * Reads a metadata event; the cursor is at the byte after its size and type (specs: JFR).
 *
 *   start, duration, id, number of strings, strings
 *   root ▸ metadata ▸ class  id=109 name=jdk.ExecutionSample superType=jdk.jfr.Event
 *                     └ field  name=stackTrace class=188 constantPool=true
 *                        └ annotation  class=17 value=Stack Trace
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
  const open: OpenElement[] = [{ left: 1, type: undefined, annotations: undefined }];
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
    let annotations: Annotation[] | undefined;
    if (name === 'class') {
      annotations = [];
      type = {
        id: Number(attributes.get('id')),
        name: attributes.get('name') ?? '',
        fields: [],
        superType: attributes.get('superType') ?? '',
        annotations,
      };
      types.set(type.id, type);
    } else if (name === 'annotation') {
      const value = attributes.get('value') ?? '';
      parent.annotations?.push({ type: Number(attributes.get('class')), value });
    } else if (name === 'field' && parent.type !== undefined) {
      annotations = [];
      parent.type.fields.push({
        name: attributes.get('name') ?? '',
        type: Number(attributes.get('class')),
        isArray: Number(attributes.get('dimension') ?? 0) > 0,
        isPooled: attributes.get('constantPool') === 'true',
        annotations,
      });
    }
    open.push({ left: cursor.count(), type, annotations });
  }
  return cursor.hasFailed() ? undefined : types;
}
