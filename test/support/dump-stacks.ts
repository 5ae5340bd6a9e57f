/** The stacks with frames of a thread dump in text, as a plain reader of its lines finds them: `thread;root;…;leaf n`. */
export function stacksInText(text: string): string[] {
  const found = new Map<string, number>();
  for (const block of text.split(/^(?=(?:#\d+ )?")/m)) {
    const name = /^(?:#\d+ )?"(.*)"/.exec(block)?.[1];
    const frames = Array.from(block.matchAll(/^\s+at (?:[\w.]+\/)?([\w.$<>]+)\(/gm), ([, method]) => method);
    if (name === undefined || frames.length === 0) continue;
    const stack = [name, ...frames.reverse()].join(';');
    found.set(stack, (found.get(stack) ?? 0) + 1);
  }
  return Array.from(found, ([stack, count]) => `${stack} ${count}`).sort();
}

/** Stacks of a dump in JSON, in the form of `stacksInText`, as `Thread.dump_to_file -format=json` writes it. */
export function stacksInJson(text: string): string[] {
  interface Dump {
    readonly threadDump: {
      readonly threadContainers: readonly {
        readonly threads: readonly { readonly name: string; readonly stack: readonly string[] }[];
      }[];
    };
  }
  const { threadContainers } = (JSON.parse(text) as Dump).threadDump;
  const asText = threadContainers
    .flatMap(({ threads }) => threads)
    .map(({ name, stack }) => [`"${name}"`, ...stack.map((frame) => `  at ${frame}`)]);
  return stacksInText(asText.flat().join('\n'));
}
