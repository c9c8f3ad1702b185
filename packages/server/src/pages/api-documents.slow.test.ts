// OpenAPI and AsyncAPI against the running server: it behaves as documented, and the examples are valid.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  type ActiveSignal,
  asyncApiDocument,
  CHANNELS,
  INDICATOR_CATALOGUE,
  type IndicatorEntry,
  MESSAGES,
  type MessageName,
  openApiDocument,
  STREAM_CHANNELS,
} from '@tickwire/contract';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { AlertUser, crossing } from '../../testing/alert-user.fixture.ts';
import { alertEvent } from '../../testing/alerts.fixture.ts';
import { FAKE_BOT_TOKEN } from '../../testing/delivery/fake-telegram.fixture.ts';
import { newsEvent } from '../../testing/news.fixture.ts';
import { BTC_PERPETUAL, figuresEvent, liquidationEvent, withPerpetuals } from '../../testing/perpetual.fixture.ts';
import { atMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { newReplay } from '../../testing/replay/new-replay.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: true;
  readonly schema: Readonly<Record<string, unknown>>;
}
interface Media {
  readonly schema: object;
}
interface Result {
  /** A 304 has no content. */
  readonly content?: Readonly<Record<string, Media>>;
}
interface Reference {
  readonly $ref: string;
}
interface Operation {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, Result | Reference>>;
}
interface OpenApi {
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post?: Operation }>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Result>>;
    readonly schemas: Readonly<Record<string, { readonly examples?: readonly unknown[] }>>;
  };
}
interface AsyncApi {
  readonly channels: Readonly<Record<string, { readonly address: string; readonly messages: object }>>;
  readonly components: {
    readonly messages: Readonly<Record<string, { payload: object; examples: { payload: unknown }[] }>>;
    readonly schemas: object;
  };
}

async function newChatChannel(url: string, key: string): Promise<string> {
  const body = JSON.stringify({ platform: 'telegram' });
  const response = await fetch(`${url}/api/chat-channels`, { method: 'POST', body, headers: { 'X-API-Key': key } });
  return ((await response.json()) as { id: string }).id;
}

let service: RunningService;
let openApi: OpenApi;
let asyncApi: AsyncApi;
let checkOf: ReturnType<typeof compilerOf>;
let messageCheckOf: ReturnType<typeof compilerOf>;
/** Created so that paths and filters that name one have a result. */
let signal: ActiveSignal;
beforeAll(async () => {
  // A channel of Telegram can be created before the bot is reachable.
  const bot = { telegram_bot_token: FAKE_BOT_TOKEN, telegram_api_url: 'http://127.0.0.1:9' };
  service = await startService({ sim_rate: '500', public_records: 'on', ...bot, ...withPerpetuals() });
  const publisher = await TestPublisher.of(service);
  signal = await publisher.published(await atMarket(publisher));
  service.app.journal.append([newsEvent('news_1')]);
  openApi = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
  asyncApi = (await (await fetch(`${service.url}/asyncapi.json`)).json()) as AsyncApi;
  checkOf = compilerOf(new Ajv2020({ strict: false }), openApi);
  messageCheckOf = compilerOf(new Ajv({ strict: false }), asyncApi);
});
afterAll(() => service.stop());

/** Compiles schemas of a document into functions that return `null` or the errors. Its components are compiled once. */
function compilerOf(ajv: Ajv | Ajv2020, { components }: Pick<OpenApi | AsyncApi, 'components'>) {
  addFormats.default(ajv as Ajv);
  ajv.addSchema({ $id: 'document', components });
  return (schema: object): ((value: unknown) => unknown) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object);
    return (value) => (validate(value) ? null : validate.errors);
  };
}

const nameOf = ({ $ref }: Reference): string => $ref.split('/').at(-1)!;
const parametersOf = ({ parameters = [] }: Operation): readonly Parameter[] =>
  parameters
    .map((each) => ('$ref' in each ? openApi.components.parameters[nameOf(each)]! : each))
    .map((each) => ({ ...each, schema: schemaOf(each) }));
