// The AsyncAPI 3.0 document of the WebSocket interface, made out of the message schemas and the close codes.
// Directions are the service's: it receives requests and sends answers, notices and data.
import { ERRORS } from './errors.ts';
import { MESSAGE_EXAMPLES } from './examples.ts';
import { AuthenticatedNotice, AuthenticateMessage, IngestedNotice, IngestLine } from './ingest.ts';
import { type SchemaSet, schemaSet } from './json-schema.ts';
import {
  CHANNEL_STREAMS,
  MESSAGES,
  type MessageName,
  NOTICE_MESSAGES,
  REQUEST_MESSAGES,
  type RequestMessageName,
} from './messages.ts';
import { CHANNELS, type Channel, CLOSE_CODES } from './stream.ts';
import { API_VERSION } from './version.ts';

export interface AsyncApiOptions {
  /** Host and port of the service. */
  readonly host?: string;
  /** Whether it is reached over TLS; it is unless told otherwise. */
  readonly secure?: boolean;
}

/** Answers to a request, as opposed to notices that come on their own. */
const ANSWERS: readonly MessageName[] = ['SubscriptionNotice', 'PongNotice', 'ErrorNotice'];

const closeTable = CLOSE_CODES.map(
  ({ code, meaning, reconnect }) => `| ${code} | ${meaning} | ${reconnect ? 'yes' : 'no'} |`,
);

const DESCRIPTION = `Tick-level prices, order flow, signals and news over WebSocket, one JSON message per text frame.

The API key goes into \`api_key\` of the first message, or into the \`X-API-Key\` header of the upgrade request.
The cookie of a signed-in session counts too, where the upgrade comes from a page of the service itself.
Data messages never carry \`event\`; answers and notices always do.
Changes are additive: ignore fields and events you do not know. The REST interface is described in \`/openapi.json\`.

Close codes:

| Code | Meaning | Reconnect |
| --- | --- | --- |
${closeTable.join('\n')}`;

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const messageRefs = (channel: Channel, names: readonly string[]) =>
  names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` }));

function messageObject(name: MessageName, set: SchemaSet) {
  const { schema, title, when } = MESSAGES[name];
  const correlated = name in REQUEST_MESSAGES || ANSWERS.includes(name);
  return {
    name,
    title,
    summary: when,
    contentType: 'application/json',
    payload: set.ref(schema),
    ...(correlated ? { correlationId: { $ref: '#/components/correlationIds/requestId' } } : {}),
    examples: [{ name, payload: MESSAGE_EXAMPLES[name] }],
  };
}

function channelObject(channel: Channel) {
  const { summary, description, data } = CHANNEL_STREAMS[channel];
  const names = [...Object.keys(REQUEST_MESSAGES), ...Object.keys(NOTICE_MESSAGES), ...data] as MessageName[];
  return {
    address: `/ws/${channel}`,
    title: capital(channel),
    summary,
    ...(description === undefined ? {} : { description }),
    servers: [{ $ref: '#/servers/tickwire' }],
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    bindings: {
      ws: {
        method: 'GET',
        headers: { type: 'object', properties: { 'X-API-Key': { type: 'string', description: 'The API key' } } },
        bindingVersion: '0.1.0',
      },
    },
  };
}

/** Lines go the other way: the client sends, the service answers. */
const INGEST = {
  requests: { AuthenticateMessage, IngestLine },
  answers: { AuthenticatedNotice, IngestedNotice },
};

function ingestChannel() {
  const names = [...Object.keys(INGEST.requests), ...Object.keys(INGEST.answers), 'ErrorNotice', 'ShutdownNotice'];
  return {
    address: '/ws/ingest',
    title: 'Ingest',
    summary: "Ticks from an operator's own sources: each text frame holds one or more lines, and is answered",
    servers: [{ $ref: '#/servers/tickwire' }],
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
  };
}

function ingestMessages(set: SchemaSet): [string, object][] {
  return Object.entries({ ...INGEST.requests, ...INGEST.answers }).map(([name, schema]) => [
    name,
    { name, title: name, contentType: 'application/json', payload: set.ref(schema) },
  ]);
}

const ingestOperation = {
  action: 'receive',
  channel: { $ref: '#/channels/ingest' },
  title: 'Lines on /ws/ingest',
  summary: 'Takes ticks, one JSON object a line',
  messages: Object.keys(INGEST.requests).map((name) => ({ $ref: `#/channels/ingest/messages/${name}` })),
  reply: {
    channel: { $ref: '#/channels/ingest' },
    messages: [...Object.keys(INGEST.answers), 'ErrorNotice'].map((name) => ({
      $ref: `#/channels/ingest/messages/${name}`,
    })),
  },
};

function operationsOf(channel: Channel): [string, object][] {
  const at = { $ref: `#/channels/${channel}` };
  const unasked = Object.keys(NOTICE_MESSAGES).filter((name) => !ANSWERS.includes(name as MessageName));
  const requests = (Object.entries(REQUEST_MESSAGES) as [RequestMessageName, { title: string; when: string }][]).map(
    ([name, { title, when }]): [string, object] => [
      `${title}${capital(channel)}`,
      {
        action: 'receive',
        channel: at,
        title: `${capital(title)} on /ws/${channel}`,
        summary: when,
        messages: messageRefs(channel, [name]),
        reply: {
          channel: at,
          messages: messageRefs(channel, [name === 'PingMessage' ? 'PongNotice' : 'SubscriptionNotice', 'ErrorNotice']),
        },
      },
    ],
  );
  const send = (title: string, summary: string, names: readonly string[]) => ({
    action: 'send',
    channel: at,
    title,
    summary,
    messages: messageRefs(channel, names),
  });
  const { summary, data } = CHANNEL_STREAMS[channel];
  return [
    ...requests,
    [`push${capital(channel)}`, send(`Data of /ws/${channel}`, summary, data)],
    [
      `notify${capital(channel)}`,
      send(`Notices of /ws/${channel}`, 'What the connection has to know', ['ErrorNotice', ...unasked]),
    ],
  ];
}

/** The document of the WebSocket interface. */
export function asyncApiDocument(options: AsyncApiOptions = {}): object {
  const set = schemaSet('#/components/schemas/', 'draft-7');
  const messages = (Object.keys(MESSAGES) as MessageName[]).map((name) => [name, messageObject(name, set)]);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tickwire streams',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      tickwire: {
        host: options.host ?? 'localhost',
        protocol: (options.secure ?? true) ? 'wss' : 'ws',
        description: `Without a valid key in ${'`X-API-Key`'} or ${'`api_key`'} the connection is closed: ${ERRORS.missing_key.when}`,
        security: [{ $ref: '#/components/securitySchemes/apiKey' }],
      },
    },
    channels: {
      ...Object.fromEntries(CHANNELS.map((channel) => [channel, channelObject(channel)])),
      ingest: ingestChannel(),
    },
    operations: { ...Object.fromEntries(CHANNELS.flatMap(operationsOf)), ingestLines: ingestOperation },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'httpApiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'In the upgrade request. A browser, which cannot set it, sends `api_key` in the first message.',
        },
      },
      correlationIds: {
        requestId: {
          description: 'A request may carry an `id`; its answer echoes it',
          location: '$message.payload#/id',
        },
      },
      messages: Object.fromEntries([...messages, ...ingestMessages(set)]),
      schemas: set.schemas,
    },
    'x-close-codes': CLOSE_CODES,
  };
}
