// Every snippet against a running service: pasted as it stands, with nothing but the key in the environment.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TickwireClient } from '@tickwire/client';
import { FAKE_BOT_TOKEN } from 'tickwire/testing/delivery/fake-telegram.fixture.ts';
import { newsEvent } from 'tickwire/testing/news.fixture.ts';
import { withPerpetuals } from 'tickwire/testing/perpetual.fixture.ts';
import { Person } from 'tickwire/testing/person.fixture.ts';
import { preparedFolder } from 'tickwire/testing/prepared-folder.fixture.ts';
import { makeKey, type RunningService, startService, temporaryFolder } from 'tickwire/testing/service.fixture.ts';
import { reportSkipped } from 'tickwire/testing/skipped.fixture.ts';
import { argumentsOf, methodOf } from './client-methods.ts';
import { exampleValues, type Known, known, withLiveBody } from './example-values.ts';
import {
  type AsyncApi,
  channelsOf,
  type OpenApi,
  type Operation,
  operationsOf,
  type SnippetChannel,
} from './operations.ts';
import { targetOf } from './request.ts';
import { curlCall, pythonCall, typescriptCall } from './rest-snippets.ts';
import { pythonStream, type StreamCall, typescriptStream, websocat } from './stream-snippets.ts';

const SECONDS_EACH = 60;
/** Processes at a time. */
const ABREAST = 4;
const hasPython = Bun.which('python3') !== null;
if (!hasPython) reportSkipped('Python snippets', 'python3 is not installed');

let service: RunningService;
let folder: string;
let environment: Record<string, string>;
let operations: readonly Operation[];
let channels: readonly SnippetChannel[];
let examples: Known;

beforeAll(async () => {
  const { data } = await preparedFolder();
  const { key } = await makeKey(data, 'premium', ['read', 'alerts', 'publish', 'ingest', 'admin']);
  // A chat channel can be created before its bot is reachable.
  const bot = { telegram_bot_token: FAKE_BOT_TOKEN, telegram_api_url: 'http://127.0.0.1:9' };
  service = await startService({ data, public_records: 'on', ...bot, ...withPerpetuals() });
  const owner = await Person.owner(service);
  const client = new TickwireClient({ url: service.url, apiKey: key });
  const order = (await known(client)).order as Parameters<TickwireClient['publishSignal']>[0];
  await client.publishSignal(order);
  await client.createAlert({ symbol: 'EURUSD', condition: { type: 'price', cross: 'above', level: 2 } });
  await client.createChatChannel({ platform: 'telegram' });
  await client.createReplay({ symbols: ['EURUSD'], from: '2026-03-02', to: '2026-03-03' });
  service.app.journal.append([newsEvent('news_1')]);
  const document = { kind: 'settings', name: 'chart' };
  await owner.must(200, owner.put('/api/account/documents/settings/chart', { value: {} }));
  examples = { ...(await known(client)), document };
  const read = async <T>(path: string): Promise<T> => (await fetch(service.url + path)).json() as Promise<T>;
  operations = operationsOf(await read<OpenApi>('/openapi.json')).map((each) => withLiveBody(each, examples));
  channels = channelsOf(await read<AsyncApi>('/asyncapi.json'));
  folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules', '@tickwire'), { recursive: true });
  const installed = fileURLToPath(new URL('../../../../client', import.meta.url));
  symlinkSync(installed, join(folder, 'node_modules', '@tickwire', 'client'));
  environment = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    TICKWIRE_API_KEY: key,
    TICKWIRE_SESSION: owner.cookie!.replace('tickwire=', ''),
  };
});
afterAll(async () => {
  await service.stop();
  for (const each of [folder, service.folder]) rmSync(each, { recursive: true, force: true });
});

const callOf = (operation: Operation) => ({
  operation,
  values: exampleValues(operation, examples),
  url: service.url,
  secret: { from: 'environment' } as const,
});
const streamOf = (channel: SnippetChannel): StreamCall => ({
  channel,
  symbols: examples.symbols,
  url: service.url,
  secret: { from: 'environment' },
  lines: operations.find(({ name }) => name === 'ingestTicks')!.body!.documents,
});

