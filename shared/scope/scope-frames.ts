import { NONE } from '../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../profile/frame-table.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { MADE_ID_HI, type MethodNames } from '../profile/method-table.ts';
import type { FrameGrouping } from '../engine/trees/grouping.ts';
import { KeyTables, type KeyTable } from '../engine/trees/keys.ts';
import type { MachineName } from './scope.ts';

/** Identities of made frames begin here. A profile has fewer frames: they are rows of typed arrays. */
const FIRST_MADE_ID = 0x40000000;

/**
 * The frames of a profile in scope: copies of the source's frames, and those that transforms make. They are appended to
 * the frame and method tables of `profile`.
 *
 *   frame   method                 origin
 *   0       Shop.main              frame 0 of the source
 *   1       Shop$$Lambda/0x7f.run  frame 3 of the source
 *   2       Shop$$Lambda.run       frame 3 of the source, folded
 *   3       java.util.regex.*      none: made by a transform
 */
export class ScopeFrames {
  readonly #source: LeanProfile;
  readonly #profile: LeanProfile;
  /** Keys of the frames in the groupings in which transforms name them. */
  readonly #keys: KeyTables;
  /** Frame of the source -> frame here; absent where it was not used yet. */
  readonly #ofSource: (number | undefined)[] = [];
  readonly #methodOfSource: (number | undefined)[] = [];
  readonly #origin: number[] = [];
  readonly #made = new Map<string, number>();
  readonly #madeById = new Map<number, number>();
  /** Method and kinds of names -> the method with folded names; the method itself where it has none of them. */
  readonly #foldedMethods = new Map<string, number>();
  /** Methods whose name was unknown when they were copied, as numbers of the source. */
  readonly #unnamed: number[] = [];

  constructor(source: LeanProfile, profile: LeanProfile) {
    this.#source = source;
    this.#profile = profile;
    this.#keys = new KeyTables(profile);
  }

  /** Keys of the frames. */
  keys(grouping: FrameGrouping): KeyTable {
    return this.#keys.of(grouping);
  }

  /** A method that had no name when it was copied has one now: everything must be made again. */
  get isOutdated(): boolean {
    const { names } = this.#source.methods;
    return this.#unnamed.some((method) => names[method] !== undefined);
  }

  /** The copy of a frame of the source. */
  ofSource(frame: number): number {
    const known = this.#ofSource[frame];
    if (known !== undefined) return known;
    const { frames } = this.#source;
    const method = this.#methodOf(frames.method[frame]);
    const copy = this.#append(method, frames.line[frame], frames.bci[frame], frame);
    this.#ofSource[frame] = copy;
    return copy;
  }

  /**
   * The identity of a frame: the frame of the source that it was copied from, directly or by folding. For one that a
   * transform made, a number above those of all frames that its label gives.
   */
  idOf(frame: number): number {
    return this.#origin[frame];
  }

  /** The frame with this identity, before folding; NONE if it was not used. */
  frameOf(id: number): number {
    return (id < FIRST_MADE_ID ? this.#ofSource[id] : this.#madeById.get(id)) ?? NONE;
  }

  /** A frame without method or line in the source, such as `java.util.*`; the same for the same label. */
  made(label: string): number {
    const known = this.#made.get(label);
    if (known !== undefined) return known;
    const { methods } = this.#profile;
    const method = methods.append(MADE_ID_HI, this.#made.size);
    methods.names[method] = { file: '', className: '', methodName: label };
    const id = madeId(label);
    const frame = this.#append(method, NO_LINE, NO_BCI, id);
    this.#made.set(label, frame);
    this.#madeById.set(id, frame);
    return frame;
  }

  /** The frame with machine-made parts removed from its names; the frame itself if there are none. */
  folded(frame: number, kinds: readonly MachineName[]): number {
    const { frames } = this.#profile;
    const method = frames.method[frame];
    const folded = this.#foldedMethod(method, kinds);
    if (folded === method) return frame;
    return this.#append(folded, frames.line[frame], frames.bci[frame], this.#origin[frame]);
  }

  /** One for all frames of the method, so that its id stays that of one method. */
  #foldedMethod(method: number, kinds: readonly MachineName[]): number {
    const key = `${method} ${kinds.join()}`;
    const known = this.#foldedMethods.get(key);
    if (known !== undefined) return known;
    const { methods } = this.#profile;
    const names = methods.names[method];
    // Not kept: a name may come later, and then everything is made again.
    if (names === undefined) return method;
    const folded = foldedNames(names, kinds);
    let to = method;
    if (folded !== names) {
      to = methods.append(methods.idHi[method], methods.idLo[method]);
      methods.names[to] = folded;
    }
    this.#foldedMethods.set(key, to);
    return to;
  }

  #methodOf(sourceMethod: number): number {
    const known = this.#methodOfSource[sourceMethod];
    if (known !== undefined) return known;
    const { methods } = this.#source;
    const copy = this.#profile.methods.append(methods.idHi[sourceMethod], methods.idLo[sourceMethod]);
    const names: MethodNames | undefined = methods.names[sourceMethod];
    this.#profile.methods.names[copy] = names;
    if (names === undefined) this.#unnamed.push(sourceMethod);
    this.#methodOfSource[sourceMethod] = copy;
    return copy;
  }

