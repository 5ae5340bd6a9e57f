import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { onTestFinished } from 'vitest';
import type {
  CompareData,
  MethodData,
  TimelineData,
  TopData,
  TreeData,
} from '../../shared/answers/schemas.ts';
import type { ToldFindings } from '../../electron/cli/answer-commands.ts';
import type { Allowed } from '../../electron/cli/mcp/allowed-files.ts';
import { callTool } from '../../electron/cli/mcp/call-tool.ts';
import { mcpServer } from '../../electron/cli/mcp/server.ts';
import { Session } from '../../electron/cli/mcp/session.ts';

interface Answers {
  readonly open: {
    readonly profile: string;
    readonly samples: number;
    readonly threads: number;
    readonly spanSeconds: number;
  };
  readonly findings: ToldFindings;
  readonly top: TopData;
  readonly tree: TreeData;
  readonly method: MethodData;
  readonly timeline: TimelineData;
  readonly compare: CompareData;
  readonly query: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly unknown[])[];
    readonly hasMore: boolean;
  };
  readonly export: { readonly file: string };
}

/** What an assistant has got. `data`: of an answer that is no error, and fits. */
export interface Got<Data> {
  readonly text: string;
  readonly data: Data;
  readonly isError: boolean;
}

/** An assistant that is connected to a server in this process. */
export async function assistant(allowed: Partial<Allowed>, mayAttach = false) {
  const session = new Session({ files: [], folders: [], ...allowed });
  const mayWrite = (allowed.folders ?? []).length > 0;
  const server = mcpServer(async ({ name, args }) => callTool(session, name, args), { mayAttach, mayWrite });
  const client = new Client({ name: 'test', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  onTestFinished(async () => client.close());
  return {
    client,
    call: async <Name extends keyof Answers>(
      name: Name,
      args: Readonly<Record<string, unknown>>,
    ): Promise<Got<Answers[Name]>> => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
      const [{ text }] = content as [{ text: string }];
      return { text, data: structuredContent as Answers[Name], isError: isError === true };
    },
  };
}
