import { elideMiddle, splitFrameLabel } from '../text/format-frame.ts';
import { MACHINE_NAMES, type MachineName, type Transform } from './scope.ts';
import type { StepOf } from './stack-steps.ts';
import {
  collapsed,
  directRecursionCollapsed,
  focused,
  folded,
  isOfClass,
  merged,
  recursionCollapsed,
} from './stack-steps.ts';

/** An entry of the menus of rows and frames, for one transform. */
export interface TransformEntry<T extends Transform = Transform> {
  readonly text: string;
  /** By `keyName`; undefined: it has none. */
  readonly key?: string;
  readonly transform: T;
  /** The transform is written in its dialog first. */
  readonly isEdited?: boolean;
}

/** The dialog of a transform that is made of several texts: a field with one on each line, or a box for each choice. */
export interface TransformDialog<T extends Transform = Transform> {
  readonly title: string;
  readonly help: string;
  /** The name of its field. */
  readonly label: string;
  /** A sentence that is said where nothing is entered. */
  readonly problem: string;
  /** Value -> its text. undefined: any value can be entered. */
  readonly choices?: Readonly<Record<string, string>>;
  texts(transform: T): readonly string[];
  withTexts(transform: T, texts: readonly string[]): T;
}

/** A kind of transform: its effect, and its words in the window, in an address and on the command line. */
export interface TransformKind<T extends Transform = Transform> {
  /** Its field in an address and its option, too. */
  readonly kind: T['kind'];
  /** `given`: a transform says what its keys are made of. `names`: it compares names. `none`: it compares nothing. */
  readonly keys: 'given' | 'names' | 'none';
  /** The step that changes stacks; undefined: the transform selects samples. */
  readonly step?: StepOf<T>;
  /** A transform in a few words, for a chip. */
  text(transform: T): string;
  /** Its effect as a sentence. */
  help(transform: T): string;
  readonly option: {
    /** The name of the value in --help; undefined: it is one of the choices. */
    readonly value?: string;
    readonly help: string;
    /** All values. With a name of the value, several can be given with commas, or `all`, or `none`, which is no transform. */
    readonly choices?: readonly string[];
  };
  /** The value of the field and of the option; several: the further ones are values of the field `more`. */
  values(transform: T): readonly string[];
  /** The transform of a value; undefined where it is invalid. */
  read(value: string): T | undefined;
  /** The field of an address for a further value. On the command line the option is repeated. */
  readonly more?: { readonly field: string; add(transform: T, value: string): T };
  /** Its place in a menu: at the top, or in a menu of further transforms. */
  readonly part: 'top' | 'further';
  /** Entries of the menu. `label`: of the frame; undefined: there is none. */
  menu(label: string | undefined): readonly TransformEntry<T>[];
  readonly dialog?: TransformDialog<T>;
}

export const LEAVE_OUT_IDLE = { kind: 'leave-out', of: 'idle' } as const;

type Of<Kind extends Transform['kind']> = Extract<Transform, { kind: Kind }>;
type OfKey = Of<'keep' | 'drop' | 'focus' | 'merge'>;

/** A frame in a menu and in a chip: without its package, so that no verb is cut for it. */
function shortName(label: string): string {
  const { id, name, position } = splitFrameLabel(label);
  return `${id}${elideMiddle(name, MOST_CHARACTERS)}${position}`;
}

const MOST_CHARACTERS = 30;

/** A transform of one key. Menu and chip have the same words. */
function ofKey(
  kind: OfKey['kind'],
  words: (name: string) => string,
  key: string,
  more: Pick<TransformKind<OfKey>, 'part' | 'help' | 'step'> & { readonly option: string },
): TransformKind<OfKey> {
  const { option, ...rest } = more;
  return {
    ...rest,
    kind,
    keys: 'given',
    option: { value: 'KEY', help: option },
    text: (transform) => words(shortName(transform.key)),
    values: (transform) => [transform.key],
    read: (value) => ({ kind, key: value }),
    menu: (label) =>
      label === undefined ? [] : [{ text: words(shortName(label)), key, transform: { kind, key: label } }],
  };
}

// The letters of keys are those of the Firefox Profiler where these agree.

const KEEP = ofKey('keep', (name) => `Keep samples with ${name}`, 'Alt+Shift+k', {
  part: 'top',
  help: ({ key }) => `Only samples with ${key} on their stack`,
  option: 'only samples with KEY on their stack',
});

const DROP = ofKey('drop', (name) => `Drop samples with ${name}`, 'Delete', {
  part: 'top',
  help: ({ key }) => `Only samples without ${key} on their stack`,
  option: 'only samples without KEY on their stack',
});

