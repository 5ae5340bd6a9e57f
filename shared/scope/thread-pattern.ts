import type { ThreadGrouping } from '../engine/trees/grouping.ts';
import { threadNameOfKey } from '../engine/trees/keys.ts';
import { ANY_NUMBER, byPool, memberOfPool, poolParts } from '../text/thread-pools.ts';
import { parseExpression } from '../text/expression.ts';
import { isExpression } from './filters.ts';

/** A number of a thread, in the source of an expression. */
const NUMBER = '[0-9]+';
/** Behind the name of a group in the names of its threads, in the source of an expression. */
const OF_GROUP = ': .*';
const ALL_BUT = { before: '/^(?!(?:', behind: ')$)/' };
/** An expression without some of the threads that it is for: `/^(?!(?:http-worker-1)$)http-worker-[0-9]+$/`. */
const LESS = /^\/\^\(\?!\(\?:((?:\\[^]|[^\\()])*)\)\$\)([^]+)\/$/;
/** The text before and behind an expression that was typed, which may match anywhere in a name. */
const ANYWHERE = { before: String.raw`(?=[\s\S]*(?:`, behind: '))' };
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/** The entry of `Scope.threads` for one thread: its name, or an expression where this would be read as one, or as a pool. */
export function exactly(name: string): string {
  return isExpression(name) || memberOfPool(name) !== undefined ? `/^${sourceOf(name)}$/` : name;
}

/** The entry of `Scope.threads` for all threads of the pool of `name`; for this thread alone where it has none. */
export function wholePool(name: string): string {
  return poolParts(name) === undefined ? exactly(name) : `/^${poolSource(name)}$/`;
}

/** `Scope.threads` for what a user has typed: names, pools such as `http-worker-*`, and expressions `/…/`. */
export function typedThreads(typed: readonly string[]): readonly string[] {
  return typed.map((name) => {
    const member = isExpression(name) ? undefined : memberOfPool(name);
    return member === undefined ? name : wholePool(member);
  });
}

/**
 * The entry of `Scope.threads` for all threads but those of these names, and those of the pools of `poolMembers`.
 *
 *   main; http-worker-3   /^(?!(?:main|http-worker-[0-9]+)$)/
 */
export function allBut(names: readonly string[], poolMembers: readonly string[] = []): string {
  return allButSources([...names.map(sourceOf), ...poolMembers.map(poolSource)]);
}

/** The threads that the row of a thread stands for in a tree: its name, that of a thread of its pool, or that of its group. */
export interface ThreadsOfRow {
  readonly name: string;
  readonly of: 'thread' | 'pool' | 'group';
}

/** `label`: the key of a thread in this grouping. The scope knows no ids: all threads of its name. */
export function threadsOfRow(label: string, grouping: ThreadGrouping): ThreadsOfRow {
  const member = grouping === 'pool' ? memberOfPool(label) : undefined;
  if (member !== undefined) return { name: member, of: 'pool' };
  if (grouping === 'group') return { name: label, of: 'group' };
  return { name: grouping === 'id' ? threadNameOfKey(label) : label, of: 'thread' };
}

/** `Scope.threads` for these threads alone. */
export function onlyThreads(threads: ThreadsOfRow): readonly string[] {
  const { name, of } = threads;
  return [of === 'thread' ? exactly(name) : of === 'pool' ? wholePool(name) : `/^${groupSource(name)}$/`];
}

/**
 * `Scope.threads` without these threads. Of threads that are chosen the others are left; where none of these is chosen, or
 * nothing else is, it is all threads but these.
 */
export function withoutThreads(threads: readonly string[], row: ThreadsOfRow): readonly string[] {
  const left = threads.flatMap((entry) => entryWithout(entry, row));
  const isChanged = left.length !== threads.length || left.some((entry, at) => entry !== threads[at]);
  const isAllBut = threads.some((entry) => leftOutSource(entry) !== undefined);
  return left.length > 0 && (isChanged || isAllBut) ? left : [allButSources([rowSource(row)])];
}

