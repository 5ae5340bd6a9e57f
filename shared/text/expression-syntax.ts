/** The syntax tree of a regular expression, as far as its cost depends on it. */
export type ExpressionNode =
  /** One character: the source of a class, an escape or a literal. */
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'begin' | 'end' | 'boundary' | 'noBoundary' }
  | { readonly kind: 'sequence'; readonly parts: readonly ExpressionNode[] }
  | { readonly kind: 'alternatives'; readonly of: readonly ExpressionNode[] }
  /** `most`: Infinity for no limit. */
  | {
      readonly kind: 'repeat';
      readonly body: ExpressionNode;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
    }
  | { readonly kind: 'lookahead'; readonly body: ExpressionNode; readonly isNegative: boolean }
  /** A reference to a group, or a look at what is before: only a backtracking engine has them. */
  | { readonly kind: 'backtracking'; readonly body: ExpressionNode | undefined };

const EMPTY: ExpressionNode = { kind: 'sequence', parts: [] };
const ESCAPE =
  /\\(?:u\{[\da-f]+\}|ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|.)/isuy;
const CLASS = /\[(?:\\.|[^\]\\])*\]/suy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y;
const GROUP = /\((?:\?(?:<(?![=!])[^>]*>|[\w-]*:|<?[=!]))?/y;

/**
 * Parses an expression that `new RegExp` accepts with the flag `u`. Undefined if it has modifiers, `(?i:…)`, or is nested
 * deeper than anybody writes it.
 */
export function parseSyntax(source: string): ExpressionNode | undefined {
  const reader = new SyntaxReader(source);
  const node = reader.alternatives(0);
  return reader.isUnknown || reader.at < source.length ? undefined : node;
}

const MOST_NESTED = 50;

class SyntaxReader {
  at = 0;
  isUnknown = false;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(depth: number): ExpressionNode {
    const of = [this.#sequence(depth)];
    while (this.#source[this.at] === '|') {
      this.at++;
      of.push(this.#sequence(depth));
    }
    return of.length === 1 ? of[0] : { kind: 'alternatives', of };
  }

  #sequence(depth: number): ExpressionNode {
    const parts: ExpressionNode[] = [];
    while (this.at < this.#source.length && !this.isUnknown) {
      const character = this.#source[this.at];
      if (character === '|' || character === ')') break;
      parts.push(this.#quantified(this.#atom(depth)));
    }
    return parts.length === 1 ? parts[0] : { kind: 'sequence', parts };
  }

  #quantified(body: ExpressionNode): ExpressionNode {
    const found = this.#take(QUANTIFIER);
    if (found === undefined) return body;
    const [sign, from, comma, to, lazy] = [1, 2, 3, 4, 5].map((group) => found.at(group) ?? '');
    const least = from === '' ? Number(sign === '+') : Number(from);
    let most = sign === '?' ? 1 : Infinity;
    if (from !== '' && (comma === '' || to !== '')) most = comma === '' ? least : Number(to);
    return { kind: 'repeat', body, least, most, isLazy: lazy === '?' };
  }

  #atom(depth: number): ExpressionNode {
    const character = this.#source[this.at];
    if (character === '(') return this.#group(depth);
    if (character === '[') return { kind: 'character', source: this.#take(CLASS)?.[0] ?? '' };
    if (character === '\\') return escaped(this.#take(ESCAPE)?.[0] ?? '', () => this.#rest());
    const [point] = this.#source.slice(this.at, this.at + 2);
    this.at += point.length;
    if (point === '^') return { kind: 'begin' };
    if (point === '$') return { kind: 'end' };
    return { kind: 'character', source: point };
  }

  /** After `\k` comes the name of a group. */
  #rest(): void {
    this.#take(/<[^>]*>/y);
  }

  #group(depth: number): ExpressionNode {
    const head = this.#take(GROUP)?.[0] ?? '(';
    this.isUnknown ||= depth > MOST_NESTED || /^\(\?[\w-]+:/.test(head);
    if (this.isUnknown) return EMPTY;
    const body = this.alternatives(depth + 1);
    this.at++;
    if (head === '(?=' || head === '(?!') return { kind: 'lookahead', body, isNegative: head === '(?!' };
    return head === '(?<=' || head === '(?<!' ? { kind: 'backtracking', body } : body;
  }

  /** Steps past a match at the present place. */
  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.#source) ?? undefined;
    this.at += found?.[0].length ?? 0;
    return found;
  }
}

function escaped(source: string, skipName: () => void): ExpressionNode {
  if (source === '\\b') return { kind: 'boundary' };
  if (source === '\\B') return { kind: 'noBoundary' };
  if (source === '\\k') skipName();
  return source === '\\k' || /^\\[1-9]/.test(source)
    ? { kind: 'backtracking', body: undefined }
    : { kind: 'character', source };
}

/** What a backtracking engine may do with a text of n characters: at most choices · n ^ degree steps. */
export interface ExpressionCost {
  readonly choices: number;
  readonly degree: number;
}

/** The cost of finding an expression anywhere in a text. */
export function costOf(node: ExpressionNode): ExpressionCost {
  const { choices, degree } = costAt(node);
  return { choices, degree: beginsText(node) ? degree : degree + 1 };
}

/** The cost of matching an expression at one place. */
function costAt(node: ExpressionNode): ExpressionCost {
  let [choices, degree] = [1, 0];
  switch (node.kind) {
    case 'sequence':
      for (const cost of node.parts.map(costAt)) {
        choices *= cost.choices;
        degree += cost.degree;
      }
      break;
    case 'alternatives':
      choices = 0;
      for (const cost of node.of.map(costAt)) {
        choices += cost.choices;
        degree = Math.max(degree, cost.degree);
      }
      break;
    case 'repeat': {
      const body = costAt(node.body);
      const { least, most } = node;
      if (most === Infinity) {
        // Each way to divide a text among repetitions of several ways is tried: exponentially many.
        const isSimple = body.choices === 1 && body.degree === 0;
        return { choices: body.choices, degree: isSimple ? 1 : Infinity };
      }
      return { choices: (most - least + 1) * body.choices ** most, degree: body.degree * most };
    }
    case 'lookahead':
      return costAt(node.body);
    case 'backtracking': {
      const body = node.body === undefined ? { choices: 1, degree: 0 } : costAt(node.body);
      return { choices: body.choices, degree: body.degree + 1 };
    }
  }
  return { choices, degree };
}

/** Whether every match begins at the beginning of the text. */
function beginsText(node: ExpressionNode): boolean {
  if (node.kind === 'begin') return true;
  if (node.kind === 'alternatives') return node.of.every(beginsText);
  return node.kind === 'sequence' && node.parts.length > 0 && beginsText(node.parts[0]);
}
