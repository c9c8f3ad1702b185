// Getting started, authentication, and the limits of each tier.
import {
  MESSAGE_EXAMPLES,
  REQUEST_EXAMPLES,
  RESPONSE_HEADERS,
  SCOPES,
  SESSION_LIMITS,
  TIERS,
} from '@tickwire/contract';
import { html, prose } from './html.ts';
import { curl, jsonSample, ORIGIN, sample, transcript, WS_ORIGIN } from './sample.ts';
import type { Section } from './section.ts';

const { SubscribeMessage, SubscriptionNotice, MarketTick } = MESSAGE_EXAMPLES;

export function gettingStarted(): Section {
  return {
    id: 'start',
    label: 'Getting started',
    body: html`
<p class="lead">Two interfaces, one key: JSON over REST for what is known now, WebSocket for what happens next.
All times are UTC, all prices are JSON numbers.</p>
<div class="pair"><div>
<h3>Ask for a quote</h3>
<p>Ask whoever runs this service for a key, or make one on your own installation with <code>tickwire keys create</code>.
Put it into your shell once; every example on this page then works as it stands.</p>
</div><div>${sample(
      'Shell',
      html`export TICKWIRE_API_KEY="&lt;API_KEY&gt;"

${curl(REQUEST_EXAMPLES.quote, { keyed: true })}`,
      true,
    )}</div></div>
<div class="pair"><div>
<h3>Listen to prices</h3>
<p>Open a connection and subscribe; the key goes into the first message. This runs as it is in a browser’s console, in Bun and in Node 22.</p>
<p>The first line back says what you are subscribed to. Then comes the last known price of each symbol, and every update from there on.</p>
</div><div>${sample(
      'JavaScript',
      html`const address = '${WS_ORIGIN}/ws/market';
const ws = new WebSocket(address);
ws.onopen = () => ws.send(JSON.stringify({
  action: 'subscribe',
  symbols: ['EURUSD', 'XAUUSD'],
  api_key: '&lt;API_KEY&gt;',
}));
ws.onmessage = ({ data }) => console.log(data);`,
    )}${transcript('On the wire', [
      ['→', SubscribeMessage],
      ['←', { ...SubscriptionNotice, rejected: [] }],
      ['←', { ...MarketTick, volume: 0 }],
      ['←', MarketTick],
    ])}</div></div>
<p>For machines: <a href="/openapi.json">openapi.json</a> describes the REST interface,
<a href="/asyncapi.json">asyncapi.json</a> the WebSocket one. Both come from the same source as this page.</p>`,
  };
}

export function authentication(): Section {
  return {
    id: 'authentication',
    label: 'Authentication',
    body: html`<div class="pair"><div>
<p>REST takes the key in the <code>X-API-Key</code> header. A WebSocket connection takes it in <code>api_key</code> of its first
message, or in the same header of the upgrade request. Once a connection is authenticated, later messages need no key.</p>
<p>A key begins with <code>tw_</code> and is shown once, when it is made. It belongs to an account; the account has the tier,
and its allowances are counted over all its keys. A key carries scopes: ${SCOPES.map((scope, at) => [
      at > 0 && ', ',
      html`<code>${scope}</code>`,
    ])}. Each endpoint names the one it asks for; a key has <code>read</code> unless it was made otherwise.</p>
<h3 id="sessions">Sessions of people</h3>
<p>A person signs in with <a href="#post-signIn"><code>POST /api/account/sign-in</code></a>, which sets a cookie that scripts cannot read
and that browsers send to this service alone. In a page of the service it stands for a key, on REST and on WebSocket, with the scopes of the account
and with limits of its own: ${SESSION_LIMITS.requests_per_minute} requests a minute and ${SESSION_LIMITS.streams} streams. A request that changes something, and
a WebSocket connection, must come from the service’s own origin. <a href="#get-sessions"><code>GET /api/account/sessions</code></a> lists where an account is signed in,
<a href="#post-revokeSession"><code>POST /api/account/sessions/{session}/revoke</code></a> ends one of them,
<a href="#post-signOut"><code>POST /api/account/sign-out</code></a> the one that asks, and
<a href="#post-signOutEverywhere"><code>POST /api/account/sign-out-everywhere</code></a> all. These, the password and the end of an account are for people:
no key may call them.</p>
<p>The checks run in this order: key (401), scope (403), allowance (429), parameters (400), symbol (404).</p>
</div><div>${sample(
      'Header',
      html`GET /api/symbols HTTP/1.1
Host: localhost
X-API-Key: &lt;API_KEY&gt;`,
    )}${jsonSample('First message', SubscribeMessage)}</div></div>`,
    entries: [{ id: 'sessions', label: 'Sessions of people' }],
  };
}

export function limits(): Section {
  const tiers = Object.entries(TIERS).map(
    ([name, tier]) =>
      html`<tr><th scope="row">${name}</th><td>${tier.requests_per_minute}</td><td>${tier.streams}</td><td>${tier.ai_calls_per_day}</td></tr>`,
  );
  const headers = Object.entries(RESPONSE_HEADERS).map(
    ([name, { description, example }]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td><span class="type"><code>${example}</code></span><span class="note">${prose(description)}</span></td></tr>`,
  );
  return {
    id: 'limits',
    label: 'Tiers and limits',
    body: html`
<table class="grid numbers"><thead><tr><th scope="col">Tier</th><th scope="col">REST requests per minute</th><th scope="col">WebSocket streams</th><th scope="col">AI calls per day</th></tr></thead><tbody>${tiers}</tbody></table>
<p>Requests are counted in any rolling 60 seconds, and the full number may be used in one burst. A refused request is not itself counted.
A stream is one open authenticated connection, whatever it is subscribed to. An AI call is an answer of
<a href="#post-aiSentiment"><code>POST /api/ai/sentiment</code></a> or <a href="#get-aiBrief"><code>GET /api/ai/brief/{symbol}</code></a>;
a failure is none, and they start over at 00:00 UTC.
<a href="#get-usage"><code>GET /api/usage</code></a> shows what is left.</p>
<div class="pair"><div>
<h3 id="headers">Response headers</h3>
<p>Every answer to a valid key says where its account stands; a 429 also says when to come back. An answer with an <code>ETag</code>
need not be sent twice: name the tag in <code>If-None-Match</code>. Long answers come in gzip to those who accept it.</p>
<table class="fields"><tbody>${headers}</tbody></table>
</div><div>${sample(
      'Shell',
      html`curl -i -H "X-API-Key: $TICKWIRE_API_KEY" \\
  "${ORIGIN}${REQUEST_EXAMPLES.quote}"`,
      true,
    )}${sample(
      'Answer',
      html`HTTP/1.1 200 OK
Content-Type: application/json
${Object.entries(RESPONSE_HEADERS)
  .filter(([name, { on }]) => (on === 'every' || on === 'keyed') && name !== 'Data-Source')
  .map(([name, { example }]) => `${name}: ${example}\n`)}`,
    )}</div></div>`,
    entries: [{ id: 'headers', label: 'Response headers' }],
  };
}
