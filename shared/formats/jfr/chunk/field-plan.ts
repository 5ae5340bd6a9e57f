import type { Cursor } from './cursor.ts';
import type { RecordedType } from './metadata.ts';

/** The encoding of the value of a field. */
export const Shape = {
  integer: 0,
  text: 1,
  array: 2,
  /** Bytes of fixed number: byte 1, float 4, double 8. */
  bytes: 3,
} as const;
export type Shape = (typeof Shape)[keyof typeof Shape];

/** Limits the steps of a plan and the types visited for it: types that contain each other may need too many. */
const MAX_STEPS = 4096;
/** Limits the nesting of types and of arrays. */
const MAX_DEPTH = 32;

/** Most fields that a plan reads. */
export const SLOTS = 16;

/** Values that a plan has read: halves of integers, and offsets of texts and arrays. */
export class FieldValues {
  readonly lo = new Int32Array(SLOTS);
  readonly hi = new Int32Array(SLOTS);
  readonly at = new Int32Array(SLOTS);

  /** A loop, because `fill` takes ten times as long for so few cells. */
  clear(): void {
    const { lo, hi, at } = this;
    for (let slot = 0; slot < SLOTS; slot++) {
      lo[slot] = 0;
      hi[slot] = 0;
      at[slot] = 0;
    }
  }

  number(slot: number): number {
    return this.hi[slot] * 4_294_967_296 + (this.lo[slot] >>> 0);
  }
}

/** The values of plans without slots. */
const NOWHERE = new FieldValues();

/**
 * The steps that read values of a type: one per field, with nested types flattened. A step reads its field into a slot or
 * skips it. Plans are made from the metadata of the recording; no type has a fixed layout.
 *
 *   plan for jdk.types.StackFrame that reads method and lineNumber
 *   step   shape     slot
 *   0      integer    0      method
 *   1      integer    1      lineNumber
 *   2      integer   -1      bytecodeIndex
 *   3      integer   -1      type
 */
export class FieldPlan {
  readonly shapes: Shape[] = [];
  readonly slots: number[] = [];
  /** Per step: number of bytes, for Shape.bytes. */
  readonly lengths: number[] = [];
  /** Per step: plan of an array's elements. */
  readonly elements: (FieldPlan | undefined)[] = [];
  /** Per slot: its field; undefined if the type has no such field. */
  readonly wanted: (WantedField | undefined)[] = [];
  /** All steps skip integers. */
  isOnlyIntegers = true;
  /** Number of types visited to make the plan. */
  visited = 0;

  get isEmpty(): boolean {
    return this.shapes.length === 0;
  }

  /** Reads one value of the type, or its first `steps`. Slots without a field keep their values. `depth`: of arrays. */
  read(cursor: Cursor, values: FieldValues, steps = this.shapes.length, depth = 0): void {
    const { shapes, slots } = this;
    const { bytes } = cursor;
    for (let step = 0; step < steps; step++) {
      const slot = slots[step];
      switch (shapes[step]) {
        case Shape.integer: {
          // Most integers have one byte, and take half the time here.
          const byte = bytes[cursor.at];
          if (byte < 0x80 && cursor.at < cursor.end) {
            cursor.at++;
            if (slot >= 0) {
              values.lo[slot] = byte;
              values.hi[slot] = 0;
            }
            break;
          }
          cursor.integer();
          if (slot >= 0) {
            values.lo[slot] = cursor.lo;
            values.hi[slot] = cursor.hi;
          }
          break;
        }
        case Shape.bytes:
          if (slot >= 0) {
            values.lo[slot] = bytes[cursor.at];
            values.hi[slot] = 0;
            values.at[slot] = cursor.at;
          }
          cursor.skip(this.lengths[step]);
          break;
        case Shape.text:
          if (slot >= 0) values.at[slot] = cursor.at;
          cursor.skipText();
          break;
        case Shape.array:
          if (slot >= 0) values.at[slot] = cursor.at;
          this.elements[step]?.skipArray(cursor, depth);
      }
    }
  }

  /** Skips one value of the type. */
  skip(cursor: Cursor, depth: number): void {
    if (this.isOnlyIntegers) cursor.skipIntegers(this.shapes.length);
    else this.read(cursor, NOWHERE, this.shapes.length, depth + 1);
  }

  /** Skips an array: the number of elements, and the elements. */
  skipArray(cursor: Cursor, depth: number): void {
    if (this.isEmpty || depth > MAX_DEPTH) {
      cursor.integer();
      if (!this.isEmpty) cursor.fail();
      return;
    }
    const count = cursor.count();
    if (this.isOnlyIntegers) cursor.skipIntegers(count * this.shapes.length);
    else for (let left = count; left > 0 && !cursor.hasFailed(); left--) this.skip(cursor, depth);
  }
}

