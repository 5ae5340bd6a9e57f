/** Calls of tools: an answer that fits, or an error that says what to do. */
import { ZodError } from 'zod';
import { UnknownMethod } from '../../../shared/answers/hot.ts';
import type { Answer } from '../../../shared/answers/answer.ts';
import { printableJson } from '../../../shared/text/printable.ts';
import { UserError } from '../../source/source-error.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';
import type { Session } from './session.ts';
import { type Tool, TOOLS } from './tools.ts';

export interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The answer that an assistant gets. */
export interface Reply {
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
}

/** A token has at least so many bytes of such text; most have four. */
const BYTES_OF_TOKEN = 3;
const DEFAULT_TOKENS = 2000;
export const MOST_TOKENS = 10_000;

/** An upper bound of the tokens of a text. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_OF_TOKEN);
}

/** Answers a call. Never rejects. */
export async function callTool(
  session: Session,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<Reply> {
  const tool = TOOLS.find((each) => each.name === name);
  if (tool === undefined) {
    const names = TOOLS.map((each) => each.name);
    return failed(`there is no tool '${name}'${didYouMean(name, names) || `; tools: ${names.join(', ')}`}`);
  }
  try {
    return await fitting(tool, session, given);
  } catch (error) {
    const notes = error instanceof UnknownMethod ? session.takeMessages() : [];
    session.takeMessages();
    return failed([reasonOf(error, tool), ...new Set(notes)].join('; '));
  }
}

function failed(reason: string): Reply {
  return { text: reason, isError: true };
}

function reasonOf(error: unknown, tool: Tool): string {
  if (error instanceof ZodError)
    return error.issues
      .map(({ path, message }) => `${path.length === 0 ? tool.name : path.join('.')}: ${message}`)
      .join('; ');
  if (error instanceof UserError || error instanceof UsageError || error instanceof UnknownMethod)
    return error.message;
  return `internal error: ${String(error)}; please report it`;
}

/** Asks with fewer rows until the answer fits into its tokens, as text and as data. */
async function fitting(
  tool: Tool,
  session: Session,
  { tokens: wanted = DEFAULT_TOKENS, ...given }: Readonly<Record<string, unknown>>,
): Promise<Reply> {
  const tokens = typeof wanted === 'number' ? wanted : NaN;
  if (!(tokens >= 200 && tokens <= MOST_TOKENS))
    throw new UsageError(`tokens cannot be '${String(wanted)}': it is a number from 200 to ${MOST_TOKENS}`);
  const asked = typeof given.limit === 'number' ? given.limit : tool.limit;
  let limit = asked;
  let answer = await tool.answer(session, given, limit);
  const sizeOf = ({ text, data }: Answer<object>): number =>
    Math.max(tokensOf(text), tokensOf(printableJson(data)));
  while (limit > 1 && sizeOf(answer) > tokens) {
    limit = Math.max(1, Math.min(limit - 1, Math.floor((limit * tokens) / sizeOf(answer))));
    answer = await tool.answer(session, given, limit);
  }
  const said = new Set([...(answer.hints ?? []), ...session.takeMessages()]);
  const messages = [...said].slice(0, 5);
  const notes = messages.map((message) => `Note: ${message}\n`).join('');
  const fewer =
    limit < asked
      ? `Cut to ${limit} of ${asked} rows to fit ${tokens} tokens: ask with tokens up to ${MOST_TOKENS}, or for a part with scope.\n`
      : '';
  const text = cutText(answer.text + notes + fewer, tokens);
  // Names may be so long that a single row does not fit.
  const data = tokensOf(printableJson(answer.data)) > tokens ? undefined : answer.data;
  return { text, ...(data !== undefined && { data: { ...data, limit } }) };
}

function cutText(text: string, tokens: number): string {
  if (tokensOf(text) <= tokens) return text;
  const end = '\n… cut here to fit: ask with more tokens, or for less\n';
  const bytes = Buffer.from(text).subarray(0, tokens * BYTES_OF_TOKEN - Buffer.byteLength(end) - 4);
  return bytes.toString('utf8').replace(/\ufffd+$/, '') + end;
}
