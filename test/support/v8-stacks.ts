interface Node {
  readonly id: number;
  readonly functionName?: string;
  readonly callFrame?: { readonly functionName: string };
  readonly children?: readonly (number | Node)[];
  readonly hitCount?: number;
}

/** A `.cpuprofile` of today, or one before 2016, whose nodes contain each other below `head`. */
export interface V8Profile {
  readonly head?: Node;
  readonly nodes?: readonly Node[];
  readonly samples: readonly number[];
}

/** Id of a node -> its stack, `root;…;leaf`, by following children from the root; and how often V8 says it was hit. */
export function v8Stacks(file: V8Profile): Map<number, { readonly stack: string; readonly hits: number }> {
  const stacks = new Map<number, { readonly stack: string; readonly hits: number }>();
  const walk = (node: Node, above: string): void => {
    const functionName = (node.callFrame ?? node).functionName ?? '';
    const stack = functionName === '(root)' ? '' : `${above}${functionName || '(anonymous)'};`;
    stacks.set(node.id, { stack: stack.slice(0, -1), hits: node.hitCount ?? 0 });
    for (const child of node.children ?? []) {
      const found = typeof child === 'number' ? file.nodes?.find(({ id }) => id === child) : child;
      if (found !== undefined) walk(found, stack);
    }
  };
  const head = file.head ?? file.nodes?.[0];
  if (head !== undefined) walk(head, '');
  return stacks;
}
