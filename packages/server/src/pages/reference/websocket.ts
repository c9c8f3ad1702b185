// The section on WebSocket: connecting, requests, messages, notices, close codes and slow consumers.
import {
  CHANNEL_REQUESTS,
  CHANNEL_STREAMS,
  CHANNELS,
  CLOSE_CODES,
  DATA_MESSAGES,
  ERROR_CODES,
  ERRORS,
  type ErrorEntry,
  KEEPALIVE,
  LOCKSTEP_NOTICES,
  LOCKSTEP_REQUESTS,
  MESSAGE_EXAMPLES,
  MESSAGES,
  type MessageName,
  NOTICE_MESSAGES,
  REQUEST_MESSAGES,
  type SchemaSet,
  STREAM_CHANNELS,
  schemaName,
} from '@tickwire/contract';
import { LIVE_METHODS } from '@tickwire/contract/client-calls.ts';
import { STREAM_LANGUAGES, streamSample } from './client-samples.ts';
import { errorLink } from './errors.ts';
import { fieldTable } from './fields.ts';
import { type Content, type Html, html, joinContent, prose } from './html.ts';
import { jsonSample, languageSamples, MARKED_ORIGIN, sample, WS_ORIGIN } from './sample.ts';
import type { ContentsEntry, Section } from './section.ts';

/** Parts of the section. */
export const STREAM_PARTS: readonly ContentsEntry[] = [
  { id: 'connecting', label: 'Connecting' },
  { id: 'clients', label: 'With the clients' },
  { id: 'one-connection', label: 'One connection' },
  { id: 'actions', label: 'Actions' },
  { id: 'options', label: 'Options' },
  { id: 'messages', label: 'Messages' },
  { id: 'notices', label: 'Notices' },
  { id: 'close-codes', label: 'Close codes' },
  { id: 'slow-consumers', label: 'Slow consumers' },
];

export const messageId = (name: MessageName) => `message-${name}`;

/** Fields of a subscribe message that are not options. */
const BASIC_FIELDS = new Set(['action', 'symbols', 'api_key', 'id']);

function renderMessage(name: MessageName, set: SchemaSet, only?: (field: string) => boolean): Html {
  const { schema, title, when } = MESSAGES[name];
  set.ref(schema);
  return html`
<article id="${messageId(name)}" class="pair"><div>
<h4><a href="#${messageId(name)}">${title}</a></h4>
<p class="summary">${prose(when)}</p>
${fieldTable(set.schemas[schemaName(schema)] ?? {}, only)}
</div><div>${jsonSample(name, MESSAGE_EXAMPLES[name])}</div></article>`;
}

function channelRows(): Content {
  return CHANNELS.map((channel) => {
    const { summary, description, data } = CHANNEL_STREAMS[channel];
    const links = data.map((name) => html`<a href="#${messageId(name)}">${MESSAGES[name].title}</a>`);
    return html`<tr><th scope="row"><code>/ws/${channel}</code></th><td>${summary}${description !== undefined && html`<span class="note">${prose(description)}</span>`}</td><td>${joinContent(links, ', ')}</td></tr>`;
  });
}

function closeRows(): Content {
  return CLOSE_CODES.map(({ code, meaning, reconnect }) => {
    const causes = ERROR_CODES.filter((error) => (ERRORS[error] as ErrorEntry).close === code);
    return html`<tr><th scope="row"><code>${code}</code></th><td>${meaning}</td><td data-label="Reconnect">${
      reconnect ? 'yes, after a delay' : 'no'
    }</td><td>${causes.length > 0 ? joinContent(causes.map(errorLink), ', ') : '–'}</td></tr>`;
  });
}

