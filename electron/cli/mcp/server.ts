/** The server for assistants, in the Model Context Protocol. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { isDuckDbInstalled } from '../../fleet/duckdb.ts';
import { programVersion } from '../../runtime/program-version.ts';
import { type Call, MOST_TOKENS, type Reply } from './call-tool.ts';
import { argumentsSchema, TOOLS } from './tools.ts';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { AllowedFiles } from './allowed-files.ts';
import type { ExitStatus } from '../io/command-io.ts';
import { UsageError } from '../options/usage-error.ts';
import { COMMANDS } from '../options/commands.ts';
import { readArguments } from '../options/options.ts';
import { Asker } from './asker.ts';

const INSTRUCTIONS =
  'Profiles of JVMs: open, findings, then top, tree, method; timeline says when, compare what changed. A share with a wide interval, or marked too close to call, proves nothing. Answers have 2000 tokens; tokens asks for more.';
const NO_DATABASE = ' There is no SQL (query): DuckDB is not installed.';

/** The text that an assistant is told before it calls anything. */
export function instructions(hasDatabase: boolean): string {
  return hasDatabase ? INSTRUCTIONS : INSTRUCTIONS + NO_DATABASE;
}

/** A server whose tools are those of the list. `ask`: answers a call. */
export function mcpServer(
  ask: (call: Call, signal: AbortSignal) => Promise<Reply>,
  { mayAttach, mayWrite }: { readonly mayAttach: boolean; readonly mayWrite: boolean },
): McpServer {
  const hasDatabase = isDuckDbInstalled();
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

/** Serves an assistant on standard input and output until it closes them. */
export async function mcpCommand(argv: readonly string[]): Promise<ExitStatus> {
  const { files, values } = readArguments(argv, COMMANDS.mcp.options);
  const allowed = { files, folders: values.allow };
  if (files.length === 0 && values.allow.length === 0)
    throw new UsageError('mcp needs the files that may be read, or --allow FOLDER');
  // A folder that cannot be allowed is refused at once.
  new AllowedFiles(allowed);
  const asker = new Asker(new URL('./mcp-worker.cjs', import.meta.url), allowed, values.budget);
  const mayWrite = values.allow.length > 0;
  const server = mcpServer(async (call, signal) => asker.ask(call, signal), {
    mayWrite,
    mayAttach: values['allow-attach'],
  });
  await server.connect(new StdioServerTransport());
  await new Promise<void>((ended) => {
    process.stdin.once('end', ended);
    process.stdin.once('close', ended);
  });
  await server.close();
  await asker.close();
  return 0;
}