const LEAVE_OUT: TransformKind<Of<'leave-out'>> = {
  kind: 'leave-out',
  keys: 'names',
  part: 'further',
  text: () => 'Leave out idle threads',
  help: () => 'Only samples of threads that run, or wait for a lock',
  option: {
    choices: ['idle'],
    help: 'idle: only samples of threads that run or wait for a lock; not those parked in a queue, asleep or in accept',
  },
  values: (transform) => [transform.of],
  read: (value) => (value === 'idle' ? LEAVE_OUT_IDLE : undefined),
  menu: () => [{ text: 'Leave out idle threads', transform: LEAVE_OUT_IDLE }],
};

const FOCUS = ofKey('focus', (name) => `Focus on ${name}`, 'Alt+Shift+f', {
  part: 'top',
  help: ({ key }) => `Only samples with ${key}, and stacks begin at its outermost call`,
  option: 'only samples with KEY, and their stacks begin at its outermost frame',
  step: (context, { key, keys }) => focused(context, keys, (each) => each === key),
});

const MERGE = ofKey('merge', (name) => `Merge ${name} into callers`, 'Alt+Shift+m', {
  part: 'further',
  help: ({ key }) => `Frames of ${key} are left out; what they called belongs to their callers`,
  option: 'leave out the frames of KEY; what they called is called by their callers',
  step: (context, { key, keys }) => merged(context, keys, (each) => each === key),
});

const COLLAPSE: TransformKind<Of<'collapse'>> = {
  kind: 'collapse',
  keys: 'given',
  part: 'further',
  text: ({ prefix }) => `Collapse ${prefix}*`,
  help: () => 'Adjacent frames whose names begin with this are one frame',
  option: {
    value: 'PREFIX',
    help: 'adjacent frames whose keys begin with PREFIX are one frame, PREFIX*',
  },
  values: ({ prefix }) => [prefix],
  read: (prefix) => ({ kind: 'collapse', prefix }),
  menu: (label) => {
    const prefix = packageOf(label);
    if (prefix === '') return [];
    // Packages are those of names: other keys have an id in front of them.
    const transform = { kind: 'collapse', prefix, keys: 'fqmn' } as const;
    return [{ text: `Collapse ${prefix}*`, key: 'Alt+Shift+c', transform }];
  },
  step: (context, { prefix, keys }) =>
    collapsed(context, keys, (each) => each.startsWith(prefix), `${prefix}*`),
};

const COLLAPSE_CLASS: TransformKind<Of<'collapse-class'>> = {
  kind: 'collapse-class',
  keys: 'names',
  part: 'further',
  text: ({ className }) => `Collapse ${className}.*`,
  help: () => 'Adjacent frames of this class and of classes nested in it are one frame',
  option: {
    value: 'CLASS',
    help: 'adjacent frames of CLASS and of classes nested in it are one frame, CLASS.*',
  },
  values: ({ className }) => [className],
  read: (className) => ({ kind: 'collapse-class', className }),
  menu: (label) => {
    const className = classOf(label);
    if (className === '') return [];
    const transform = { kind: 'collapse-class', className } as const;
    return [{ text: `Collapse ${className}.*`, key: 'Alt+Shift+x', transform }];
  },
  step: (context, { className }) =>
    collapsed(context, 'fqmn', (each) => isOfClass(each, className), `${className}.*`),
};

const ONLY: TransformKind<Of<'only'>> = {
  kind: 'only',
  keys: 'given',
  part: 'further',
  text: ({ prefixes }) => `Only ${prefixes.map((prefix) => `${prefix}*`).join(', ')}`,
  help: () => 'All other frames are left out; their samples belong to their callers',
  option: { value: 'PREFIX', help: 'leave out the frames whose keys begin with none of these' },
  values: ({ prefixes }) => prefixes,
  read: (prefix) => ({ kind: 'only', prefixes: [prefix] }),
  more: {
    field: 'or',
    add: (transform, prefix) => ({ ...transform, prefixes: [...transform.prefixes, prefix] }),
  },
  menu: (label) => {
    const own = ownPackage(packageOf(label));
    const only = (prefix: string): Of<'only'> => ({
      kind: 'only',
      prefixes: prefix === '' ? [] : [prefix],
      keys: 'fqmn',
    });
    return [
      ...(own === '' ? [] : [{ text: `Only ${own}*`, transform: only(own) }]),
      { text: 'Only\u2026', key: 'Alt+Shift+o', transform: only(own || classOf(label)), isEdited: true },
    ];
  },
  dialog: {
    title: 'Only these frames',
    help: 'Frames stay whose names begin with any of these. All others are left out; their samples belong to their callers. One on each line, such as com.acme.',
    label: 'Beginnings of names',
    problem: 'Enter the beginning of a name.',
    texts: ({ prefixes }) => prefixes,
    withTexts: (transform, prefixes) => ({ ...transform, prefixes }),
  },
  step: (context, { prefixes, keys }) =>
    merged(context, keys, (each) => !prefixes.some((prefix) => each.startsWith(prefix))),
};