export function websocket(set: SchemaSet): Section {
  const part = (names: object, only?: (field: string) => boolean) =>
    (Object.keys(names) as MessageName[]).map((name) => renderMessage(name, set, only));
  const actions = part(REQUEST_MESSAGES, (field) => BASIC_FIELDS.has(field));
  const options = fieldTable(set.schemas.SubscribeMessage ?? {}, (field) => !BASIC_FIELDS.has(field));
  return {
    id: 'websocket',
    label: 'WebSocket',
    body: html`
<div class="pair"><div>
<h3 id="connecting">Connecting</h3>
<p>Each text frame is one JSON message, in both directions. All channels accept the same requests. Replies and notices always have
an <code>event</code> field; data messages never do.</p>
<p>By default the service sends a ping frame every ${KEEPALIVE.ping_seconds} seconds, which WebSocket libraries answer automatically, and
closes a connection that has not responded for ${KEEPALIVE.silence_seconds} seconds.</p>
</div><div>${sample('Address', html`${WS_ORIGIN}/ws/market`)}</div></div>
<table class="grid stacked"><thead><tr><th scope="col">Channel</th><th scope="col">Carries</th><th scope="col">Messages</th></tr></thead><tbody>${channelRows()}</tbody></table>
<h3 id="clients">With the clients</h3>
<div class="pair"><div><p>The clients have a loop for each channel: ${joinContent(
      Object.values(LIVE_METHODS).map(([method]) => html`<code>live.${method}</code>`),
      ', ',
    )}, in Python in snake case. A loop reconnects and resumes where it stopped; if messages were lost, it reports a gap.</p>
</div><div>${languageSamples(
      STREAM_LANGUAGES.map((language) => [language, streamSample(language, 'signals', MARKED_ORIGIN)] as const),
    )}</div></div>
<h3 id="one-connection">One connection for all channels</h3>
<div class="pair"><div><p><code>/ws</code> carries all channels on one connection, which counts as one stream. Requests name their channel, one of
${joinContent(
  STREAM_CHANNELS.map((channel) => html`<code>${channel}</code>`),
  ', ',
)}; bars and footprints are channels of their own. Options, messages and errors are those of the single channels. Data messages, and
replies and notices about a channel, carry <code>channel</code>; what concerns the whole connection does not. Subscriptions of a channel,
its position and its heartbeats are independent of those of the others. Clients without WebSocket read the same messages from
<a href="#get-eventStream"><code>/sse</code></a>.</p></div><div>${sample('Address', html`${WS_ORIGIN}/ws`)}</div></div>
${part(CHANNEL_REQUESTS, (field) => BASIC_FIELDS.has(field) || field === 'channel')}
<h3 id="actions">Actions</h3>
<p>Every request may carry an <code>id</code>, which its reply repeats. An invalid message gets an error notice, and the connection stays open.
Too many of them close the connection (${errorLink('bad_messages')}).</p>
${actions}
${part(LOCKSTEP_REQUESTS)}
<h3 id="options">Options</h3>
<div class="pair"><div><p>Optional fields of a subscribe message. All are off by default.</p>
${options}
<p>With <code>seq</code>, no message was lost as long as each <code>prev</code> equals the last <code>seq</code> you received for that symbol;
on <code>/ws/news</code>, the last <code>seq</code> you received for any symbol.</p>
</div><div>${jsonSample('SubscribeMessage', { action: 'subscribe', symbols: ['*'], seq: true, id: 5 })}</div></div>
<h3 id="messages">Messages</h3>
<p>A subscription to prices or order flow starts with the last known message of each symbol, so that you have a price immediately. Its volumes
and delta are zero, so that nothing is counted twice. Subscriptions to signals and news start with the next message.</p>
${part(DATA_MESSAGES)}
<h3 id="notices">Notices</h3>
${part({ ...NOTICE_MESSAGES, ...LOCKSTEP_NOTICES })}
<h3 id="close-codes">Close codes</h3>
<p>If the table says to reconnect, wait one second before the first attempt and double the delay each time, with some random variation.</p>
<table class="grid stacked"><thead><tr><th scope="col">Code</th><th scope="col">Meaning</th><th scope="col">Reconnect</th><th scope="col">Errors</th></tr></thead><tbody>${closeRows()}</tbody></table>
<h3 id="slow-consumers">Slow consumers</h3>
<p>A client that cannot keep up does not affect others. It gets a <a href="#message-SlowNotice"><code>slow</code></a> notice, and then
only the newest message of each symbol until it has caught up. A <a href="#message-GapNotice"><code>gap</code></a> notice declares the
messages that were skipped. If the client still does not keep up, the connection is closed with
${ERRORS.too_slow.close} (${errorLink('too_slow')}). Read messages in a loop of their own, and subscribe only to what you need.</p>`,
    entries: STREAM_PARTS,
  };
}
