// Agents that call the tools of a service with the client of the SDK, over HTTP and over stdio, and check every answer.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ANSWER_TOKENS, estimateTokens } from '../src/mcp/tokens.ts';
import { TICKWIRE } from './service.fixture.ts';

export type Data = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  /** The line of text. */
  readonly summary: string;
  // biome-ignore lint/suspicious/noExplicitAny: each tool has fields of its own, which the tests check.
  readonly data: any;
  readonly tokens: number;
}

const INFO = { name: 'test-agent', version: '1.0.0' };
/** Protocol versions: those before 2026-07-28 start with a handshake. */
export type Era = 'legacy' | 'auto';

export class TestAgent {
  readonly client: Client;
  /** Calls so far, with their tokens. */
  readonly calls: { readonly name: string; readonly tokens: number }[] = [];

  private constructor(client: Client) {
    this.client = client;
  }

  static async overHttp(url: string, key: string, era: Era = 'auto', query = ''): Promise<TestAgent> {
    const client = new Client(INFO, { versionNegotiation: { mode: era } });
    const requestInit = { headers: { 'X-API-Key': key } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit }));
    return new TestAgent(client);
  }

  /** Starts `tickwire mcp` as a user does: Node, the launcher, Bun. */
  static async overStdio(url: string, key: string, era: Era = 'auto'): Promise<TestAgent> {
    const client = new Client(INFO, { versionNegotiation: { mode: era } });
    const env = { PATH: process.env.PATH ?? '', TICKWIRE_URL: url, TICKWIRE_API_KEY: key };
    await client.connect(new StdioClientTransport({ command: 'node', args: [TICKWIRE, 'mcp'], env, stderr: 'ignore' }));
    return new TestAgent(client);
  }

  /** A call that must succeed. Checks what every answer promises; the client itself checks the output schema. */
  async call(name: string, args: Data = {}, budget: number = ANSWER_TOKENS): Promise<ToolAnswer> {
    const { content, structuredContent: data, isError } = await this.client.callTool({ name, arguments: args });
    const summary = textOf(content);
    if (isError) throw new Error(`${name} failed: ${summary}`);
    const tokens = estimateTokens(JSON.stringify({ content, structuredContent: data }));
    this.calls.push({ name, tokens });
    const faults = answerFaults(data as Data | undefined, summary);
    if (tokens > budget) faults.push(`it has ${tokens} tokens`);
    if (faults.length > 0)
      throw new Error(`answer of ${name}: ${faults.join('; ')}\n${JSON.stringify(data).slice(0, 1_000)}`);
    return { summary, data, tokens };
  }

  /** The text of a call that must fail. */
  async fails(name: string, args: Data = {}): Promise<string> {
    const { content, isError, structuredContent } = await this.client.callTool({ name, arguments: args });
    if (!isError || structuredContent !== undefined) throw new Error(`${name} did not fail`);
    return textOf(content);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

function textOf(content: readonly { readonly type: string }[]): string {
  const [first] = content;
  if (content.length !== 1 || first?.type !== 'text') throw new Error('the content is not one text');
  return (first as unknown as { text: string }).text;
}

/** What an answer lacks of the fields that every answer has. */
function answerFaults(data: Data | undefined, summary: string): string[] {
  const faults: string[] = [];
  const need = (isMet: boolean, what: string): void => {
    if (!isMet) faults.push(what);
  };
  need(summary.length > 0 && summary.length < 600 && !summary.includes('\n'), 'the text is not one line');
  if (!data) return [...faults, 'no structured content'];
  const { as_of, age_ms, stale, source, market, gaps, next } = data;
  need(as_of === null || !Number.isNaN(Date.parse(as_of as string)), 'as_of is no time');
  need(
    as_of === null ? age_ms === null : Number.isInteger(age_ms) && (age_ms as number) >= 0,
    'age_ms does not fit as_of',
  );
  need(typeof stale === 'boolean', 'stale is no boolean');
  need(typeof source === 'string' && source !== '', 'source is empty');
  need(typeof market === 'object' && market !== null, 'market is no object');
  for (const state of Object.values((market ?? {}) as Record<string, { state: string }>))
    need(state.state === 'open' || state.state === 'closed', `market state ${state.state}`);
  need(gaps === null || Array.isArray(gaps), 'gaps is no list');
  need(next === null || typeof next === 'string', 'next is no cursor');
  return faults;
}