const schemaOf = ({ schema }: Parameter): Parameter['schema'] =>
  '$ref' in schema
    ? (openApi.components.schemas[nameOf(schema as unknown as Reference)] as Parameter['schema'])
    : schema;
const resultOf = (each: Result | Reference): Result =>
  '$ref' in each ? openApi.components.responses[nameOf(each)]! : each;

/** Endpoints that need no session. */
const takesKey = ({ security = openApi.security }: Operation): boolean =>
  security.length === 0 || security.some((each) => 'apiKey' in each);

/** Parameters that a request must have. */
const REQUIRED: Readonly<Record<string, string>> = { entry: '1.084', stop_loss: '1.081', balance: '10000' };
/** A day, for charts. */
const RANGE = { from: '1772409600', to: '1772496000' };
function requiredQuery(parameters: readonly Parameter[], besides = ''): Record<string, string> {
  if (parameters.some(({ name }) => name in REQUIRED)) return { symbol: 'EURUSD', ...REQUIRED };
  if (parameters.some(({ name }) => name === 'resolution')) return { symbol: 'EURUSD', resolution: '60', ...RANGE };
  if (parameters.some(({ name, in: place, required }) => name === 'symbol' && place === 'query' && required))
    return { symbol: 'EURUSD' };
  if (parameters.some(({ name }) => name === 'channels'))
    return { channels: 'bars', symbols: 'EURUSD', timeframe: '1m' };
  if (parameters.some(({ name, required }) => name === 'symbols' && required)) return { symbols: 'EURUSD', limit: '3' };
  const isOfIndicators = parameters.some(({ name }) => name === 'indicators') && besides !== 'indicators';
  return isOfIndicators ? { name: withInput(besides)?.name ?? 'rsi' } : {};
}
const withInput = (input: string): IndicatorEntry | undefined =>
  (INDICATOR_CATALOGUE as readonly IndicatorEntry[]).find(({ inputs }) => inputs.some(({ name }) => name === input));

/** Values of an input of an indicator; `null` if there is none of this name. */
function inputSamples(name: string): string[] | null {
  const input = withInput(name)?.inputs.find((each) => each.name === name);
  if (!input) return null;
  return 'choices' in input ? [...input.choices] : [String(input.least), String(input.most)];
}

/** Bounds of a range that is limited, or would otherwise have all of history. */
function boundsOf(path: string, { name }: Parameter, all: readonly Parameter[]): Record<string, string> {
  if (path === '/api/profile/{symbol}' && name === 'from') return { to: '2026-03-03' };
  return name === 'format' && all.some((each) => each.name === 'limit') ? { limit: '5' } : {};
}

/** Values that a parameter documents as allowed. */
function samples({ name, schema, in: place, description }: Parameter): string[] {
  if (description?.startsWith('Input of')) return inputSamples(name)!.slice(0, 1);
  if (name === 'indicators') return ['rsi(14)', 'rsi,macd(12,26,9)'];
  if (name === 'name' && place === 'query') return ['rsi', 'bbands', 'vwap(week)'];
  if (name in REQUIRED) return [REQUIRED[name]!];
  if (name === 'currency') return ['USD', 'eur'];
  if (name === 'venue') return ['all'];
  if (name === 'q') return ['', 'btc'];
  if (name === 'query' || name === 'type' || name === 'exchange') return ['', 'forex'];
  if (name === 'risk_percent') return ['0.5', '100'];
  if (name === 'symbol') return ['EURUSD', 'xauusd'];
  if (name === 'interval') return ['1m', '90m', '2h', '1d', '1w', '1M'];
  if (name === 'align') return ['utc', 'ny', 'Asia/Kolkata'];
  if (name === 'level') return ['1', '50'];
  if (name === 'alert' || name === 'destination') return ['none-such'];
  if (name === 'country') return ['US', 'us,EU'];
  if (name === 'cursor' && String(schema.pattern).startsWith('^\\d')) return ['1772409600000.cal_1'];
  if (name === 'cursor')
    return String(schema.pattern).includes('.')
      ? ['b1772409600000.0', 'f1772409600000.12345']
      : ['b1772409600000', 'f1772409600000'];
  if (name === 'name' || name === 'user' || name === 'account') return [signal.user, signal.user.toUpperCase()];
  const { type, enum: values, minimum, maximum, anyOf, items, maxItems } = schema;
  if (name === 'id' || (name === 'before' && type === 'string')) return [signal.id];
  if (values) return values as string[];
  if (type === 'boolean') return ['true', 'false'];
  if (type === 'integer' || type === 'number') return [String(minimum), String(maximum ?? 1_000_000)];
  if (type === 'array') {
    const of = (items as { enum?: string[] }).enum ?? ['EURUSD', 'BTCUSD'];
    return [of[0]!, of.join(','), ...(maxItems ? [Array(Number(maxItems)).fill('EURUSD').join(',')] : [])];
  }
  if (anyOf) return ['2026-03-02T00:00:00Z', '2026-03-02', '1772409600'];
  throw new Error(`no sample for ${name}`);
}

