import { FIRST_ROWS, grown, nextCapacity } from './columns.ts';

/**
 * Contexts: intervals of threads with a name and attributes, such as requests, operations or spans. Append-only, in the order
 * of the file, which is usually that of their ends. 36 bytes each, and 8 for an attribute, besides the texts.
 *
 *   row   thread   from   to    name   attributes            texts
 *   0     3        400    900   0      1=2                   0 'checkout', 1 'customer', 2 'gold', 3 'store'
 *   1     3        500    600   3
 *
 * Contexts of a thread may be inside each other. Names, keys and values are numbers of texts, which are numbered in the order
 * of rows, so that the texts of the first rows are the first texts.
 */
export class ContextTable {
  length = 0;

  /** Grows whenever a row is appended. */
  get revision(): number {
    return this.length;
  }

  /** Time to which `from` and `to` are relative, as `SampleTable.origin`; undefined until there is a context. */
  origin: bigint | undefined;
  /** -> row of the ThreadTable. */
  thread = new Int32Array(FIRST_ROWS);
  /** [from, to) in ns after `origin`, safe integers. */
  from = new Float64Array(FIRST_ROWS);
  to = new Float64Array(FIRST_ROWS);
  /** -> text. */
  name = new Int32Array(FIRST_ROWS);
  /** -> the end of its attributes; they begin where those of the row before end. */
  attributesEnd = new Int32Array(FIRST_ROWS);
  /** -> how many texts this row and those before it use. */
  textsEnd = new Int32Array(FIRST_ROWS);
  /** Attribute -> texts. */
  key = new Int32Array(FIRST_ROWS);
  value = new Int32Array(FIRST_ROWS);
  readonly texts: string[] = [];
  /** Texts that are keys. */
  readonly keys = new Set<number>();
  readonly #numbers = new Map<string, number>();

  /** The number of a text, which is added if it is new. */
  text(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  /** The number of a text; -1 for one that no context has. */
  find(text: string): number {
    return this.#numbers.get(text) ?? -1;
  }

  /** Appends a row. Its attributes are the keys and values [first, end) of other columns; its texts are there already. */
  append(
    thread: number,
    from: number,
    to: number,
    name: number,
    attributes: { readonly key: ArrayLike<number>; readonly value: ArrayLike<number> },
    first: number,
    end: number,
  ): void {
    const row = this.length;
    if (row === this.thread.length) this.#grow(nextCapacity(row, row + 1));
    let at = this.attributesFrom(row);
    const needed = at + end - first;
    if (needed > this.key.length) {
      const capacity = nextCapacity(this.key.length, needed);
      this.key = grown(this.key, capacity, at);
      this.value = grown(this.value, capacity, at);
    }
    for (let each = first; each < end; each++) {
      this.key[at] = attributes.key[each];
      this.keys.add(attributes.key[each]);
      this.value[at++] = attributes.value[each];
    }
    this.thread[row] = thread;
    this.from[row] = from;
    this.to[row] = to;
    this.name[row] = name;
    this.attributesEnd[row] = at;
    this.textsEnd[row] = this.texts.length;
    this.length = row + 1;
  }

  attributesFrom(row: number): number {
    return row === 0 ? 0 : this.attributesEnd[row - 1];
  }

  textsFrom(row: number): number {
    return row === 0 ? 0 : this.textsEnd[row - 1];
  }

  #grow(capacity: number): void {
    this.thread = grown(this.thread, capacity);
    this.from = grown(this.from, capacity);
    this.to = grown(this.to, capacity);
    this.name = grown(this.name, capacity);
    this.attributesEnd = grown(this.attributesEnd, capacity);
    this.textsEnd = grown(this.textsEnd, capacity);
  }
}