/** The rest of an entry; nothing if these are all its threads. */
function entryWithout(entry: string, row: ThreadsOfRow): readonly string[] {
  const isOfRow = selectsThread(onlyThreads(row));
  if (!isExpression(entry)) return isOfRow(entry) ? [] : [entry];
  const source = rowSource(row);
  const leftOut = leftOutSource(entry);
  if (leftOut !== undefined) return [allButSources(withAlternative(leftOut, source))];
  const { less, rest, text } = partsOf(entry);
  if (text !== undefined) {
    const member = text.replaceAll(ANY_NUMBER, '0');
    if (rest === `${source}$` || (row.of !== 'thread' && isOfRow(member))) return [];
    if (!selectsThread([`/^${rest}/`])(row.name)) return [entry];
  }
  const left = `^(?!(?:${withAlternative(less, source).join('|')})$)${rest}`;
  return [threadProblem(`/${left}/`) === undefined ? `/${left}/` : entry];
}

/** An expression as what was taken out of it, and what else is behind its `^`. */
interface EntryParts {
  /** The alternatives that were taken out; empty if nothing was. */
  readonly less: string;
  readonly rest: string;
  /** The name, pool or group that `rest` is for; undefined for an expression that was typed. */
  readonly text: string | undefined;
  /** In words. */
  readonly shown: string;
}

function partsOf(entry: string): EntryParts {
  const made = LESS.exec(entry);
  if (made !== null) {
    const [, less, rest] = made;
    const names = textsOf(less);
    const text = textOfRest(rest);
    const shown = text ?? typedOfRest(rest);
    if (names !== undefined && shown !== undefined)
      return { less, rest, text, shown: `${shown} but ${names.join(', ')}` };
  }
  const source = entry.slice(1, -1);
  const text = source.startsWith('^') ? textOfRest(source.slice(1)) : undefined;
  if (text !== undefined) return { less: '', rest: source.slice(1), text, shown: text };
  return { less: '', rest: `${ANYWHERE.before}${source}${ANYWHERE.behind}`, text, shown: entry };
}

/** The name, pool or group of an expression that was not typed. */
function textOfRest(rest: string): string | undefined {
  const texts = rest.endsWith('$') ? textsOf(rest.slice(0, -1)) : undefined;
  return texts?.length === 1 ? texts[0] : undefined;
}

function typedOfRest(rest: string): string | undefined {
  const { before, behind } = ANYWHERE;
  if (!rest.startsWith(before) || !rest.endsWith(behind)) return undefined;
  return `/${rest.slice(before.length, -behind.length)}/`;
}

/** Alternatives with a further one, unless it is among them. */
function withAlternative(alternatives: string, source: string): readonly string[] {
  const known: readonly string[] = alternatives.match(/(?:\\[^]|[^\\|])+/g) ?? [];
  return known.includes(source) ? known : [...known, source];
}

/** Why an entry of `Scope.threads` is no valid expression; undefined for a valid one, and for a name. */
export function threadProblem(entry: string): string | undefined {
  return isExpression(entry) ? parseExpression(entry.slice(1, -1), 'u').problem : undefined;
}

/**
 * Whether an entry is an expression that somebody typed, which may take for ever. One that was made of names, pools and
 * groups takes no longer than comparing a text.
 */
export function isTyped(entry: string): boolean {
  if (!isExpression(entry)) return false;
  const leftOut = leftOutSource(entry);
  return (leftOut === undefined ? partsOf(entry).text : textsOf(leftOut)) === undefined;
}

/** An expression that somebody typed -> the names that it selects. */
export type TypedThreads = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Whether a scope with these threads has the samples of a thread of this name. Typed expressions are not matched here: what
 * `typed` lacks is taken to select all.
 */
export function selectsThread(
  threads: readonly string[],
  typed: TypedThreads = new Map(),
): (name: string) => boolean {
  const tests = threads.map((entry): ((name: string) => boolean) => {
    if (!isExpression(entry)) return (name) => name === entry;
    if (isTyped(entry)) return (name) => typed.get(entry)?.has(name) ?? true;
    const made = new RegExp(entry.slice(1, -1), 'u');
    return (name) => made.test(name);
  });
  return (name) => tests.length === 0 || tests.some((test) => test(name));
}