describe('/openapi.json', () => {
  test('is the document of the contract', () => {
    expect(openApi as object).toEqual(openApiDocument());
  });

  test('every path and every documented parameter value gets the documented response', async () => {
    for (const [path, { get: operation }] of Object.entries(openApi.paths)) {
      if (!operation || !takesKey(operation)) continue;
      // All calls together exceed the requests per minute of one account.
      const { key } = await service.key('premium', ['read', 'publish', 'alerts', 'admin']);
      const { 'text/csv': csv, 'application/json': json } = resultOf(operation.responses[200]!).content!;
      const media = json ?? csv;
      // evidence.test.ts and event-streams.test.ts have the tests of streamed responses.
      if (!media) continue;
      const check = checkOf(media.schema);
      const id = path.startsWith('/api/alerts/{id}')
        ? (await new AlertUser(service.url, key).alert({ condition: crossing(99) })).id
        : path === '/api/news/{id}'
          ? 'news_1'
          : path.startsWith('/api/replays/{id}')
            ? (await newReplay(service.url, key)).id
            : path.startsWith('/api/chat-channels/{id}')
              ? await newChatChannel(service.url, key)
              : signal.id;
      const isPerpetual = path.endsWith('/perpetual');
      const address = path
        .replace('{symbol}', isPerpetual ? BTC_PERPETUAL : 'EURUSD')
        .replace('{id}', id)
        .replace('{venue}', 'all')
        .replace('{name}', encodeURIComponent(signal.user));
      const parameters = parametersOf(operation).filter((parameter) => parameter.in !== 'header');
      const required = requiredQuery(parameters);
      const calls = parameters.flatMap((parameter) =>
        (parameter.name === 'id'
          ? [id]
          : parameter.name === 'symbol' && isPerpetual
            ? [BTC_PERPETUAL]
            : samples(parameter)
        ).map((value) =>
          parameter.in === 'path'
            ? `${path.replace(`{${parameter.name}}`, encodeURIComponent(value))}?${new URLSearchParams(required)}`
            : `${address}?${new URLSearchParams({ ...requiredQuery(parameters, parameter.name), ...boundsOf(path, parameter, parameters), [parameter.name]: value })}`,
        ),
      );
      for (const call of [`${address}?${new URLSearchParams(required)}`, ...calls]) {
        const response = await fetch(service.url + call, { headers: { 'X-API-Key': key } });
        expect([call, response.status]).toEqual([call, 200]);
        // history-files.slow.test.ts has the tests of files.
        if (/format=(?!json)/.test(call)) {
          await response.body?.cancel();
          continue;
        }
        expect([call, check(json ? await response.json() : await response.text())]).toEqual([call, null]);
      }
    }
  });

  test('a value that a parameter does not allow gets an error with the name and the allowed values', async () => {
    const { key } = await service.key('premium', ['read', 'publish', 'admin']);
    for (const [path, { get: operation }] of Object.entries(openApi.paths)) {
      if (!operation || !takesKey(operation)) continue;
      for (const { name, in: place, schema } of parametersOf(operation)) {
        if (place !== 'query' || (schema.type === 'string' && !schema.enum) || name === 'symbols') continue;
        // It may be an id that does not exist, which gives an empty list and no error.
        const forms = (schema.anyOf ?? []) as readonly { readonly pattern?: string }[];
        if (forms.some(({ pattern }) => pattern !== undefined && new RegExp(pattern).test('none-such'))) continue;
        const query = new URLSearchParams({ ...requiredQuery(parametersOf(operation), name), [name]: 'none-such' });
        const call = `${path.replace('{symbol}', 'EURUSD')}?${query}`;
        const response = await fetch(service.url + call, { headers: { 'X-API-Key': key } });
        const { code, errors } = (await response.json()) as { code: string; errors: { parameter: string }[] };
        expect([call, response.status, code, errors]).toEqual([
          call,
          400,
          'invalid_parameter',
          [{ parameter: name, value: 'none-such', allowed: expect.any(String) }],
        ] as never);
      }
    }
  });

  test('every example in it is valid by its schema', () => {
    let shown = 0;
    for (const [name, { examples = [] }] of Object.entries(openApi.components.schemas)) {
      if (examples.length === 0) continue;
      const check = checkOf({ $ref: `#/components/schemas/${name}` });
      expect([name, ...examples.map(check)]).toEqual([name, ...examples.map(() => null)]);
      shown++;
    }
    expect(shown).toBeGreaterThan(50);
  });
});