async function output(command: readonly string[]): Promise<{ code: number; text: string; wrong: string }> {
  const child = Bun.spawn([...command], { cwd: folder, env: environment, stdout: 'pipe', stderr: 'pipe' });
  const [text, wrong] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, text, wrong };
}

/** The answers of all calls that only read, as `[name, exit code, first sign of the output]`. */
async function ran(command: (operation: Operation) => readonly string[]): Promise<readonly unknown[]> {
  const waiting = operations.filter(({ method }) => method === 'GET');
  const results: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { code, text, wrong } = await output(command(next));
      results.push([next.name, code, wrong, text.trimStart().charAt(0)]);
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, worker));
  return results.sort();
}
/** The header lines of CSV start with the name of a column. */
const FIRST_OF: Readonly<Record<string, string>> = {
  publisherSignals: 'i',
  publisherEquity: 'a',
  udfSearch: '[',
  udfTime: '1',
};
const wanted = (): readonly unknown[] =>
  operations
    .filter(({ method }) => method === 'GET')
    .map(({ name }) => [name, 0, '', FIRST_OF[name] ?? '{'])
    .sort();
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('calls', () => {
  test('exist for each endpoint', () => {
    expect(operations.length).toBeGreaterThan(50);
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
    expect(operations.filter(({ group }) => group === '')).toEqual([]);
  });

  test(
    'every reading call succeeds with curl',
    async () => {
      const command = (operation: Operation) => [
        'bash',
        '-c',
        curlCall(callOf(operation)).replace(/^curl/, 'curl -sS --fail-with-body'),
      ];
      expect(await ran(command)).toEqual([...wanted()]);
    },
    SECONDS_EACH * 1_000,
  );

  test(
    'every reading call succeeds in TypeScript',
    async () => {
      const command = (operation: Operation) => [
        process.execPath,
        file(`${operation.name}.ts`, typescriptCall(callOf(operation))),
      ];
      expect(await ran(command)).toEqual([...wanted()]);
    },
    SECONDS_EACH * 1_000,
  );

  test.skipIf(!hasPython)(
    'every reading call succeeds in Python with the standard library alone',
    async () => {
      // Other responses have several lines; the calls with curl cover them.
      const reading = operations.filter(({ method, respondsJson }) => method === 'GET' && respondsJson);
      const files = reading.map((each) => file(`${each.name}.py`, pythonCall(callOf(each))));
      // One after another in one interpreter: most of the time goes into starting it.
      const all = 'import runpy, sys\nfor path in sys.argv[1:]: runpy.run_path(path)';
      const { code, text, wrong } = await output(['python3', '-I', '-c', all, ...files]);
      expect([code, wrong]).toEqual([0, '']);
      const answers = text.trimEnd().split('\n');
      expect(answers.map((line) => line.charAt(0))).toEqual(reading.map(({ name }) => FIRST_OF[name] ?? '{'));
    },
    SECONDS_EACH * 1_000,
  );

  test('sends the same request with the client as with curl', async () => {
    for (const operation of operations) {
      const asked: unknown[] = [];
      const record = async (address: string, init: { method?: string; body?: unknown }): Promise<Response> => {
        const documents = typeof init.body === 'string' ? init.body.trim().split('\n') : [];
        asked.push([init.method ?? 'GET', decodeURIComponent(address.slice(service.url.length)), documents]);
        return Response.json({});
      };
      const client = new TickwireClient({ url: service.url, apiKey: 'key', fetch: record as never });
      const { values } = callOf(operation);
      const given = argumentsOf(operation, values);
      await new Function('client', 'given', `return client.${methodOf(operation)}(...given)`)(client, given);
      const documents = (operation.body?.documents ?? []).map((each) => JSON.stringify(each));
      // The client also asks which of the symbols are unknown.
      const more = operation.name === 'quotes' ? '&detail=true' : '';
      const target = decodeURIComponent(targetOf(operation, values)) + more;
      expect([operation.name, asked]).toEqual([operation.name, [[operation.method, target, documents]]]);
    }
  });

  test('publishes the displayed signal with curl', async () => {
    const operation = operations.find(({ name }) => name === 'publishSignal')!;
    const { code, text } = await output(['bash', '-c', curlCall(callOf(operation)).replace(/^curl/, 'curl -sS')]);
    expect([code, JSON.parse(text)]).toEqual([0, expect.objectContaining({ status: 'active', direction: 'buy' })]);
  });

  test('quotes any typed value', async () => {
    const operation = operations.find(({ name }) => name === 'signals')!;
    const values = { user: `'; touch stolen; echo "$(id)" \` & # ` };
    const call = { ...callOf(operation), values };
    const { code, text } = await output(['bash', '-c', curlCall(call).replace(/^curl/, 'curl -sS --fail-with-body')]);
    expect([code, JSON.parse(text).items]).toEqual([0, []]);
    expect(await Bun.file(join(folder, 'stolen')).exists()).toBe(false);
    const { text: typed } = await output([process.execPath, file('hostile.ts', typescriptCall(call))]);
    expect(typed).toContain('items: []');
  });

  test('contains a key only if it was just created', () => {
    for (const operation of operations) {
      const secret = { from: 'text', key: 'tw_just_made' } as const;
      for (const write of [curlCall, typescriptCall, pythonCall]) {
        const [shown, hidden] = [write({ ...callOf(operation), secret }), write(callOf(operation))];
        expect([operation.name, shown.includes('tw_just_made')]).toEqual([operation.name, operation.access === 'key']);
        expect(hidden.includes('TICKWIRE_API_KEY')).toBe(operation.access === 'key');
      }
    }
  });
});