/**
 * `Scope.threads` for those of `names` that are chosen; none, which means all, if all are chosen or nothing is.
 * `before`: the threads before, or how to say it. A list has no threads that appear later; `allBut`, which all threads
 * become when some are left out, has them. Pools whose threads are all named are named as pools.
 */
export function chosenThreads(
  names: readonly string[],
  isChosen: (name: string) => boolean,
  before: readonly string[] | 'list' | 'allBut',
): readonly string[] {
  const named = isSaidByOthers(before) ? names.filter((name) => !isChosen(name)) : names.filter(isChosen);
  if (named.length === 0 || named.length === names.length) return [];
  const { singles, members } = poolsAmong(named, names);
  if (isSaidByOthers(before)) return [allBut(singles, members)];
  return [...singles.map(exactly), ...members.map(wholePool)];
}

/** Whether threads that are left out are named, not those that are chosen. */
function isSaidByOthers(before: readonly string[] | 'list' | 'allBut'): boolean {
  if (typeof before === 'string') return before === 'allBut';
  return before.length === 0 || (before.length === 1 && leftOutSource(before[0]) !== undefined);
}

/** Names of `some`, and a member of each pool of at least two of `names` that are all in `some`. */
function poolsAmong(
  some: readonly string[],
  names: readonly string[],
): { readonly singles: readonly string[]; readonly members: readonly string[] } {
  const whole = byPool(names);
  const singles: string[] = [];
  const members: string[] = [];
  for (const [pool, of] of byPool(some)) {
    if (of.length > 1 && of.length === whole.get(pool)?.length) members.push(of[0]);
    else singles.push(...of);
  }
  return { singles, members };
}

/**
 * An entry of `Scope.threads` in words: `thread main`, `threads http-worker-*`, `all but main`, `threads /x/`,
 * `threads http-worker-* but http-worker-1`.
 */
export function threadsText(entry: string): string {
  if (!isExpression(entry)) return `thread ${entry}`;
  const leftOut = leftOutSource(entry);
  const names = leftOut === undefined ? undefined : textsOf(leftOut);
  if (names !== undefined) return `all but ${names.join(', ')}`;
  return `threads ${partsOf(entry).shown}`;
}

/** The alternatives of an entry that `allBut` made; undefined for another one. */
function leftOutSource(entry: string): string | undefined {
  const { before, behind } = ALL_BUT;
  if (!entry.startsWith(before) || !entry.endsWith(behind)) return undefined;
  return entry.slice(before.length, -behind.length);
}

function allButSources(sources: readonly string[]): string {
  return `${ALL_BUT.before}${sources.join('|')}${ALL_BUT.behind}`;
}

function rowSource({ name, of }: ThreadsOfRow): string {
  return of === 'thread' ? sourceOf(name) : of === 'pool' ? poolSource(name) : groupSource(name);
}

function poolSource(name: string): string {
  const parts = poolParts(name);
  return parts === undefined ? sourceOf(name) : parts.map(sourceOf).join(NUMBER);
}

/** The names of the threads of a group begin with it: see `threadKey`. */
function groupSource(group: string): string {
  return `${sourceOf(group)}${OF_GROUP}`;
}

function sourceOf(name: string): string {
  return name.replace(SYNTAX, String.raw`\$&`);
}

/**
 * The names and pools in an expression of alternatives; undefined if it has any other syntax, or an alternative with two
 * repetitions, for which there may be many ways to match.
 */
function textsOf(source: string): readonly string[] | undefined {
  const texts = [''];
  let repetitions = 0;
  const token = /\\[^a-zA-Z0-9]|\||\[0-9\]\+|: \.\*|[^\\^$.*+?()[\]{}|/]/suy;
  while (token.lastIndex < source.length) {
    const found = token.exec(source)?.[0];
    if (found === undefined) return undefined;
    if (found === NUMBER || found === OF_GROUP) repetitions++;
    if (found === '|') repetitions = 0;
    if (repetitions > 1) return undefined;
    if (found === '|') texts.push('');
    else if (found === NUMBER) texts[texts.length - 1] += ANY_NUMBER;
    else if (found === OF_GROUP) texts[texts.length - 1] += ': *';
    else texts[texts.length - 1] += found.startsWith('\\') ? found.slice(1) : found;
  }
  return texts;
}