describe('/asyncapi.json', () => {
  test('is the document of the contract', () => {
    expect(asyncApi as object).toEqual(asyncApiDocument());
  });

  test('every channel accepts a connection and sends the documented messages', async () => {
    const { key, account } = await service.key('premium');
    expect(Object.keys(asyncApi.channels)).toEqual([...CHANNELS, 'all', 'ingest']);
    for (const { address, messages } of [...CHANNELS, 'all'].map((channel) => asyncApi.channels[channel]!)) {
      const stream = await StreamClient.open(service.wsUrl + address, key);
      const named = address === '/ws' ? STREAM_CHANNELS : [undefined];
      for (const channel of named) {
        const ofBars = channel === 'bars' || channel === 'footprint' ? { timeframe: '1m' } : {};
        await stream.ask({
          action: 'subscribe',
          symbols: ['BTCUSD', BTC_PERPETUAL],
          ...(channel && { channel }),
          ...ofBars,
        });
      }
      await stream.ask({ action: 'ping' });
      await stream.ask({ action: 'none' });
      if (address === '/ws/perpetual') service.app.journal.append([figuresEvent(), liquidationEvent(), figuresEvent()]);
      if (address === '/ws/news')
        service.app.journal.append(
          [0, 0, 1].map((revision, at) => newsEvent(`n${at}`, { symbols: ['BTCUSD'], revision })),
        );
      if (address === '/ws/alerts')
        service.app.journal.append(['a', 'b', 'c'].map((id) => alertEvent(id, { symbol: 'BTCUSD' }, account.publicId)));
      if (address !== '/ws/signals') await stream.take(3, isData);
      stream.close();
      const checks = Object.keys(messages).map((name) => messageCheckOf(asyncApi.components.messages[name]!.payload));
      for (const message of stream.messages) {
        expect([message, checks.some((check) => check(message) === null)]).toEqual([message, true]);
      }
    }
  });

  test('every example in it is valid by its schema', () => {
    for (const name of Object.keys(MESSAGES) as MessageName[]) {
      const { payload, examples } = asyncApi.components.messages[name]!;
      const check = messageCheckOf(payload);
      for (const example of examples) expect([name, check(example.payload)]).toEqual([name, null]);
    }
  });
});

describe('pages', () => {
  test.each(['/openapi.json', '/asyncapi.json', '/docs', '/'])(
    '%s needs no key and supports If-None-Match',
    async (path) => {
      const response = await fetch(service.url + path);
      expect(response.status).toBe(200);
      expect((await response.text()).length).toBeGreaterThan(100);
      const again = await fetch(service.url + path, { headers: { 'If-None-Match': response.headers.get('etag')! } });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe('');
    },
  );
});
