// A stream in a shell, TypeScript and Python. The shell uses websocat, since curl cannot reply over WebSocket.
import { python, shell, typescript } from './literals.ts';
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

/** Client methods that iterate over a channel. The ingest channel has none. */
const LOOPS: Readonly<Record<string, readonly [method: string, message: string]>> = {
  market: ['ticks', 'tick'],
  orderflow: ['orderFlow', 'flow'],
  signals: ['signals', 'signal'],
  news: ['news', 'item'],
};

const isIngest = ({ name }: SnippetChannel): boolean => name === 'ingest';
const addressOf = ({ url, channel }: StreamCall): string => url.replace(/^http/, 'ws') + channel.path;

/** The first message, without the key. */
const firstOf = ({ channel, symbols }: StreamCall): object =>
  isIngest(channel) ? { action: 'authenticate' } : { action: 'subscribe', symbols };

export function websocat(call: StreamCall): string {
  const { secret, channel, lines } = call;
  const key = secret.from === 'text' ? shell(`X-API-Key: ${secret.key}`) : `"X-API-Key: $${KEY_VARIABLE}"`;
  const sent = isIngest(channel) ? lines : [firstOf(call)];
  const messages = sent.map((each) => shell(JSON.stringify(each))).join(' \\\n  ');
  return `# Needs websocat. The key is sent in a header.
printf '%s\\n' ${messages} |
  websocat --no-close -H ${key} '${addressOf(call)}'`;
}

export function typescriptStream(call: StreamCall): string {
  const { channel, symbols, url, secret, lines } = call;
  const key = secret.from === 'text' ? typescript(secret.key) : `${ENVIRONMENT}.${KEY_VARIABLE}!`;
  const loop = LOOPS[channel.name];
  if (loop) {
    const [method, message] = loop;
    return `import { TickwireClient } from '@tickwire/client';

const client = new TickwireClient({
  url: '${url}',
  apiKey: ${key},
});
// Reconnects and resumes automatically.
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
  const { secret, channel, lines } = call;
  const key = secret.from === 'text' ? python(secret.key) : `os.environ["${KEY_VARIABLE}"]`;
  const sends = isIngest(channel) ? lines.map((line) => `    stream.send(json.dumps(${python(line, 1)}))\n`) : [];
  return `# Needs: pip install websockets
import json${secret.from === 'text' ? '' : ', os'}

from websockets.sync.client import connect

with connect("${addressOf(call)}") as stream:
    stream.send(json.dumps({
${Object.entries(firstOf(call))
  .map(([name, value]) => `        "${name}": ${python(value, 2)},\n`)
  .join('')}        "api_key": ${key},
    }))
${sends.join('')}    for message in stream:
        print(json.loads(message))`;
}
