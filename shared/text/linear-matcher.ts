import type { ExpressionNode } from './expression-syntax.ts';

type Instruction =
  | { readonly op: 'character'; readonly test: CharacterTest }
  /** Goes on at `first`, and if that leads nowhere at `second`. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'begin' | 'end' | 'boundary' | 'noBoundary' | 'match' }
  | { readonly op: 'lookahead'; readonly program: readonly Instruction[]; readonly isNegative: boolean };

type CharacterTest = (character: string) => boolean;

/** Most instructions of a program and its lookaheads: a character of the text costs up to one step for each. */
const MOST_INSTRUCTIONS = 20_000;
/** The same of a program with a lookahead, which reads the text again from each place where it is tried. */
const MOST_LOOKING_INSTRUCTIONS = 500;

/**
 * Finds a regular expression in time that is linear in the text, by following all ways at once (Thompson, Pike), in the
 * order in which a backtracking engine would try them. So it finds the same match; only where a part that may be empty is
 * repeated, the match may end elsewhere. A character costs far more than in the engine's own RegExp: use this where that
 * could take for ever.
 *
 *   (a|b)*c    0 split 1 6   1 split 2 4   2 a   3 jump 0   4 b   5 jump 0   6 c   7 match
 */
export class LinearMatcher {
  readonly #program: readonly Instruction[];

  private constructor(program: readonly Instruction[]) {
    this.#program = program;
  }

  /** Undefined if the expression needs a backtracking engine, or too many instructions. `flags`: `u` or `iu`. */
  static of(node: ExpressionNode, flags: string): LinearMatcher | undefined {
    const program = new Compiler(flags).compile(node);
    return program === undefined ? undefined : new LinearMatcher(program);
  }

  /** The first match as [start, end); undefined for none. */
  find(text: string): readonly [start: number, end: number] | undefined {
    return run(this.#program, text, 0, false);
  }

  test(text: string): boolean {
    return this.find(text) !== undefined;
  }
}

class Compiler {
  readonly #flags: string;
  #program: Instruction[] = [];
  /** Source of a character -> its test, which costs more than all else of an instruction. */
  readonly #tests = new Map<string, CharacterTest>();
  /** Instructions of finished programs that this one looks ahead with. */
  #looking = 0;

  constructor(flags: string) {
    this.#flags = flags;
  }

  compile(node: ExpressionNode): readonly Instruction[] | undefined {
    return this.#emit(node, true) && this.#isShortEnough() ? [...this.#program, { op: 'match' }] : undefined;
  }

  #testOf(source: string): CharacterTest {
    const test = this.#tests.get(source) ?? characterTest(source, this.#flags);
    this.#tests.set(source, test);
    return test;
  }

  #isShortEnough(): boolean {
    const length = this.#program.length + this.#looking;
    return length <= (this.#looking > 0 ? MOST_LOOKING_INSTRUCTIONS : MOST_INSTRUCTIONS);
  }