/** Names of the fields that a plan reads, by slot. A list contains alternative names of a field. */
export type WantedNames = readonly (string | readonly string[])[];

interface WantedField {
  readonly shape: Shape;
  /** Id of its type, or of the type of its elements. */
  readonly type: number;
  /** Undefined if the type is not described. */
  readonly typeName: string | undefined;
  readonly isPooled: boolean;
  /** The plan of an array's elements. */
  readonly element: FieldPlan | undefined;
}

/** Makes plans for the types of one chunk. */
export class FieldPlanner {
  readonly types: ReadonlyMap<number, RecordedType>;
  /** Plans without slots, including those still being made: arrays may contain their own type. */
  readonly #skipping = new Map<number, FieldPlan | undefined>();
  readonly #reading = new Map<WantedNames, Map<number, FieldPlan | undefined>>();

  constructor(types: ReadonlyMap<number, RecordedType>) {
    this.types = types;
  }

  /** A plan that skips a value of a type; undefined if the type is not described or exceeds the limits. */
  skipping(type: number): FieldPlan | undefined {
    if (this.#skipping.has(type)) return this.#skipping.get(type);
    const plan = new FieldPlan();
    this.#skipping.set(type, plan);
    if (this.#addType(plan, type, 0)) return plan;
    this.#skipping.set(type, undefined);
    return undefined;
  }

  /** A plan that reads the field `wanted[slot]` into each slot. The same list of names returns the same plan. */
  reading(type: number, wanted: WantedNames): FieldPlan | undefined {
    let plans = this.#reading.get(wanted);
    if (plans === undefined) this.#reading.set(wanted, (plans = new Map<number, FieldPlan | undefined>()));
    if (!plans.has(type)) plans.set(type, this.#planReading(type, wanted));
    return plans.get(type);
  }

  #planReading(type: number, wanted: WantedNames): FieldPlan | undefined {
    const plan = new FieldPlan();
    plan.wanted.length = wanted.length;
    const fields = this.types.get(type)?.fields;
    if (fields === undefined) return undefined;
    for (const field of fields) {
      const slot = wanted.findIndex((names) =>
        typeof names === 'string' ? names === field.name : names.includes(field.name),
      );
      const first = plan.shapes.length;
      if (!this.#addField(plan, field, 0)) return undefined;
      // A nested type, which is flattened, has no value of its own.
      if (slot < 0 || plan.shapes.length !== first + 1 || plan.wanted[slot] !== undefined) continue;
      plan.slots[first] = slot;
      plan.isOnlyIntegers = false;
      plan.wanted[slot] = {
        shape: plan.shapes[first],
        type: field.type,
        typeName: this.types.get(field.type)?.name,
        isPooled: field.isPooled,
        element: plan.elements[first],
      };
    }
    return plan;
  }

  #addField(plan: FieldPlan, field: RecordedType['fields'][number], depth: number): boolean {
    if (field.isArray) {
      const element = field.isPooled ? POOLED : this.skipping(field.type);
      return element !== undefined && this.#add(plan, Shape.array, 0, element);
    }
    return field.isPooled ? this.#add(plan, Shape.integer, 0) : this.#addType(plan, field.type, depth);
  }

  #addType(plan: FieldPlan, type: number, depth: number): boolean {
    const described = this.types.get(type);
    if (described === undefined || depth > MAX_DEPTH || ++plan.visited > MAX_STEPS) return false;
    switch (described.name) {
      case 'boolean':
      case 'byte':
        return this.#add(plan, Shape.bytes, 1);
      case 'char':
      case 'short':
      case 'int':
      case 'long':
        return this.#add(plan, Shape.integer, 0);
      case 'float':
        return this.#add(plan, Shape.bytes, 4);
      case 'double':
        return this.#add(plan, Shape.bytes, 8);
      case 'java.lang.String':
        return this.#add(plan, Shape.text, 0);
    }
    return described.fields.every((field) => this.#addField(plan, field, depth + 1));
  }

  #add(plan: FieldPlan, shape: Shape, length: number, element?: FieldPlan): boolean {
    plan.shapes.push(shape);
    plan.slots.push(-1);
    plan.lengths.push(length);
    plan.elements.push(element);
    plan.isOnlyIntegers &&= shape === Shape.integer;
    return plan.shapes.length <= MAX_STEPS;
  }
}

/** Plan of arrays of constants, whose elements are keys. */
const POOLED = new FieldPlan();
POOLED.shapes.push(Shape.integer);
POOLED.slots.push(-1);
POOLED.lengths.push(0);
POOLED.elements.push(undefined);
