/** The server for assistants, in the Model Context Protocol. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { isDuckDbInstalled } from '../../fleet/duckdb.ts';
import { programVersion } from '../process-io.ts';
import { type Call, MOST_TOKENS, type Reply } from './call-tool.ts';
import { argumentsSchema, TOOLS } from './tools.ts';

const INSTRUCTIONS =
  'Profiles of JVMs: open, findings, then top, tree, method; timeline says when, compare what changed. A share with a wide interval, or marked too close to call, proves nothing. Answers have 2000 tokens; tokens asks for more.';
const NO_DATABASE = ' There is no SQL (query): DuckDB is not installed.';

/** What an assistant is told before it calls anything. */
export function instructions(hasDatabase: boolean): string {
  return hasDatabase ? INSTRUCTIONS : INSTRUCTIONS + NO_DATABASE;
}

/** A server whose tools are those of the list. `ask`: answers a call. */
export function mcpServer(
  ask: (call: Call, signal: AbortSignal) => Promise<Reply>,
  {
    mayAttach,
    mayWrite,
    hasDatabase = isDuckDbInstalled(),
  }: { readonly mayAttach: boolean; readonly mayWrite: boolean; readonly hasDatabase?: boolean },
): McpServer {
  const server = new McpServer(
    { name: 'leanscope', version: programVersion() },
    { instructions: instructions(hasDatabase) },
  );
  const tokens = z.int().min(200).max(MOST_TOKENS).optional();
  for (const { name, text, args, isReadOnly, needs } of TOOLS) {
    if ((needs === 'attach' && !mayAttach) || (needs === 'duckdb' && !hasDatabase)) continue;
    if (!isReadOnly && !mayWrite) continue;
    server.registerTool(
      name,
      {
        description: text,
        inputSchema: argumentsSchema({ ...args, tokens }),
        annotations: isReadOnly ? { readOnlyHint: true } : { readOnlyHint: false, destructiveHint: false },
      },
      async (given, { signal }) => {
        const { text: answer, data, isError } = await ask({ name, args: given }, signal);
        return {
          content: [{ type: 'text', text: answer }],
          ...(data !== undefined && { structuredContent: data }),
          ...(isError === true && { isError }),
        };
      },
    );
  }
  return server;
}
