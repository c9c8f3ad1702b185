// The AsyncAPI 3.0 document of the WebSocket interface, generated from the message schemas and the close codes. Directions
// are those of the service: it receives requests and sends responses, notices and data.
import { API_VERSION } from '../common/version.ts';
import {
  AuthenticatedNotice,
  AuthenticateMessage,
  IngestedNotice,
  IngestLine,
  PausedNotice,
} from '../market/ingest.ts';
import { CHANNELS, REPLAYED_CHANNELS } from '../stream/channels.ts';
import { ERRORS } from '../stream/error-catalogue.ts';
import { MESSAGE_EXAMPLES } from '../stream/examples.ts';
import {
  CHANNEL_REQUESTS,
  CHANNEL_STREAMS,
  DATA_MESSAGES,
  LOCKSTEP_NOTICES,
  LOCKSTEP_REQUESTS,
  MESSAGES,
  type MessageName,
  NOTICE_MESSAGES,
  REQUEST_MESSAGES,
  type RequestMessageName,
} from '../stream/messages.ts';
import { CLOSE_CODES } from '../stream/notices.ts';
import { type SchemaSet, schemaSet } from './json-schema.ts';

/** Responses to a request, in contrast to notices that the service sends on its own. */
const RESPONSES: readonly MessageName[] = ['SubscriptionNotice', 'PongNotice', 'ErrorNotice'];
/** Responses to requests that change no subscription. */
const REPLIES: Readonly<Record<string, MessageName>> = { PingMessage: 'PongNotice', NextMessage: 'LockstepNotice' };

const closeTable = CLOSE_CODES.map(
  ({ code, meaning, reconnect }) => `| ${code} | ${meaning} | ${reconnect ? 'yes' : 'no'} |`,
);

const DESCRIPTION = `Tick-level prices, order flow, signals and news over WebSocket, one JSON message per text frame.

Send the API key as \`api_key\` in the first message, or in the \`X-API-Key\` header of the upgrade request.
The cookie of a signed-in session is accepted as well if the upgrade request comes from the service's own origin.
Data messages never have \`event\`; responses and notices always do.
\`/ws\` carries all channels on one connection: requests name their \`channel\`, and so do messages and notices about it.
Changes are additive: ignore fields and events you do not know. \`/openapi.json\` describes the REST interface, and \`/sse\`,
which sends the same messages as server-sent events.

Close codes:

| Code | Meaning | Reconnect |
| --- | --- | --- |
${closeTable.join('\n')}`;

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const messageRefs = (stream: string, names: readonly string[]) =>
  names.map((name) => ({ $ref: `#/channels/${stream}/messages/${name}` }));

/** What an address carries. */
interface StreamAddress {
  readonly name: string;
  readonly address: string;
  readonly summary: string;
  readonly description?: string;
  readonly requests: readonly string[];
  readonly notices: readonly string[];
  readonly data: readonly string[];
}

const STREAM_ADDRESSES: readonly StreamAddress[] = [
  ...CHANNELS.map((channel) => {
    const isReplayed = REPLAYED_CHANNELS.some((name) => name === channel);
    return {
      name: channel,
      address: `/ws/${channel}`,
      requests: Object.keys({ ...REQUEST_MESSAGES, ...(isReplayed && LOCKSTEP_REQUESTS) }),
      notices: Object.keys({ ...NOTICE_MESSAGES, ...(isReplayed && LOCKSTEP_NOTICES) }),
      ...CHANNEL_STREAMS[channel],
    };
  }),
  {
    name: 'all',
    address: '/ws',
    summary: 'All channels on one connection, which counts as one stream',
    description:
      'Every request except `ping` and `next` names its `channel`. Data messages, and replies and notices about a channel, name it as well; what concerns the whole connection does not.',
    requests: [...Object.keys(CHANNEL_REQUESTS), 'PingMessage', ...Object.keys(LOCKSTEP_REQUESTS)],
    notices: Object.keys({ ...NOTICE_MESSAGES, ...LOCKSTEP_NOTICES }),
    data: Object.keys(DATA_MESSAGES),
  },
];

