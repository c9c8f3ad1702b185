// `tickwire mcp` as a process: what it prints, when it ends, and what it says if it cannot start.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestAgent } from '../../testing/mcp.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { type RunningService, startService, TICKWIRE } from '../../testing/service.fixture.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService();
  key = (await service.key()).key;
});
afterAll(() => service.stop());

interface Ended {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command with some lines on standard input, which closes after `replies` lines of output. */
async function run(env: Record<string, string>, input: readonly unknown[] = [], replies = 0): Promise<Ended> {
  const child = Bun.spawn(['node', TICKWIRE, 'mcp'], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  let out = '';
  const reading = (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream() as never)) out += chunk;
  })();
  const err = new Response(child.stderr).text();
  for (const line of input) child.stdin.write(`${JSON.stringify(line)}\n`);
  await child.stdin.flush();
  await eventually(`${replies} replies`, () => out.split('\n').length > replies, 20_000);
  await child.stdin.end();
  const status = await child.exited;
  await reading;
  return { status, out, err: await err };
}

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const call = (name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('the process', () => {
  test('prints only the protocol, and ends when standard input closes', async () => {
    const { status, out, err } = await run(
      { TICKWIRE_URL: service.url, TICKWIRE_API_KEY: key },
      [initialize('2025-06-18'), INITIALIZED, call('get_quotes', { symbols: ['EURUSD'] })],
      2,
    );
    expect(status).toBe(0);
    const messages = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: Record<string, unknown> });
    expect(messages.map(({ id }) => id)).toEqual([1, 2]);
    expect(messages[0]!.result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'tickwire' } });
    const [text] = messages[1]!.result.content as { text: string }[];
    expect(text!.text).toMatch(/^EURUSD [\d.]+\/[\d.]+$/);
    expect(messages[1]!.result.structuredContent).toMatchObject({ source: 'simulated', stale: false });
    expect(err).toBe(`tickwire: serving the tools of ${service.url}\n`);
  });

  test('a client of a version without structured content gets the data as text', async () => {
    const { out } = await run(
      { TICKWIRE_URL: service.url, TICKWIRE_API_KEY: key },
      [initialize('2024-11-05'), INITIALIZED, call('get_quotes', { symbols: ['EURUSD'] })],
      2,
    );
    const result = (JSON.parse(out.trim().split('\n')[1]!) as { result: { content: { text: string }[] } }).result;
    const [summary, data] = result.content[0]!.text.split('\n');
    expect(summary).toStartWith('EURUSD ');
    expect(JSON.parse(data!)).toMatchObject({ source: 'simulated', items: [{ symbol: 'EURUSD' }] });
  });

  test('publishing is offered only with its scope', async () => {
    const { key: publishing } = await service.key('premium', ['read', 'publish']);
    for (const [of, expected] of [
      [key, false],
      [publishing, true],
    ] as const) {
      const agent = await TestAgent.overStdio(service.url, of);
      const { tools } = await agent.client.listTools();
      expect(tools.some(({ name }) => name === 'publish_signal')).toBe(expected);
      await agent.close();
    }
  });

  test('a service that stops meanwhile is an error of the tool that says so', async () => {
    const other = await startService();
    const agent = await TestAgent.overStdio(other.url, (await other.key()).key, 'legacy');
    await agent.call('get_quotes', { symbols: ['EURUSD'] });
    await other.stop();
    expect(await agent.fails('get_quotes', { symbols: ['EURUSD'] })).toContain(
      `service at ${other.url} cannot be reached`,
    );
    await agent.close();
  });
});

describe('a start that fails prints one line and nothing else', () => {
  const url = 'http://127.0.0.1:9';
  test.each([
    ['no key', {}, 2, /^tickwire: TICKWIRE_API_KEY is missing; the tools need a key with the scope read\n$/],
    [
      'no address',
      { TICKWIRE_API_KEY: 'x', TICKWIRE_URL: 'desk' },
      2,
      /^tickwire: TICKWIRE_URL is "desk", but must be an address.*\n$/,
    ],
    [
      'no service',
      { TICKWIRE_API_KEY: 'x', TICKWIRE_URL: url },
      1,
      /^tickwire: The Tickwire service at .* cannot be reached.* set TICKWIRE_URL to its address\n$/,
    ],
  ])('%s', async (_, env, status, err) => {
    expect(await run(env)).toEqual({ status, out: '', err: expect.stringMatching(err) });
  });

  test('a wrong key', async () => {
    const ended = await run({ TICKWIRE_URL: service.url, TICKWIRE_API_KEY: 'tw_wrong' });
    expect(ended).toMatchObject({ status: 1, out: '' });
    expect(ended.err).toMatch(/^tickwire: .*invalid_key.* Set TICKWIRE_API_KEY to a key with the scope read\n$/);
  });
});
