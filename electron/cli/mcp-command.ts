import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { AllowedFiles } from './mcp/allowed-files.ts';
import { type CommandIo, type ExitStatus, UsageError } from './command-io.ts';
import { COMMANDS } from './commands.ts';
import { readArguments } from './options.ts';
import { Asker } from './mcp/asker.ts';
import { mcpServer } from './mcp/server.ts';

/** Serves an assistant on standard input and output until it closes them. */
export async function mcpCommand(argv: readonly string[], _io: CommandIo): Promise<ExitStatus> {
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
