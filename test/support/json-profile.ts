import { LeanProfile } from '../../shared/profile/lean-profile.ts';

/** A profile that was exported as JSON (docs/json.md). */
export interface JsonProfile {
  readonly name: string;
  readonly units: { readonly counted: object; readonly value: object | null };
  readonly facts: Readonly<Record<string, unknown>> | null;
  readonly scope: { readonly samples: number; readonly outside: number } | null;
  readonly threads: readonly { readonly id: string; readonly name: string | null; readonly root: number }[];
  readonly methods: readonly {
    readonly id: string;
    readonly class: string | null;
    readonly method: string | null;
    readonly file: string | null;
  }[];
  readonly frames: readonly { readonly method: number; readonly line: number; readonly bci: number }[];
  readonly nodes: {
    readonly length: number;
    readonly parent: readonly number[];
    readonly frame: readonly number[];
  };
  readonly selfValues: {
    readonly length: number;
    readonly node: readonly number[];
    readonly samples: readonly number[];
    readonly value: readonly string[] | null;
  };
}

/** The tables of a profile from its JSON, by the description alone. */
export function profileFromJson(json: JsonProfile): LeanProfile {
  const profile = new LeanProfile(json.scope === null);
  const { threads, methods, frames, nodes, selfValues } = profile;
  const threadOfRoot = new Map<number, number>();
  for (const { id, name, root } of json.threads) {
    const thread = threads.append(...halves(id));
    threads.name[thread] = name ?? undefined;
    threads.root[thread] = root;
    threadOfRoot.set(root, thread);
  }
  for (const { id, ...names } of json.methods) {
    const method = methods.append(...halves(id));
    if (names.class === null) continue;
    methods.names[method] = {
      className: names.class,
      methodName: names.method ?? '?',
      file: names.file ?? '?',
    };
  }
  for (const { method, line, bci } of json.frames) frames.append(method, line, bci);
  json.nodes.parent.forEach((parent, node) => {
    nodes.append(parent, parent < 0 ? ~threadOfRoot.get(node)! : json.nodes.frame[node]);
  });
  json.selfValues.node.forEach((node, row) => {
    selfValues.set(
      selfValues.append(node),
      json.selfValues.samples[row],
      BigInt(json.selfValues.value?.[row] ?? 0),
    );
  });
  return profile;
}

function halves(id: string): [hi: number, lo: number] {
  const value = BigInt(id);
  return [Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asIntN(32, value))];
}
