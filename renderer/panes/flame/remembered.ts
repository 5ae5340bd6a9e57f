/** Most texts in the cache. */
const MOST = 8192;

/** Caches a function of a text; a full cache is emptied. */
export function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      if (known.size === MOST) known.clear();
      known.set(text, (value = compute(text)));
    }
    return value;
  };
}
