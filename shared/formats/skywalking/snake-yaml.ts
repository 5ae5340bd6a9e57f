import { FAILSAFE_SCHEMA, load, Type, YAMLException } from 'js-yaml';

/** SkyWalking's files have a few kilobytes. */
const MAX_BYTES = 1 << 20;

export interface YamlText {
  /** Texts, lists and objects; undefined if the text cannot be read. */
  readonly root: unknown;
  readonly problem: { readonly message: string; readonly isTooLong?: true } | undefined;
}

/** Tags are ignored: the first line of a file is the tag of a Java class. */
const TAGS = (['scalar', 'sequence', 'mapping'] as const).flatMap((kind) =>
  ['!', 'tag:yaml.org,2002:'].map((tag) => new Type(tag, { kind, multi: true })),
);
/** Every scalar stays a text, because YAML 1.1 makes 1200 of `20:0`. */
const SCHEMA = FAILSAFE_SCHEMA.extend({ explicit: TAGS });

/** Reads YAML as SnakeYAML dumps Java beans. Aliases are references, and a hundred levels are the most. */
export function readSnakeYaml(bytes: Uint8Array): YamlText {
  if (bytes.length > MAX_BYTES)
    return {
      root: undefined,
      problem: { message: `more than ${MAX_BYTES >> 20} MB of YAML`, isTooLong: true },
    };
  try {
    return { root: load(utf8.decode(bytes), { schema: SCHEMA, json: true }), problem: undefined };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { root: undefined, problem: { message: `${error.reason} at character ${error.mark.position}` } };
  }
}

const utf8 = new TextDecoder();
