// The WebSocket interface: connecting, requests, messages, notices, close codes and what becomes of a slow reader.
import {
  type CatalogueEntry,
  CHANNEL_STREAMS,
  CHANNELS,
  CLOSE_CODES,
  DATA_MESSAGES,
  ERROR_CODES,
  ERRORS,
  HEARTBEAT,
  MESSAGE_EXAMPLES,
  MESSAGES,
  type MessageName,
  NOTICE_MESSAGES,
  REQUEST_MESSAGES,
  type SchemaSet,
  schemaName,
} from '@tickwire/contract';
import { errorLink } from './errors.ts';
import { fieldTable } from './fields.ts';
import { between, type Content, type Html, html, prose } from './html.ts';
import { jsonSample, sample, WS_ORIGIN } from './sample.ts';
import type { Section } from './section.ts';

const messageId = (name: MessageName) => `message-${name}`;

/** Fields of a subscribe message that are not options. */
const PLAIN = new Set(['action', 'symbols', 'api_key', 'id']);

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
    return html`<tr><th scope="row"><code>/ws/${channel}</code></th><td>${summary}${description !== undefined && html`<span class="note">${prose(description)}</span>`}</td><td>${between(links, ', ')}</td></tr>`;
  });
}

function closeRows(): Content {
  return CLOSE_CODES.map(({ code, meaning, reconnect }) => {
    const causes = ERROR_CODES.filter((error) => (ERRORS[error] as CatalogueEntry).close === code);
    return html`<tr><th scope="row"><code>${code}</code></th><td>${meaning}</td><td data-label="Reconnect">${
      reconnect ? 'yes, after a pause' : 'no'
    }</td><td>${causes.length > 0 ? between(causes.map(errorLink), ', ') : '–'}</td></tr>`;
  });
}

export function websocket(set: SchemaSet): Section {
  const part = (names: object, only?: (field: string) => boolean) =>
    (Object.keys(names) as MessageName[]).map((name) => renderMessage(name, set, only));
  const actions = part(REQUEST_MESSAGES, (field) => PLAIN.has(field));
  const options = fieldTable(set.schemas.SubscribeMessage ?? {}, (field) => !PLAIN.has(field));
  return {
    id: 'websocket',
    label: 'WebSocket',
    body: html`
<div class="pair"><div>
<h3 id="connecting">Connecting</h3>
<p>One JSON message per text frame, both ways. All channels take the same requests. Data messages never carry <code>event</code>;
answers and notices always do, so one look tells them apart.</p>
<p>Unless it is set up otherwise, the service sends a ping frame every ${HEARTBEAT.ping_seconds} seconds, which every WebSocket library answers by itself, and
closes a connection that has not answered for ${HEARTBEAT.silence_seconds} seconds.</p>
</div><div>${sample('Address', html`${WS_ORIGIN}/ws/market`)}</div></div>
<table class="grid stacked"><thead><tr><th scope="col">Channel</th><th scope="col">Carries</th><th scope="col">Messages</th></tr></thead><tbody>${channelRows()}</tbody></table>
<h3 id="actions">Actions</h3>
<p>Every request may carry an <code>id</code>; its answer echoes it. A bad message is answered with an error and the connection goes on;
${prose(ERRORS.bad_messages.when.replace(/^The/, 'the').replace(/\.$/, ''))} closes it.</p>
${actions}
<h3 id="options">Options</h3>
<div class="pair"><div><p>Fields of a subscribe message beyond the plain ones; all are off unless asked for.</p>
${options}
<p>With <code>seq</code>, a reader has lost nothing while each <code>prev</code> is the last <code>seq</code> it saw for that symbol;
on <code>/ws/news</code>, the last it saw at all.</p>
</div><div>${jsonSample('SubscribeMessage', { action: 'subscribe', symbols: ['*'], seq: true, id: 5 })}</div></div>
<h3 id="messages">Messages</h3>
<p>A subscription to prices or order flow starts with the last known message of each symbol, its volumes and delta zero, so that a quiet
market shows a price at once and nothing is counted twice. Signals and news start with the next one.</p>
${part(DATA_MESSAGES)}
<h3 id="notices">Notices</h3>
${part(NOTICE_MESSAGES)}
<h3 id="close-codes">Close codes</h3>
<p>Where it says to reconnect, wait a second first, then twice as long each time, give or take a random part.</p>
<table class="grid stacked"><thead><tr><th scope="col">Code</th><th scope="col">Meaning</th><th scope="col">Reconnect</th><th scope="col">Errors</th></tr></thead><tbody>${closeRows()}</tbody></table>
<h3 id="slow-readers">Slow readers</h3>
<p>A reader that cannot keep up never slows another down. It gets a <a href="#message-SlowNotice"><code>slow</code></a> notice
and from there only the newest message of each symbol until it has caught up; what was left out is declared in a
<a href="#message-GapNotice"><code>gap</code></a>. If it still does not drain, the connection is closed with
${ERRORS.too_slow.close} (${errorLink('too_slow')}). Read in a loop of its own, and subscribe to what you use.</p>`,
    entries: [
      { id: 'connecting', label: 'Connecting' },
      { id: 'actions', label: 'Actions' },
      { id: 'options', label: 'Options' },
      { id: 'messages', label: 'Messages' },
      { id: 'notices', label: 'Notices' },
      { id: 'close-codes', label: 'Close codes' },
      { id: 'slow-readers', label: 'Slow readers' },
    ],
  };
}
