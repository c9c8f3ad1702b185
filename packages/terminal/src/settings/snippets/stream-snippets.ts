// A stream in a shell, TypeScript and Python. The shell uses websocat, since curl cannot reply over WebSocket.
import { LIVE_METHODS } from '@tickwire/contract/client-calls.ts';
import { python, shell, typescript } from '@tickwire/contract/literals.ts';
import type { SnippetChannel } from './operations.ts';
import type { Secret } from './request.ts';
import { ENVIRONMENT, KEY_VARIABLE } from './rest-snippets.ts';

export interface StreamCall {
  readonly channel: SnippetChannel;
  readonly symbols: readonly string[];
  readonly url: string;
  readonly secret: Secret;
  /** Messages to send, for the ingest channel. */
  readonly lines: readonly unknown[];
}

/** Channels in the example of the connection that carries all of them. */
const SEVERAL = ['market', 'signals'];

const isIngest = ({ name }: SnippetChannel): boolean => name === 'ingest';
const carriesAll = ({ name }: SnippetChannel): boolean => name === 'all';
const addressOf = ({ url, channel }: StreamCall): string => url.replace(/^http/, 'ws') + channel.path;

/** The messages to send, without the key: the first one authenticates. */
function messagesOf({ channel, symbols, lines }: StreamCall): readonly [object, ...unknown[]] {
  if (isIngest(channel)) return [{ action: 'authenticate' }, ...lines];
  const [first, ...rest] = (carriesAll(channel) ? SEVERAL : [null]).map((name) => ({
    action: 'subscribe',
    ...(name !== null && { channel: name }),
    symbols,
  }));
  return [first!, ...rest];
}

export function websocat(call: StreamCall): string {
  const { secret, channel, symbols, url } = call;
  const key = secret.from === 'text' ? shell(`X-API-Key: ${secret.key}`) : `"X-API-Key: $${KEY_VARIABLE}"`;
  // The header authenticates.
  const sent = messagesOf(call).slice(isIngest(channel) ? 1 : 0);
  const messages = sent.map((each) => shell(JSON.stringify(each))).join(' \\\n  ');
  const events = `'${url}/sse?channels=${SEVERAL.join(',')}&symbols=${symbols.map(encodeURIComponent).join(',')}'`;
  const withCurl = carriesAll(channel)
    ? `# The same with curl, as server-sent events:\n#   curl -N -H ${key} ${events}\n`
    : '';
  return `${withCurl}# Needs websocat. The key is sent in a header.
printf '%s\\n' ${messages} |
  websocat --no-close -H ${key} '${addressOf(call)}'`;
}

export function typescriptStream(call: StreamCall): string {
  const { channel, symbols, url, secret, lines } = call;
  const key = secret.from === 'text' ? typescript(secret.key) : `${ENVIRONMENT}.${KEY_VARIABLE}!`;
  const created = `import { TickwireClient } from '@tickwire/client';

const client = new TickwireClient({
  url: '${url}',
  apiKey: ${key},
});
`;
  if (carriesAll(channel)) {
    const streams = SEVERAL.map(
      (name) => `  show(client.live.${LIVE_METHODS[name]![0]}(${typescript({ symbols })})),\n`,
    );
    return `${created}async function show(stream: AsyncIterable<unknown>) {
  for await (const message of stream) console.log(message);
}
// All streams of a client use one connection.
await Promise.all([
${streams.join('')}]);`;
  }
  const loop = LIVE_METHODS[channel.name];
  if (loop) {
    const [method, message] = loop;
    return `${created}// Reconnects and resumes automatically.
for await (const ${message} of client.live.${method}(${typescript({ symbols })})) {
  console.log(${message});
}`;
  }
  return `const socket = new WebSocket('${addressOf(call)}');
const send = (message: object) => socket.send(JSON.stringify(message));
socket.onmessage = ({ data }) => console.log(data);
socket.onopen = () => {
  send({ action: 'authenticate', api_key: ${key} });
${lines.map((line) => `  send(${typescript(line, 1)});`).join('\n')}
};`;
}

export function pythonStream(call: StreamCall): string {
  const { secret } = call;
  const key = secret.from === 'text' ? python(secret.key) : `os.environ["${KEY_VARIABLE}"]`;
  const [first, ...rest] = messagesOf(call);
  const sends = rest.map((message) => `    stream.send(json.dumps(${python(message, 1)}))\n`);
  return `# Needs: pip install websockets
import json${secret.from === 'text' ? '' : ', os'}

from websockets.sync.client import connect

with connect("${addressOf(call)}") as stream:
    stream.send(json.dumps({
${Object.entries(first)
  .map(([name, value]) => `        "${name}": ${python(value, 2)},\n`)
  .join('')}        "api_key": ${key},
    }))
${sends.join('')}    for message in stream:
        print(json.loads(message))`;
}
