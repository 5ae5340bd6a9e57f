import type { LeanProfile } from '../profile/lean-profile.ts';
import { wildcard } from '../text/waiting-methods.ts';
import { type MethodNames, isErrorMethod } from '../profile/method-table.ts';
import { frameFamily } from '../text/frame-colour.ts';

/**
 * Frames by `class.method`; a `*` stands for any text. `<own>.hashCode` is a method of the program itself.
 *
 *   any     java.util.HashMap.resize
 *   below   java.lang.AbstractStringBuilder.*     its direct caller must be one of these
 */
export interface FramePattern {
  readonly any: readonly string[];
  readonly below?: readonly string[];
  /** Only where the sample ended in the frame. */
  readonly isLeaf?: boolean;
  /** Only samples of the second half of the time: what is done while a program starts is no finding. */
  readonly isLate?: boolean;
}

/** The words of a text, for long lists of names. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The patterns that one number has bits for. */
const MOST_PATTERNS = 31;

const OWN = '<own>.';

/** Method -> the patterns that it matches, as bits, so that a pass over all stacks compares no names. */
export class FrameClasses {
  /** Row of the MethodTable -> patterns whose frame it is. */
  readonly any: Int32Array;
  /** Row of the MethodTable -> patterns below whose direct caller it may be. */
  readonly below: Int32Array;
  /** Patterns that ask for a direct caller, and those that ask for the leaf. */
  readonly asksBelow: number;
  readonly asksLeaf: number;
  readonly isOwn: Uint8Array;

  /** At most MOST_PATTERNS patterns. O(methods * texts of the patterns). */
  constructor(
    { methods }: LeanProfile,
    patterns: readonly FramePattern[],
    isOwn: (names: MethodNames | undefined) => boolean,
  ) {
    if (patterns.length > MOST_PATTERNS) throw new RangeError('more patterns than one number has bits for');
    const any = tests(patterns.map((pattern) => pattern.any));
    const below = tests(patterns.map((pattern) => pattern.below ?? []));
    this.any = new Int32Array(methods.length);
    this.below = new Int32Array(methods.length);
    this.isOwn = new Uint8Array(methods.length);
    for (let method = 0; method < methods.length; method++) {
      const names = methods.names[method];
      if (names === undefined) continue;
      const name = fullName(names);
      const own = isOwn(names);
      this.isOwn[method] = own ? 1 : 0;
      this.any[method] = bitsOf(any, name, own ? OWN + names.methodName : undefined);
      this.below[method] = bitsOf(below, name, undefined);
    }
    this.asksBelow = bitsWhere(patterns, ({ below: asked }) => asked !== undefined);
    this.asksLeaf = bitsWhere(patterns, ({ isLeaf }) => isLeaf === true);
  }
}

/** `class.method`, or what a frame without a class is called. */
export function fullName({ className, methodName }: MethodNames): string {
  return className === '' ? methodName : `${className}.${methodName}`;
}

interface Tests {
  readonly exact: ReadonlyMap<string, number>;
  readonly wild: readonly (readonly [expression: RegExp, bit: number])[];
}

function tests(texts: readonly (readonly string[])[]): Tests {
  const exact = new Map<string, number>();
  const wild: [RegExp, number][] = [];
  for (const [at, ofPattern] of texts.entries())
    for (const text of ofPattern) {
      if (text.includes('*')) wild.push([wildcard(text), 1 << at]);
      else exact.set(text, (exact.get(text) ?? 0) | (1 << at));
    }
  return { exact, wild };
}

function bitsOf({ exact, wild }: Tests, name: string, ownName: string | undefined): number {
  let bits = (exact.get(name) ?? 0) | (ownName === undefined ? 0 : (exact.get(ownName) ?? 0));
  for (const [expression, bit] of wild) if ((bits & bit) === 0 && expression.test(name)) bits |= bit;
  return bits;
}

function bitsWhere<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  return items.reduce((bits, item, at) => (test(item) ? bits | (1 << at) : bits), 0);
}

/** Packages of well-known frameworks, servers, drivers and languages: calls of them are caused by the code above them. */
const FRAMEWORKS: readonly string[] = words(`
  org.springframework. org.apache. io.netty. com.fasterxml. org.hibernate. ch.qos.logback. org.slf4j.
  com.google.common. com.google.gson. com.google.protobuf. com.google.inject. kotlin. kotlinx. scala. groovy.
  org.codehaus. clojure. org.eclipse. io.undertow. reactor. io.reactivex. akka. org.jboss. org.wildfly.
  com.zaxxer. org.postgresql. com.mysql. org.mariadb. oracle. com.microsoft.sqlserver. org.h2. org.junit.
  org.mockito. io.micrometer. io.opentelemetry. okhttp3. okio. javassist. net.bytebuddy. org.objectweb.asm.
  io.grpc. io.vertx. io.quarkus. io.micronaut. org.aspectj. org.glassfish. org.jooq. com.ibm. jakarta.
  org.gradle. org.openjdk.jmh. one.profiler. org.thymeleaf. org.yaml.
`);

/** `own`: prefixes of the project's classes. Whether a method is the program's own, as a test of its names. */
export function ownCode(own: readonly string[]): (names: MethodNames | undefined) => boolean {
  return (names) => {
    if (names === undefined || names.className === '' || isErrorMethod(names)) return false;
    const { className } = names;
    if (own.length > 0) return own.some((prefix) => className.startsWith(prefix));
    if (FRAMEWORKS.some((prefix) => className.startsWith(prefix))) return false;
    return frameFamily(`${className}.${names.methodName}`) === 'application';
  };
}