const COLLAPSE_RECURSION: TransformKind<Of<'collapse-recursion'>> = {
  kind: 'collapse-recursion',
  keys: 'given',
  part: 'further',
  text: (transform) => (transform.of === 'all' ? 'Collapse recursion' : 'Collapse direct recursion'),
  help: (transform) =>
    transform.of === 'all'
      ? 'A frame that occurs again deeper jumps to its last occurrence; what was between is left out'
      : 'Of adjacent frames of the same name the innermost stays',
  option: {
    choices: ['direct', 'all'],
    help: 'direct: of adjacent equal frames the innermost stays; all: a frame that occurs again deeper jumps to its last occurrence',
  },
  values: (transform) => [transform.of],
  read: (value) =>
    value === 'all' || value === 'direct' ? { kind: 'collapse-recursion', of: value } : undefined,
  menu: () => [
    {
      text: 'Collapse recursion',
      key: 'Alt+r',
      transform: { kind: 'collapse-recursion', of: 'all' },
    },
    {
      text: 'Collapse direct recursion',
      key: 'Alt+Shift+r',
      transform: { kind: 'collapse-recursion', of: 'direct' },
    },
  ],
  step: (context, transform) =>
    transform.of === 'direct'
      ? directRecursionCollapsed(context, transform.keys)
      : recursionCollapsed(context, transform.keys),
};

const NAME_TEXTS: Readonly<Record<MachineName, string>> = {
  lambda: 'Lambdas: Shop$$Lambda/0x7f12 is Shop$$Lambda',
  proxy: 'Proxies: $Proxy17 is $Proxy',
  reflection: 'Reflection: GeneratedMethodAccessor12 is GeneratedMethodAccessor',
  generated: 'Other generated classes',
};

/** All names that JVMs make up lose what differs from run to run. */
export const STABLE_NAMES = { kind: 'fold', names: MACHINE_NAMES } as const;

const FOLD: TransformKind<Of<'fold'>> = {
  kind: 'fold',
  keys: 'none',
  part: 'further',
  text: ({ names }) =>
    names.length === MACHINE_NAMES.length ? 'Stable names' : `Stable names: ${names.join(', ')}`,
  help: () => 'Addresses and numbers in machine-made names are left out',
  option: {
    value: `all|none|${MACHINE_NAMES.join(',')}`,
    choices: MACHINE_NAMES,
    help: 'replace machine-made names by stable ones: Shop$$Lambda/0x7f12 by Shop$$Lambda (default none; compare: all)',
  },
  values: ({ names }) => [names.join(',')],
  read: (value) => {
    const wanted: readonly string[] = value === 'all' ? MACHINE_NAMES : value.split(',');
    const names = MACHINE_NAMES.filter((each) => wanted.includes(each));
    return wanted.every((each) => names.some((name) => name === each)) ? { kind: 'fold', names } : undefined;
  },
  menu: () => {
    const transform = STABLE_NAMES;
    return [
      { text: 'Stable names', key: 'Alt+Shift+s', transform },
      { text: 'Stable names\u2026', transform, isEdited: true },
    ];
  },
  dialog: {
    title: 'Stable names',
    help: 'Addresses and numbers in names that are made at run time are left out of:',
    label: 'Kinds of names',
    problem: 'Choose at least one kind.',
    choices: NAME_TEXTS,
    texts: ({ names }) => names,
    withTexts: (transform, texts) => ({
      ...transform,
      names: MACHINE_NAMES.filter((each) => texts.includes(each)),
    }),
  },
  step: (context, { names }) => folded(context, names),
};

/** All transforms, in the order of menus and of --help. */
export const TRANSFORMS: readonly TransformKind[] = [
  KEEP,
  DROP,
  LEAVE_OUT,
  FOCUS,
  MERGE,
  COLLAPSE,
  COLLAPSE_CLASS,
  ONLY,
  COLLAPSE_RECURSION,
  FOLD,
];

/** `java.util.regex.` of `java.util.regex.Pattern.match`. */
function packageOf(label: string | undefined): string {
  return label === undefined ? '' : splitFrameLabel(label).package;
}

/** `java.util.regex.Pattern`, without its inner classes and its method. */
function classOf(label: string | undefined): string {
  if (label === undefined) return '';
  const { package: prefix, name } = splitFrameLabel(label);
  const end = name.search(/[.$]/);
  return end <= 0 ? '' : `${prefix}${name.slice(0, end)}`;
}

/** The first two parts of a package: `com.acme.` of `com.acme.shop.cart.`. */
function ownPackage(name: string): string {
  return /^(?:[^.]+\.){1,2}/.exec(name)?.[0] ?? name;
}
