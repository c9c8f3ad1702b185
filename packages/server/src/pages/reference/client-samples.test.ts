// The three examples of an endpoint send the same request. Those in TypeScript and Python run with the real clients, against a
// server that records what arrives.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { TickwireClient } from '@tickwire/client';
import { ENDPOINTS, type Endpoint, type EndpointName } from '@tickwire/contract';
import { LIVE_METHODS } from '@tickwire/contract/client-calls.ts';
import { readCurl } from '../../../testing/curl-command.fixture.ts';
import { clientPython, NO_CLIENT_PYTHON } from '../../../testing/python.fixture.ts';
import { reportSkipped } from '../../../testing/skipped.fixture.ts';
import { callSample, languagesOf, type SampleOrigin, streamSample } from './client-samples.ts';

if (!clientPython) reportSkipped('Python examples', NO_CLIENT_PYTHON);

const names = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => languagesOf(name).length > 1);
const VARIABLES = { TICKWIRE_API_KEY: 'tw_key', TICKWIRE_SESSION: 'token', TICKWIRE_PASSWORD: 'p' };

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly key: string | null;
  readonly documents: readonly unknown[];
}

let asked: Recorded[] = [];
let server: ReturnType<typeof Bun.serve>;
let origin: SampleOrigin;

/** The Python client writes times with milliseconds, and days as times. */
const normalised = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(value) ? new Date(value).toISOString() : value;

function recorded(method: string, address: string, key: string | null, body: string, isLines: boolean): Recorded {
  const { pathname, searchParams } = new URL(address);
  const query = [...searchParams].filter(([, value]) => value !== '').map(([name, value]) => [name, normalised(value)]);
  const texts = body.trim() === '' ? [] : isLines ? body.trim().split('\n') : [body];
  const documents = texts.map((each) => JSON.parse(each, (_, value) => normalised(value)) as unknown);
  return { method, path: decodeURIComponent(pathname), query: Object.fromEntries(query), key, documents };
}

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const isLines = new URL(request.url).pathname.startsWith('/ingest/');
      const key = request.headers.get('X-API-Key');
      asked.push(recorded(request.method, request.url, key, await request.text(), isLines));
      return Response.json({});
    },
  });
  const http = `http://127.0.0.1:${server.port}`;
  origin = { http, ws: http.replace('http', 'ws'), cookie: 'tickwire' };
});
afterAll(() => server.stop(true));

/** What a client sends of its own accord. */
interface Differences {
  readonly query?: Readonly<Partial<Record<EndpointName, Readonly<Record<string, string>>>>>;
  readonly withoutBody?: EndpointName;
}

/** What the command of an endpoint sends. */
function wanted(name: EndpointName, { query, withoutBody }: Differences): Recorded {
  const { method, url, headers, body } = readCurl(callSample('curl', name, origin), VARIABLES);
  const sent = name === withoutBody ? '' : (body ?? '');
  const { lines }: Endpoint = ENDPOINTS[name];
  const given = recorded(method, url, headers['X-API-Key'] ?? null, sent, lines !== undefined);
  // Lines that the service rejects are only in the command.
  const documents = lines ? given.documents.filter((line) => lines.safeParse(line).success) : given.documents;
  return { ...given, documents, query: { ...given.query, ...query?.[name] } };
}

/** It asks which of the symbols are unknown. */
const TYPESCRIPT: Differences = { query: { quotes: { detail: 'true' } } };
/** A signer writes the body of a closing. */
const PYTHON: Differences = { ...TYPESCRIPT, withoutBody: 'closeSignal' };

describe('the examples', () => {
  test('in TypeScript call existing methods and send the request of the curl command', async () => {
    const transpiler = new Bun.Transpiler({ loader: 'ts' });
    for (const name of names) {
      asked = [];
      const text = callSample('typescript', name, origin);
      expect(text).toStartWith("import { TickwireClient } from '@tickwire/client';\n");
      const code = transpiler.transformSync(`async function run() {${text.slice(text.indexOf('\n'))}}`);
      const silent = { log: () => {} };
      const environment = { env: VARIABLES };
      await new Function('TickwireClient', 'process', 'console', `${code}; return run();`)(
        TickwireClient,
        environment,
        silent,
      );
      if (ENDPOINTS[name].auth === 'session') expect(asked.shift()?.path).toBe('/api/account/sign-in');
      expect([name, asked]).toEqual([name, [wanted(name, TYPESCRIPT)]]);
    }
  });

  test.skipIf(!clientPython)('in Python call existing methods and send the request of the curl command', async () => {
    asked = [];
    const marks = names.map((name) => ({ name, text: callSample('python', name, origin) }));
    // After each example, its name is sent to the server.
    const program = `import contextlib, io, json, os, sys, urllib.request
key = os.environ["TICKWIRE_API_KEY"]
for each in json.load(sys.stdin):
    # The client reads it, too.
    os.environ["TICKWIRE_API_KEY"] = key if "TICKWIRE_API_KEY" in each["text"] else ""
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(each["text"], each["name"], "exec"), {})
    urllib.request.urlopen("${origin.http}/done/" + each["name"]).read()
`;
    const child = Bun.spawn([clientPython!, '-c', program], {
      env: {
        ...VARIABLES,
        PATH: process.env.PATH ?? '',
        PYTHONPATH: fileURLToPath(new URL('../../../../../python', import.meta.url)),
      },
      stdin: Buffer.from(JSON.stringify(marks)),
      stderr: 'pipe',
    });
    const [wrong, code] = [await new Response(child.stderr).text(), await child.exited];
    // Connections that are still open when the program ends are reported as warnings.
    expect([code, code === 0 ? '' : wrong]).toEqual([0, '']);
    const sent = new Map<string, Recorded>();
    for (const [at, each] of asked.entries())
      if (each.path.startsWith('/done/')) sent.set(each.path.slice('/done/'.length), asked[at - 1]!);
    for (const name of names) expect([name, sent.get(name)]).toEqual([name, wanted(name, PYTHON)]);
  });

  test('have the session in requests that need one', () => {
    expect(callSample('curl', 'sessions', origin)).toContain('-H "Cookie: tickwire=$TICKWIRE_SESSION"');
    expect(callSample('curl', 'signOut', origin)).toContain(`-H "Origin: ${origin.http}"`);
    expect(callSample('python', 'signOut', origin)).toContain('client.account.sign_in(');
    expect(callSample('curl', 'healthz', origin)).not.toContain('-H');
  });

  test('of streams call existing methods', () => {
    const { live } = new TickwireClient({ url: origin.http });
    for (const [channel, [method]] of Object.entries(LIVE_METHODS)) {
      expect(live).toHaveProperty(method, expect.any(Function));
      expect(streamSample('typescript', channel, origin)).toContain(`client.live.${method}(`);
    }
    expect(streamSample('python', 'orderflow', origin)).toContain('for flow in client.live.order_flow(["EURUSD"');
  });
});
