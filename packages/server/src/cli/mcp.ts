// `tickwire mcp`: the tools over stdio, for agents on this machine. Standard output carries the protocol and nothing else.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Usage } from '@tickwire/contract';
import { createMcpServer, TOOL_PREFIX } from '../mcp/mcp-server.ts';
import { remoteApi } from '../mcp/remote-api.ts';
import { ServiceReader, ToolError } from '../mcp/service.ts';
import { printHelp, readArguments, UsageError } from './arguments.ts';
import { invalidFlag } from './flag-values.ts';
import { serviceAddress } from './service-address.ts';

const HELP = `tickwire mcp [--prefix tickwire_]

Serves market data, news and signals of a Tickwire service to AI agents: the Model Context Protocol over standard input and
output. It ends when standard input closes. docs/mcp.md has the configuration of common agents.

  TICKWIRE_URL         address of the service; default: the local one, by its configured port
  --prefix             put before the name of every tool, for agents with tools of several services
  TICKWIRE_API_KEY     key with the scope read; publishing signals needs the scope publish as well
`;

/** The first request: whether the service responds and the key is valid. */
const START_TIMEOUT_MS = 10_000;

export async function mcp(args: string[]): Promise<number> {
  const { words, flags, on, config } = readArguments(args, { values: ['prefix'] });
  if (printHelp(on, HELP)) return 0;
  if (words.length > 0) throw new UsageError('usage: tickwire mcp [--prefix tickwire_]');
  const { prefix = '' } = flags;
  if (prefix !== '' && !TOOL_PREFIX.test(prefix))
    throw invalidFlag(
      '--prefix',
      prefix,
      'up to 32 lower-case letters, digits and _, starting with a letter, such as tickwire_',
    );
  const { url, key } = serviceAddress(config, 'the tools need a key with the scope read');
  const scopes = await readScopes(url, key);
  if (scopes === null) return 1;
  const closed = Promise.withResolvers<void>();
  const service = remoteApi({ url, key });
  const handle = serveStdio(() => createMcpServer({ service, scopes, prefix }), {
    onerror: (error) => process.stderr.write(`tickwire: ${error.message}\n`),
  });
  process.stdin.once('end', closed.resolve);
  process.stdin.once('close', closed.resolve);
  process.stderr.write(`tickwire: serving the tools of ${url}\n`);
  await closed.promise;
  await handle.close();
  return 0;
}

/** Scopes of the key; `null` after an error was printed. */
async function readScopes(url: string, key: string): Promise<ReadonlySet<string> | null> {
  try {
    const reader = new ServiceReader(remoteApi({ url, key, timeoutMs: START_TIMEOUT_MS }));
    const { scopes } = await reader.get<Usage>('/api/usage');
    return new Set(scopes);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const hint =
      error.code === null
        ? 'Start it with "tickwire serve", or set TICKWIRE_URL to its address'
        : 'Set TICKWIRE_API_KEY to a key with the scope read';
    process.stderr.write(`tickwire: ${error.message} ${hint}\n`);
    return null;
  }
}