  /** The program of what is looked ahead for; undefined if it cannot be compiled. */
  #compileInner(node: ExpressionNode): readonly Instruction[] | undefined {
    const outer = this.#program;
    this.#program = [];
    const isCompiled = this.#emit(node, false);
    const inner = this.#program;
    this.#program = outer;
    inner.push({ op: 'match' });
    this.#looking += inner.length;
    return isCompiled ? inner : undefined;
  }

  /** False if the expression cannot be compiled. */
  #emit(node: ExpressionNode, allowsLookahead: boolean): boolean {
    const program = this.#program;
    switch (node.kind) {
      case 'character':
        program.push({ op: 'character', test: this.#testOf(node.source) });
        break;
      case 'sequence':
        return node.parts.every((part) => this.#emit(part, allowsLookahead));
      case 'alternatives': {
        const jumps: { op: 'jump'; to: number }[] = [];
        for (const [at, each] of node.of.entries()) {
          const split = { op: 'split' as const, first: program.length + 1, second: 0 };
          const isLast = at === node.of.length - 1;
          if (!isLast) program.push(split);
          if (!this.#emit(each, allowsLookahead)) return false;
          const jump = { op: 'jump' as const, to: 0 };
          if (!isLast) program.push(jump);
          jumps.push(jump);
          split.second = program.length;
        }
        for (const jump of jumps) jump.to = program.length;
        break;
      }
      case 'repeat':
        return this.#emitRepeat(node, allowsLookahead);
      case 'lookahead': {
        // A look within a look would make the time quadratic, and so on.
        const inner = allowsLookahead ? this.#compileInner(node.body) : undefined;
        if (inner === undefined) return false;
        program.push({ op: 'lookahead', program: inner, isNegative: node.isNegative });
        break;
      }
      case 'backtracking':
        return false;
      default:
        program.push({ op: node.kind });
    }
    return this.#isShortEnough();
  }

  #emitRepeat(
    { body, least, most, isLazy }: ExpressionNode & { readonly kind: 'repeat' },
    allowsLookahead: boolean,
  ): boolean {
    const program = this.#program;
    const split = (): Instruction & { readonly op: 'split' } => {
      const instruction = { op: 'split' as const, first: 0, second: 0 };
      program.push(instruction);
      return instruction;
    };
    /** The body comes right after its split; the way out is known later. */
    const leave = (instruction: { first: number; second: number }, at: number, out: number): void => {
      instruction.first = isLazy ? out : at + 1;
      instruction.second = isLazy ? at + 1 : out;
    };
    for (let count = 0; count < least; count++) {
      const before = program.length;
      if (!this.#emit(body, allowsLookahead)) return false;
      if (program.length === before) return true;
    }
    if (most === Infinity) {
      const at = program.length;
      const loop = split();
      if (!this.#emit(body, allowsLookahead)) return false;
      program.push({ op: 'jump', to: at });
      leave(loop, at, program.length);
      return this.#isShortEnough();
    }
    const optional: (readonly [instruction: { first: number; second: number }, at: number])[] = [];
    for (let count = least; count < most; count++) {
      const at = program.length;
      optional.push([split(), at]);
      if (!this.#emit(body, allowsLookahead)) return false;
      if (program.length === at + 1) break;
    }
    for (const [instruction, at] of optional) leave(instruction, at, program.length);
    return this.#isShortEnough();
  }
}

/** Asks the engine once for each character of ASCII. */
function characterTest(source: string, flags: string): CharacterTest {
  const expression = new RegExp(`^(?:${source})$`, flags);
  const known = new Int8Array(128).fill(-1);
  return (character) => {
    const code = character.charCodeAt(0);
    if (code >= known.length) return expression.test(character);
    if (known[code] < 0) known[code] = expression.test(character) ? 1 : 0;
    return known[code] === 1;
  };
}

/** Places in the program that are reached, the preferred ones first, each with where its match began. */
class Places {
  length = 0;
  readonly at: Int32Array;
  readonly start: Int32Array;
  readonly #seen: Int32Array;
  #round = 0;

  constructor(size: number) {
    this.at = new Int32Array(size);
    this.start = new Int32Array(size);
    this.#seen = new Int32Array(size);
  }

  clear(): void {
    this.length = 0;
    this.#round++;
  }

  /** False if the place was entered before. */
  enter(at: number): boolean {
    if (this.#seen[at] === this.#round) return false;
    this.#seen[at] = this.#round;
    return true;
  }
}

/** Runs a program on text[from …]. `isAnchored`: a match begins at `from`. */
function run(
  program: readonly Instruction[],
  text: string,
  from: number,
  isAnchored: boolean,
): readonly [start: number, end: number] | undefined {
  let here = new Places(program.length);
  let next = new Places(program.length);
  const pending: number[] = [];
  let found: readonly [number, number] | undefined;
  here.clear();
  for (let at = from; ;) {
    if (found === undefined && (at === from || !isAnchored)) reach(program, text, here, pending, 0, at, at);
    if (here.length === 0 && (found !== undefined || isAnchored)) return found;
    const isAtEnd = at >= text.length;
    const character = isAtEnd ? '' : String.fromCodePoint(text.codePointAt(at) ?? 0);
    next.clear();
    for (let place = 0; place < here.length; place++) {
      const instruction = program[here.at[place]];
      if (instruction.op === 'match') {
        // The ways behind this one would have been tried later.
        found = [here.start[place], at];
        break;
      }
      if (instruction.op === 'character' && !isAtEnd && instruction.test(character))
        reach(program, text, next, pending, here.at[place] + 1, here.start[place], at + character.length);
    }
    if (isAtEnd) return found;
    at += character.length;
    [here, next] = [next, here];
  }
}

/** Adds the places that are reached without a character from `first` on. */
function reach(
  program: readonly Instruction[],
  text: string,
  places: Places,
  pending: number[],
  first: number,
  start: number,
  at: number,
): void {
  pending.push(first);
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (!places.enter(place)) continue;
    const instruction = program[place];
    switch (instruction.op) {
      case 'jump':
        pending.push(instruction.to);
        break;
      case 'split':
        pending.push(instruction.second, instruction.first);
        break;
      case 'character':
      case 'match':
        places.at[places.length] = place;
        places.start[places.length++] = start;
        break;
      case 'begin':
        if (at === 0) pending.push(place + 1);
        break;
      case 'end':
        if (at === text.length) pending.push(place + 1);
        break;
      case 'lookahead': {
        const isFound = run(instruction.program, text, at, true) !== undefined;
        if (isFound !== instruction.isNegative) pending.push(place + 1);
        break;
      }
      default:
        if (isBoundary(text, at) === (instruction.op === 'boundary')) pending.push(place + 1);
    }
  }
}

const WORD = /\w/;

function isBoundary(text: string, at: number): boolean {
  return WORD.test(text.charAt(at - 1)) !== WORD.test(text.charAt(at));
}
