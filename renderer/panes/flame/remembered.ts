/** Texts that are remembered at once. */
const MOST = 8192;

/** Computes what belongs to a text once, and again only after many others were asked for. */
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
