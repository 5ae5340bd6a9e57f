import { contextProblem, parseSpan, spanText } from './context-condition.ts';
import type { Baseline, Scope } from './scope.ts';
import { threadProblem, typedThreads } from './thread-pattern.ts';
import { parseTime, type SaidRange } from './time-range.ts';
import { TRANSFORMS, type TransformKind } from './transform-list.ts';

/** A scope as far as words say it. Its times may be since the earliest sample. */
export interface SaidScope extends Partial<Omit<Scope, 'range'>> {
  readonly range?: SaidRange | undefined;
}

/** A field of a scope in words: an option of the command line, a field of an address, a text of an assistant. */
export interface ScopeField {
  readonly name: string;
  /** The part of a scope that it says. */
  readonly part: keyof Scope;
  /** The name of its value in --help. */
  readonly value: string;
  readonly help: string;
  /** The help of `NAME-base`, the field of what is compared with; undefined: this has the part of the scope. */
  readonly helpOfBase?: string;
  /** Its values, where there are few. */
  readonly choices?: readonly string[];
  /** A further value adds to those before it; otherwise the last one counts. */
  readonly isRepeatable?: true;
  /** Its values in a scope. Transforms, whose order counts, are printed by `TransformKind.values`. */
  readonly print?: (scope: Omit<Baseline, 'log'>) => readonly string[];
  /** The scope with a further value; or why this cannot be one, as a clause: `it is a time as 12.5`. */
  readonly read: (said: SaidScope, value: string) => SaidScope | string;
}

/** All fields, in the order of --help and of addresses. */
export const SCOPE_FIELDS: readonly ScopeField[] = [
  {
    ...endOfRange('from'),
    help: 'only samples from then on: 12.5, 90s, 5m, 1h, 7:41 since the earliest sample, an ISO time with its zone, or ns since 1970 as 1795174022011079152ns',
    helpOfBase: 'the range of BASE, if it is another one: two ranges of one file',
  },
  {
    ...endOfRange('to'),
    help: 'only samples before then',
    helpOfBase: 'the end of the range of BASE',
  },
  {
    name: 'latest',
    part: 'range',
    value: 'TIME',
    help: 'only samples of so much time before the latest one: 30s, 5m; instead of --from and --to',
    helpOfBase: 'the --latest of BASE',
    print: ({ range }) => (range?.kind === 'latest' ? [`${range.ns}ns`] : []),
    read: (said, value) => {
      const ns = Number(parseTime(value)?.ns ?? 0);
      return ns > 0 ? { ...said, range: { kind: 'latest', ns } } : 'it is an amount of time as 30s or 5m';
    },
  },
  {
    name: 'thread',
    part: 'threads',
    value: 'NAME',
    help: 'only samples of these threads; a pool as http-worker-*, or /…/, a regular expression',
    helpOfBase: 'the threads of BASE, if they are others: two sets of threads of one file',
    isRepeatable: true,
    print: ({ threads = [] }) => threads,
    read: (said, value) => {
      const [thread] = typedThreads([value]);
      return threadProblem(thread) ?? { ...said, threads: [...(said.threads ?? []), thread] };
    },
  },
  {
    name: 'context',
    part: 'contexts',
    value: 'KEY=VALUE',
    help: 'only samples of requests, operations or spans with this attribute: operation=checkout, trace=4f2a, or a regular expression, customer=/gold|silver/; leanscope operations lists them',
    helpOfBase:
      'the --context of BASE, if it is another one; of one file, the wider side leaves out the samples of the other: the slow requests against the rest',
    isRepeatable: true,
    print: ({ contexts }) => contexts?.where ?? [],
    read: (said, value) => {
      const where = [...(said.contexts?.where ?? []), value];
      return contextProblem(value) ?? { ...said, contexts: { ...said.contexts, where } };
    },
  },
  {
    ...spanOfContexts('took'),
    help: 'only samples of requests that took so long: 100ms..2s, 1s.. or ..250us',
    helpOfBase: 'the --took of BASE; with .. any request',
  },
  {
    ...spanOfContexts('began'),
    help: 'only samples of requests that began then, after the earliest sample: 5m..6m or 1:30..',
    helpOfBase: 'the --began of BASE',
  },
  {
    name: 'slower',
    part: 'contexts',
    value: 'PERCENT',
    help: 'only samples of the slowest of each operation: with 99%, one in a hundred',
    helpOfBase: 'the --slower of BASE, with --context-base',
    print: ({ contexts }) => (contexts?.slower === undefined ? [] : [String(contexts.slower)]),
    read: (said, value) => {
      const slower = /^\d{1,2}(?:\.\d{1,15})?%?$/.test(value) ? Number.parseFloat(value) : 0;
      if (slower <= 0) return 'it is a percentage above 0 and below 100, as 99%';
      return { ...said, contexts: { where: [], ...said.contexts, slower } };
    },
  },
  ...TRANSFORMS.map(fieldOfKind),
];

function endOfRange(end: 'from' | 'to'): Omit<ScopeField, 'help'> {
  return {
    name: end,
    part: 'range',
    value: 'TIME',
    print: ({ range }) => (range?.kind === 'between' && range[end] !== undefined ? [`${range[end]}ns`] : []),
    read: (said, value) => {
      const time = parseTime(value);
      if (time === undefined)
        return 'it is a time as 12.5, 90s, 5m, 2026-11-20T14:27:02Z or 1795174022011079152ns';
      const known = said.range?.kind === 'between' ? said.range : { kind: 'between' as const };
      return { ...said, range: { ...known, [end]: time } };
    },
  };
}

function spanOfContexts(name: 'took' | 'began'): Omit<ScopeField, 'help'> {
  return {
    name,
    part: 'contexts',
    value: 'FROM..TO',
    print: ({ contexts }) => (contexts?.[name] === undefined ? [] : [spanText(contexts[name])]),
    read: (said, value) => {
      const span = parseSpan(value);
      if (span === undefined)
        return 'it is two durations with two dots between, as 100ms..2s, or one, as 1s.. or ..1:30';
      return { ...said, contexts: { where: [], ...said.contexts, [name]: span } };
    },
  };
}

/** The value of an option that chooses none of several. */
const NO_CHOICES = 'none';

function fieldOfKind(transformKind: TransformKind): ScopeField {
  const { kind, more } = transformKind;
  const { value, help, choices } = transformKind.option;
  const areSeveral = value !== undefined && choices !== undefined;
  return {
    name: kind,
    part: 'transforms',
    value: value ?? choices?.join('|') ?? '',
    help,
    ...(choices && { choices }),
    isRepeatable: true,
    read: (said, given) => {
      if (areSeveral && given === NO_CHOICES) return said;
      const transform = transformKind.read(given);
      if (transform === undefined)
        return `it is ${areSeveral ? 'all, none, or some' : 'one'} of ${(choices ?? []).join(', ')}`;
      const transforms = said.transforms ?? [];
      // The values of all its fields are one transform, at the place of the first: with `only`, for all prefixes.
      const at = more === undefined ? -1 : transforms.findIndex((each) => each.kind === kind);
      return {
        ...said,
        transforms:
          more === undefined || at < 0
            ? [...transforms, transform]
            : transforms.with(at, more.add(transforms[at], given)),
      };
    },
  };
}