  #append(method: number, line: number, bci: number, origin: number): number {
    this.#origin.push(origin);
    return this.#profile.frames.append(method, line, bci);
  }
}

/** Whether a frame with this identity was made by a transform: it is of no method of the source. */
export function isMadeFrame(id: number): boolean {
  return id >= FIRST_MADE_ID;
}

/** The identity of a made frame: that of its label, so that what is selected stays so in every scope. FNV-1a, 30 bits. */
function madeId(label: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < label.length; at++) hash = Math.imul(hash ^ label.charCodeAt(at), 0x01000193);
  return FIRST_MADE_ID + ((hash >>> 2) & 0x3fffffff);
}

/** Address or number of a hidden class: `/0x00007f12`, `.0x7f12`, `+0x7f12/1234`; of OpenJ9 `/000000009800F0A0`. */
const HIDDEN = String.raw`(?:[./+](?:0x[\da-fA-F]+|\d+|[\da-fA-F]{16}))`;

/** The replacements in class names. The order matters: the first that changes a name is used. */
const CLASS_NAMES: Readonly<Record<MachineName, readonly (readonly [RegExp, string])[]>> = {
  lambda: [
    [new RegExp(String.raw`\$\$Lambda(?:\$\d+)?${HIDDEN}*$`), '$$$$Lambda'],
    [new RegExp(String.raw`(LambdaForm\$[A-Za-z]+)(?:\$\d+)?${HIDDEN}*$`), '$1'],
  ],
  proxy: [
    [/^jdk\.proxy\d*\.\$Proxy\d+$/, 'jdk.proxy.$$Proxy'],
    [/\$Proxy\d+$/, '$$Proxy'],
  ],
  reflection: [
    [
      new RegExp(
        String.raw`(Generated(?:Method|Constructor|SerializationConstructor)Accessor)\d+${HIDDEN}*$`,
      ),
      '$1',
    ],
  ],
  generated: [
    // An enhanced class can be enhanced again, or have a fast class: each part has a number.
    [
      new RegExp(
        String.raw`(\$\$(?:(?:EnhancerBy|FastClassBy|KeyFactoryBy)[A-Za-z]*|SpringCGLIB|FastClass))\$\$[\da-f]+(?:_\d+)?(?:(?=\$\$)|${HIDDEN}*$)`,
        'g',
      ),
      '$1',
    ],
    [
      new RegExp(
        String.raw`(\$(?:ByteBuddy|HibernateProxy|MockitoMock|HibernateInstantiator|HibernateAccessOptimizer))\$(?!auxiliary\b)\w+(?:(\$auxiliary)\$\w+)?${HIDDEN}*$`,
      ),
      '$1$2',
    ],
    [/(_\$\$_jvst)[\da-f]*_[\da-f]+$/, '$1'],
    [new RegExp(`${HIDDEN}+$`), ''],
  ],
};

/** Numbers that a compiler gives to the methods of lambdas: `lambda$main$0`, Scala's `$anonfun$main$1`. */
const LAMBDA_METHOD = /^(lambda\$.+|\$anonfun\$.+)\$\d+$/;

/** The names with their machine-made parts removed; the same object when there are none. */
export function foldedNames(names: MethodNames, kinds: readonly MachineName[]): MethodNames {
  let { className, methodName } = names;
  for (const kind of kinds) {
    className = replacedByFirst(className, CLASS_NAMES[kind]);
    if (kind === 'lambda') methodName = methodName.replace(LAMBDA_METHOD, '$1');
  }
  if (className === names.className && methodName === names.methodName) return names;
  return { ...names, className, methodName };
}

/** Whether any of the names has a machine-made part. O(methods). */
export function hasFoldedNames(
  names: readonly (MethodNames | undefined)[],
  kinds: readonly MachineName[],
): boolean {
  return names.some((each) => each !== undefined && foldedNames(each, kinds) !== each);
}

function replacedByFirst(name: string, rules: readonly (readonly [RegExp, string])[]): string {
  for (const [pattern, to] of rules) {
    const replaced = name.replace(pattern, to);
    if (replaced !== name) return replaced;
  }
  return name;
}