describe('streams', () => {
  test('receives prices in TypeScript', async () => {
    for (const name of ['market', 'orderflow', 'all']) {
      const channel = channels.find((each) => each.name === name)!;
      const path = file(`${name}-stream.ts`, typescriptStream(streamOf(channel)));
      const child = Bun.spawn([process.execPath, path], { cwd: folder, env: environment, stdout: 'pipe' });
      try {
        const { value } = await child.stdout.getReader().read();
        expect(new TextDecoder().decode(value)).toContain('symbol');
      } finally {
        child.kill();
        await child.exited;
      }
    }
  });

  test('sends lines in TypeScript and receives a reply to each frame', async () => {
    // The simulated markets take no ticks of others.
    const pushed = await startService({ feeds: 'push' });
    const { key } = await pushed.key('premium', ['ingest']);
    const channel = channels.find((each) => each.name === 'ingest')!;
    const path = file('ingest-stream.ts', typescriptStream({ ...streamOf(channel), url: pushed.url }));
    const env = { ...environment, TICKWIRE_API_KEY: key };
    const child = Bun.spawn([process.execPath, path], { cwd: folder, env, stdout: 'pipe' });
    try {
      const said: string[] = [];
      let rest = '';
      for await (const chunk of child.stdout) {
        const lines = (rest + new TextDecoder().decode(chunk)).split('\n');
        rest = lines.pop() ?? '';
        said.push(...lines.map((line) => (JSON.parse(line) as { event: string }).event));
        if (said.length === 4) break;
      }
      expect(said).toEqual(['authenticated', 'ingested', 'ingested', 'ingested']);
    } finally {
      child.kill();
      await child.exited;
      await pushed.stop();
    }
  });

  test('are well formed in every other language', () => {
    const shellTexts = channels.map((channel) => websocat(streamOf(channel)));
    for (const text of shellTexts) expect(Bun.spawnSync(['bash', '-n', '-c', text]).exitCode).toBe(0);
    const transpiler = new Bun.Transpiler({ loader: 'ts' });
    for (const channel of channels)
      expect(() => transpiler.transformSync(typescriptStream(streamOf(channel)))).not.toThrow();
  });
});

test.skipIf(!hasPython)('Python compiles all, those that write and the streams too', async () => {
  const calls = operations.map((operation) => file(`all-${operation.name}.py`, pythonCall(callOf(operation))));
  const streams = channels.map((channel) => file(`all-${channel.name}-stream.py`, pythonStream(streamOf(channel))));
  const { code, wrong } = await output(['python3', '-m', 'py_compile', ...calls, ...streams]);
  expect([code, wrong]).toEqual([0, '']);
});
