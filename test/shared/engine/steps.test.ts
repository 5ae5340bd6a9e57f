import { expect, test } from 'vitest';
import { type Step, Steps } from '../../../shared/engine/steps.ts';

/** An input that grows. */
class Lines {
  revision = 0;
  readonly texts: string[] = [];

  add(text: string): void {
    this.texts.push(text);
    this.revision++;
  }
}

/** What was done, in its order. */
let done: string[] = [];

function steps(budget = 1e9): Steps {
  done = [];
  return new Steps(budget);
}

class Joined {
  text = '';
}

/** The lines of a source with something between them. */
const JOIN: Step<[lines: Lines, between: string], Joined> = {
  name: 'join',
  place: 1,
  make(): Joined {
    done.push('make');
    return new Joined();
  },
  grow(result, [{ texts }, between]) {
    done.push(`grow ${between}`);
    result.text = texts.join(between);
    return true;
  },
  bytes: ({ text }) => text.length,
  release: ({ text }) => void done.push(`release ${text}`),
};

/** A step without growth, made of the result of another. */
const LENGTH: Step<[joined: Joined], { readonly length: number }> = {
  name: 'length',
  make([{ text }]) {
    done.push(`count ${text}`);
    return { length: text.length };
  },
  bytes: () => 1,
  release: ({ length }) => void done.push(`forget ${length}`),
};

test('a result is made once, and grows only when an input has grown', () => {
  const cache = steps();
  const lines = new Lines();
  lines.add('a');
  const first = cache.get(JOIN, lines, '-');
  expect(cache.get(JOIN, lines, '-')).toBe(first);
  cache.begin();
  expect(cache.get(JOIN, lines, '-')).toBe(first);
  expect(done).toEqual(['make', 'grow -']);
  lines.add('b');
  cache.begin();
  expect(cache.get(JOIN, lines, '-').text).toBe('a-b');
  expect(cache.get(JOIN, lines, '-')).toBe(first);
  expect(done).toEqual(['make', 'grow -', 'grow -']);
});

test('growth is not seen before the next state', () => {
  const cache = steps();
  const lines = new Lines();
  lines.add('a');
  cache.get(JOIN, lines, '-');
  lines.add('b');
  expect(cache.get(JOIN, lines, '-').text).toBe('a');
});

test('a result of a result is made again when that has grown, and only then', () => {
  const cache = steps();
  const lines = new Lines();
  lines.add('a');
  const lengthNow = (): number => cache.get(LENGTH, cache.get(JOIN, lines, '-')).length;
  expect(lengthNow()).toBe(1);
  cache.begin();
  expect(lengthNow()).toBe(1);
  lines.add('b');
  cache.begin();
  expect(lengthNow()).toBe(3);
  expect(done).toEqual(['make', 'grow -', 'count a', 'grow -', 'forget 1', 'count a-b']);
});

test('an unused result is brought to other inputs of its place; one in use is not', () => {
  const cache = steps();
  const lines = new Lines();
  for (const text of ['a', 'b']) lines.add(text);
  const dashes = cache.get(JOIN, lines, '-');
  expect(cache.get(JOIN, lines, '+')).not.toBe(dashes);
  cache.begin();
  expect(cache.get(JOIN, lines, ', ')).toBe(dashes);
  expect(dashes.text).toBe('a, b');
  expect(cache.get(JOIN, new Lines(), '*')).not.toBe(dashes);
  expect(done).toEqual(['make', 'grow -', 'make', 'grow +', 'grow , ', 'make', 'grow *']);
});

test('inputs that are data are equal by their text, and lists by what is in them', () => {
  const SORT: Step<[words: readonly string[]], { readonly text: string }> = {
    name: 'sort',
    make: ([words]) => ({ text: words.toSorted().join() }),
  };
  const cache = steps();
  const first = cache.get(SORT, ['b', 'a']);
  expect(cache.get(SORT, ['b', 'a'])).toBe(first);
  expect(cache.get(SORT, ['a', 'b'])).not.toBe(first);
});

test('over the budget the least recently used results are dropped, with what was made from them', () => {
  const cache = steps(4);
  const [old, used] = [new Lines(), new Lines()];
  for (const lines of [old, used]) for (const text of ['a', 'b']) lines.add(text);
  cache.get(LENGTH, cache.get(JOIN, old, '-'));
  cache.begin();
  cache.get(JOIN, used, '+');
  done = [];
  cache.begin();
  expect(done.toSorted()).toEqual(['forget 3', 'release a-b']);
  done = [];
  cache.get(JOIN, used, '+');
  expect(done).toEqual([]);
});

test('what the last state used stays, whatever the budget', () => {
  const cache = steps(0);
  const lines = new Lines();
  lines.add('a');
  const first = cache.get(JOIN, lines, '-');
  cache.begin();
  expect(cache.get(JOIN, lines, '-')).toBe(first);
});

test('a result that cannot grow is released and made again', () => {
  let isOutdated = false;
  const ONCE: Step<[lines: Lines], Joined> = {
    ...JOIN,
    name: 'once',
    make: () => new Joined(),
    grow(result, [{ texts }]) {
      if (isOutdated) return (isOutdated = false);
      result.text = texts.join('');
      return true;
    },
  };
  const cache = steps();
  const lines = new Lines();
  lines.add('a');
  const first = cache.get(ONCE, lines);
  lines.add('b');
  isOutdated = true;
  cache.begin();
  expect(cache.get(ONCE, lines)).not.toBe(first);
  expect(cache.get(ONCE, lines).text).toBe('ab');
  expect(done).toEqual(['release a']);
});

test('what was made from an object goes with it', () => {
  const cache = steps();
  const lines = new Lines();
  lines.add('a');
  cache.get(LENGTH, cache.get(JOIN, lines, '-'));
  cache.forget(lines);
  expect(done).toEqual(['make', 'grow -', 'count a', 'forget 1', 'release a']);
});

test('of what was made from an object, large results go that the state has not used', () => {
  const LARGE: Step<[lines: Lines, between: string], Joined> = {
    ...JOIN,
    name: 'large',
    place: 2,
    bytes: () => 1 << 20,
  };
  const cache = steps();
  const lines = new Lines();
  lines.add('a');
  cache.get(JOIN, lines, '-');
  cache.get(LARGE, lines, '-');
  cache.begin();
  cache.get(LARGE, lines, '+');
  cache.forgetUnused(new Lines());
  done = [];
  cache.forgetUnused(lines);
  expect(done).toEqual(['release a']);
  expect(cache.known(JOIN, lines, '-')?.text).toBe('a');
  expect(cache.known(LARGE, lines, '+')?.text).toBe('a');
  expect(cache.known(LARGE, lines, '-')).toBeUndefined();
});

test('only what is made of an object itself is prefetched with it, and only while it is in use', () => {
  const reached: string[] = [];
  const FIRST: Step<[lines: Lines], Joined> = {
    name: 'first',
    make: () => new Joined(),
    prefetch: () => void reached.push('first'),
  };
  const SECOND: Step<[joined: Joined], { readonly text: string }> = {
    name: 'second',
    make: ([{ text }]) => ({ text }),
    prefetch: () => void reached.push('second'),
  };
  const cache = steps();
  const lines = new Lines();
  const upTo = { frames: 1, nodes: 1, selfValues: 1 };
  cache.get(SECOND, cache.get(FIRST, lines));
  cache.prefetch(lines, upTo);
  expect(reached).toEqual(['first']);
  cache.begin();
  cache.prefetch(lines, upTo);
  expect(reached).toEqual(['first']);
});
