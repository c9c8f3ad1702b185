// `/mcp`: authentication, rate limits, requests that are rejected before a tool runs, and old and new versions of the protocol.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestAgent } from '../../testing/mcp.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { estimateTokens, TOOL_LIST_TOKENS } from './tokens.ts';

let service: RunningService;
let key: string;
let publishing: string;
beforeAll(async () => {
  service = await startService({ public_url: 'https://desk.example.org' });
  key = (await service.key('premium')).key;
  publishing = (await service.key('premium', ['read', 'publish'])).key;
});
afterAll(() => service.stop());

const PING = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}/mcp`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'X-API-Key': key,
      ...headers,
    },
  });
const codeOf = async (response: Response): Promise<unknown[]> => {
  const body = (await response.json()) as { code?: string; error?: { code: number } };
  return [response.status, body.code ?? body.error?.code];
};

describe('access', () => {
  test('needs a key in the header that REST uses, with the scope read', async () => {
    expect(await codeOf(await fetch(`${service.url}/mcp`, { method: 'POST', body: '{}' }))).toEqual([
      401,
      'missing_key',
    ]);
    expect(await codeOf(await post(PING, { 'X-API-Key': 'tw_wrong' }))).toEqual([401, 'invalid_key']);
    const { key: ingest } = await service.key('premium', ['ingest']);
    expect(await codeOf(await post(PING, { 'X-API-Key': ingest }))).toEqual([403, 'missing_scope']);
  });

  test('a session cookie is no key', async () => {
    const headers = {
      Cookie: 'tickwire_session=abc',
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
    };
    const response = await fetch(`${service.url}/mcp`, { method: 'POST', body: JSON.stringify(PING), headers });
    expect(await codeOf(response)).toEqual([401, 'missing_key']);
  });

  test('requests count, and the tier limits them', async () => {
    const { key: free } = await service.key('free');
    const agent = await TestAgent.overHttp(service.url, free);
    let message = '';
    for (let calls = 0; calls < 60 && message === ''; calls++) {
      const result = await agent.client
        .callTool({ name: 'get_quotes', arguments: { symbols: ['EURUSD'] } })
        .catch((error: Error) => error);
      if (result instanceof Error) message = result.message;
      else if (result.isError) message = (result.content[0] as { text: string }).text;
    }
    expect(message).toMatch(/allows 60 requests in 60 seconds/);
    expect(await codeOf(await post(PING, { 'X-API-Key': free }))).toEqual([429, 'rate_limited']);
    await agent.close();
  });

  test.each([
    ['a page of another origin', { Origin: 'https://evil.example' }, 403],
    ['a page whose name resolves to this service', { Origin: 'http://evil.example:80', Host: 'evil.example:80' }, 403],
    ['an opaque origin', { Origin: 'null' }, 403],
    ['the configured address', { Origin: 'https://desk.example.org' }, 200],
  ])('a request from %s', async (_, headers, status) => {
    const response = await post(PING, headers);
    expect(response.status).toBe(status);
    if (status === 403) expect(((await response.json()) as { code: string }).code).toBe('foreign_origin');
    else expect(response.headers.has('access-control-allow-origin')).toBe(false);
  });

  test('a page on this machine may call it under the address it came from', async () => {
    const { host } = new URL(service.url);
    expect((await post(PING, { Origin: `http://${host}` })).status).toBe(200);
    expect((await post(PING, { Origin: 'http://127.0.0.1:1' })).status).toBe(403);
  });

  test('a preflight of another origin gets no CORS headers', async () => {
    const headers = { Origin: 'https://desk.example.org', 'Access-Control-Request-Method': 'POST' };
    const response = await fetch(`${service.url}/mcp`, { method: 'OPTIONS', headers });
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('the protocol', () => {
  test.each(['GET', 'DELETE', 'PUT'])('%s is not allowed: there are no sessions and no streams', async (method) => {
    const response = await fetch(`${service.url}/mcp`, { method, headers: { 'X-API-Key': key } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('a body may have 64 KiB', async () => {
    const long = { ...PING, params: { text: 'x'.repeat(70_000) } };
    expect(await codeOf(await post(long))).toEqual([413, 'payload_too_large']);
  });

  test.each([
    ['no JSON', '{', 400, -32_700],
    ['a batch', [PING, PING], 400, -32_600],
  ])('%s is an error of the protocol', async (_, body, status, code) => {
    expect(await codeOf(await post(body))).toEqual([status, code]);
  });

  test('another type of content is not read', async () => {
    expect((await post(PING, { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  test('an unknown protocol version is rejected', async () => {
    expect((await post(PING, { 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400);
  });

  test('no session is created, and nothing may be cached', async () => {
    const response = await post(PING);
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('subscriptions are refused: nothing that could be subscribed to ever changes', async () => {
    const agent = await TestAgent.overHttp(service.url, key);
    await expect(agent.client.listen({ toolsListChanged: true })).rejects.toThrow();
    await agent.close();
  });

  test.each([
    ['auto', '2026-07-28'],
    ['legacy', '2025-11-25'],
  ] as const)('a client of the generation %s speaks %s', async (era, version) => {
    const agent = await TestAgent.overHttp(service.url, key, era);
    expect(agent.client.getNegotiatedProtocolVersion()).toBe(version);
    expect(agent.client.getInstructions()).toContain('stale');
    expect(agent.client.getServerVersion()).toMatchObject({ name: 'tickwire' });
    expect((await agent.client.listTools()).tools).toHaveLength(10);
    await agent.close();
  });
});

describe('tools', () => {
  test('at most eleven, within the budget of the list, and publishing only with its scope', async () => {
    const names = async (of: string): Promise<string[]> => {
      const agent = await TestAgent.overHttp(service.url, of);
      const { tools } = await agent.client.listTools();
      await agent.close();
      expect(tools.length).toBeLessThanOrEqual(11);
      expect(estimateTokens(JSON.stringify(tools))).toBeLessThanOrEqual(TOOL_LIST_TOKENS);
      for (const { name, annotations, outputSchema } of tools) {
        expect(annotations?.readOnlyHint).toBe(!['publish_signal', 'replay_market'].includes(name));
        expect(outputSchema).toMatchObject({ required: expect.arrayContaining(['as_of', 'age_ms', 'source', 'gaps']) });
      }
      return tools.map(({ name }) => name);
    };
    const reading = await names(key);
    expect(reading).not.toContain('publish_signal');
    expect(await names(publishing)).toEqual([...reading, 'publish_signal']);
  });

  test('a key without the scope cannot publish by calling the tool anyway', async () => {
    const agent = await TestAgent.overHttp(service.url, key);
    await expect(agent.client.callTool({ name: 'publish_signal', arguments: {} })).rejects.toThrow(/not found/);
    await agent.close();
  });

  test('bad arguments get the allowed values', async () => {
    const agent = await TestAgent.overHttp(service.url, key);
    expect(await agent.fails('get_quotes', { symbols: [] })).toContain(
      'symbols must be a list of 1 to 20 instrument codes',
    );
    expect(await agent.fails('get_quotes', { symbol: 'EURUSD' })).toContain('get_quotes has symbols');
    expect(await agent.fails('get_quotes', { symbols: ['XAUEUR'] })).toMatch(/symbol_not_found.*Similar: XAUUSD/);
    expect(await agent.fails('get_bars', { symbols: ['EURUSD'], interval: '7x' })).toContain(
      'a number of minutes up to 1440m, of hours up to 24h, 1d, 1w or 1M',
    );
    expect(await agent.fails('get_bars', { symbols: ['EURUSD'], align: 'Mars' })).toContain('or an IANA time zone');
    expect(await agent.fails('get_bars', { symbols: ['EURUSD'], from: 'yesterday' })).toContain(
      'an ISO 8601 date or time',
    );
    expect(await agent.fails('get_bars', { symbols: ['EURUSD'], from: '2030-01-01' })).toContain(
      'from must be before to',
    );
    for (const [name, args] of [
      ['get_bars', { symbols: ['EURUSD'] }],
      ['get_indicators', { symbol: 'EURUSD', indicators: ['rsi'] }],
      ['get_order_flow', { symbol: 'EURUSD' }],
      ['get_order_flow', { symbol: 'EURUSD', view: 'footprint' }],
      ['get_coverage', { symbol: 'EURUSD' }],
      ['get_signals', { view: 'publishers' }],
      ['find_instruments', {}],
    ] as const)
      expect(await agent.fails(name, { ...args, cursor: 'x' })).toContain('cursor must be the value of next');
    expect(await agent.fails('get_news', { category: 'sports' })).toContain('one of forex, gold, crypto, macro');
    expect(await agent.fails('get_coverage', { symbol: 'EURUSD', timeframe: '1m', from: '2020-01-01' })).toContain(
      'at most 50000 bars',
    );
    expect(await agent.fails('verify_signal', { id: 'nothing' })).toContain('signal_not_found');
    expect(await agent.fails('get_signals', { view: 'publishers', publisher: 'nobody' })).toContain(
      'publisher_not_found',
    );
    await agent.close();
  });

  test('resources are the instruments, the glossary and the rules of signals by section', async () => {
    const { client, close } = await TestAgent.overHttp(service.url, key).then((agent) => ({
      client: agent.client,
      close: () => agent.close(),
    }));
    const read = async (uri: string): Promise<string> =>
      ((await client.readResource({ uri })).contents[0] as { text: string }).text;
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'tickwire://instruments',
      'tickwire://docs/glossary',
      'tickwire://docs/signal-rules',
    ]);
    expect(await read('tickwire://instruments')).toContain('\nXAUUSD,"Gold / US Dollar",metal,3\n');
    expect(await read('tickwire://docs/glossary')).toStartWith('# Glossary');
    const rules = await read('tickwire://docs/signal-rules');
    const sections = [...rules.matchAll(/tickwire:\/\/docs\/signal-rules\/[a-z0-9-]+/g)].map(([uri]) => uri);
    expect(sections.length).toBeGreaterThan(8);
    expect(await read('tickwire://docs/signal-rules/judging')).toStartWith('## Judging');
    for (const uri of sections) expect((await read(uri)).length).toBeGreaterThan(100);
    await expect(client.readResource({ uri: 'tickwire://docs/signal-rules/nothing' })).rejects.toThrow();
    await close();
  });

  test('prompts name the tools to call', async () => {
    const agent = await TestAgent.overHttp(service.url, key);
    const { prompts } = await agent.client.listPrompts();
    const { tools } = await agent.client.listTools();
    expect(prompts.map(({ name }) => name)).toEqual(['morning_briefing', 'review_publisher']);
    const texts = await Promise.all([
      agent.client.getPrompt({ name: 'morning_briefing', arguments: { symbols: 'EURUSD,XAUUSD' } }),
      agent.client.getPrompt({ name: 'review_publisher', arguments: { publisher: 'Ada' } }),
    ]);
    const all = JSON.stringify(texts);
    const named = new Set([...all.matchAll(/\b(?:get|find|verify)_\w+/g)].map(([name]) => name));
    expect([...named].filter((name) => !tools.some((tool) => tool.name === name))).toEqual([]);
    expect(all).toContain('EURUSD,XAUUSD');
    expect(all).toContain('publisher Ada');
    await agent.close();
  });

  test('a client may ask for a prefix, which every name of a tool then has', async () => {
    const agent = await TestAgent.overHttp(service.url, publishing, 'auto', '?prefix=tickwire_');
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toSatisfy((names: string[]) =>
      names.every((name) => name.startsWith('tickwire_')),
    );
    expect(await agent.fails('tickwire_get_quotes', { symbols: ['XAUEUR'] })).toContain(
      'Use tickwire_find_instruments',
    );
    const { messages } = await agent.client.getPrompt({ name: 'review_publisher', arguments: { publisher: 'Ada' } });
    expect(JSON.stringify(messages)).toContain('Call tickwire_get_signals with');
    await agent.close();
    const refused = await fetch(`${service.url}/mcp?prefix=Tick-`, {
      method: 'POST',
      body: '{}',
      headers: { 'X-API-Key': key },
    });
    expect(await codeOf(refused)).toEqual([400, 'invalid_parameter']);
  });

  test('completions that cannot be understood are refused in plain words', async () => {
    const ref = { type: 'ref/resource', uri: 'tickwire://docs/signal-rules/{section}' };
    for (const params of [
      {},
      { ref },
      { ref, argument: { name: 3 } },
      { ref: { type: 'x' }, argument: { name: 'a', value: 'b' } },
    ]) {
      const body = await (await post({ jsonrpc: '2.0', id: 1, method: 'completion/complete', params })).text();
      expect(body).toMatch(/Missing or not valid: params\./);
    }
  });
});