function messageObject(name: MessageName, set: SchemaSet) {
  const { schema, title, when } = MESSAGES[name];
  const correlated = name in REQUEST_MESSAGES || name in CHANNEL_REQUESTS || RESPONSES.includes(name);
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

const REPLAY_QUERY = {
  type: 'object',
  properties: {
    replay: { type: 'string', description: 'Id of a replay session: the stream follows its clock' },
    lockstep: { type: 'boolean', description: 'With `replay`: the clock waits for `next` after each time' },
  },
};

function channelObject({ name, address, summary, description, requests, notices, data }: StreamAddress) {
  const names = [...requests, ...notices, ...data];
  const messages = Object.fromEntries(names.map((each) => [each, { $ref: `#/components/messages/${each}` }]));
  return {
    address,
    title: capital(name),
    summary,
    ...(description === undefined ? {} : { description }),
    servers: [{ $ref: '#/servers/tickwire' }],
    messages,
    bindings: {
      ws: {
        method: 'GET',
        headers: { type: 'object', properties: { 'X-API-Key': { type: 'string', description: 'API key' } } },
        ...('NextMessage' in messages && { query: REPLAY_QUERY }),
        bindingVersion: '0.1.0',
      },
    },
  };
}

/** On this channel the client sends the data and the service responds. */
const INGEST = {
  requests: { AuthenticateMessage, IngestLine },
  responses: { AuthenticatedNotice, IngestedNotice },
  notices: { PausedNotice },
};

function ingestChannel() {
  const { requests, responses, notices } = INGEST;
  const names = [...Object.keys({ ...requests, ...responses, ...notices }), 'ErrorNotice', 'ShutdownNotice'];
  return {
    address: '/ws/ingest',
    title: 'Ingest',
    summary: 'Ticks from your own sources. Each text frame contains one or more lines and gets a response',
    servers: [{ $ref: '#/servers/tickwire' }],
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
  };
}

function ingestMessages(set: SchemaSet): [string, object][] {
  return Object.entries({ ...INGEST.requests, ...INGEST.responses, ...INGEST.notices }).map(([name, schema]) => [
    name,
    { name, title: name, summary: `${schema.description}.`, contentType: 'application/json', payload: set.ref(schema) },
  ]);
}

const ingestOperation = {
  action: 'receive',
  channel: { $ref: '#/channels/ingest' },
  title: 'Lines on /ws/ingest',
  description: 'Pushes ticks, one JSON object per line.',
  messages: Object.keys(INGEST.requests).map((name) => ({ $ref: `#/channels/ingest/messages/${name}` })),
  reply: {
    channel: { $ref: '#/channels/ingest' },
    messages: [...Object.keys(INGEST.responses), 'ErrorNotice'].map((name) => ({
      $ref: `#/channels/ingest/messages/${name}`,
    })),
  },
};

const ingestNotices = {
  action: 'send',
  channel: { $ref: '#/channels/ingest' },
  title: 'Notices of /ws/ingest',
  description: 'State of the connection.',
  messages: [...Object.keys(INGEST.notices), 'ErrorNotice', 'ShutdownNotice'].map((name) => ({
    $ref: `#/channels/ingest/messages/${name}`,
  })),
};

function operationsOf({
  name: stream,
  address,
  summary,
  requests: accepted,
  notices,
  data,
}: StreamAddress): [string, object][] {
  const at = { $ref: `#/channels/${stream}` };
  const unsolicited = notices.filter((name) => !RESPONSES.includes(name as MessageName));
  const requests = accepted.map((name): [string, object] => {
    const { title, when } = MESSAGES[name as RequestMessageName];
    return [
      `${title}${capital(stream)}`,
      {
        action: 'receive',
        channel: at,
        title: `${capital(title)} on ${address}`,
        description: when,
        messages: messageRefs(stream, [name]),
        reply: {
          channel: at,
          messages: messageRefs(stream, [REPLIES[name] ?? 'SubscriptionNotice', 'ErrorNotice']),
        },
      },
    ];
  });
  const send = (title: string, content: string, names: readonly string[]) => ({
    action: 'send',
    channel: at,
    title,
    description: `${content}.`,
    messages: messageRefs(stream, names),
  });
  return [
    ...requests,
    [`push${capital(stream)}`, send(`Data of ${address}`, summary, data)],
    [
      `notify${capital(stream)}`,
      send(`Notices of ${address}`, 'State of the connection and the feeds', ['ErrorNotice', ...unsolicited]),
    ],
  ];
}

/** The document of the WebSocket interface. */
export function asyncApiDocument(): object {
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
        host: 'localhost',
        protocol: 'wss',
        description: `Every connection must authenticate. ${ERRORS.missing_key.when}`,
        security: [{ $ref: '#/components/securitySchemes/apiKey' }],
      },
    },
    channels: {
      ...Object.fromEntries(STREAM_ADDRESSES.map((each) => [each.name, channelObject(each)])),
      ingest: ingestChannel(),
    },
    operations: {
      ...Object.fromEntries(STREAM_ADDRESSES.flatMap(operationsOf)),
      ingestLines: ingestOperation,
      notifyIngest: ingestNotices,
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'httpApiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            'Sent in the upgrade request. Browsers cannot set this header; they send `api_key` in the first message.',
        },
      },
      correlationIds: {
        requestId: {
          description: 'Optional `id` of a request, echoed in the response',
          location: '$message.payload#/id',
        },
      },
      messages: Object.fromEntries([...messages, ...ingestMessages(set)]),
      schemas: set.schemas,
    },
    'x-close-codes': CLOSE_CODES,
  };
}
