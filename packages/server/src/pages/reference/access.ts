// The sections on getting started, authentication, and the limits of each tier.
import { MESSAGE_EXAMPLES, REQUEST_EXAMPLES, RESPONSE_HEADERS, SCOPES, TIERS } from '@tickwire/contract';
import { callSample, LANGUAGES, STREAM_LANGUAGES, streamSample } from './client-samples.ts';
import { html, prose } from './html.ts';
import { jsonSample, languageSamples, MARKED_ORIGIN, ORIGIN, sample, transcript } from './sample.ts';
import type { Section } from './section.ts';

const { SubscribeMessage, SubscriptionNotice, MarketTick } = MESSAGE_EXAMPLES;

export function gettingStarted(): Section {
  return {
    id: 'start',
    label: 'Getting started',
    body: html`
<p class="lead">Two interfaces, one key: REST for current and past data, WebSocket for live updates. Both use JSON.
All times are UTC, and all prices are JSON numbers.</p>
<div class="pair"><div>
<h3>Get a quote</h3>
<p>Ask the operator of this service for an API key, or create one on your own installation with <code>tickwire keys create</code>.
Set it in your shell once; then every example of the reference works as shown.</p>
<p>Examples are in curl, TypeScript (<code>@tickwire/client</code>) and Python (<code>tickwire</code>). “Try it” sends a request from this page with
your key, which is kept only until you close the tab.</p>
</div><div>${sample('Shell', html`export TICKWIRE_API_KEY="&lt;API_KEY&gt;"`, true, 'sh')}${languageSamples(
      LANGUAGES.map((language) => [language, callSample(language, 'quote', MARKED_ORIGIN)] as const),
    )}</div></div>
<div class="pair"><div>
<h3>Stream prices</h3>
<p>The clients connect, subscribe, reconnect and resume by themselves. In any other language, open a connection and subscribe: the key goes
into the first message. The example for WebSocket runs in a browser console, in Bun and in Node 22.</p>
<p>The first message confirms your subscriptions. The last known price of each symbol follows, then every update.</p>
</div><div>${languageSamples(
      STREAM_LANGUAGES.map((language) => [language, streamSample(language, 'market', MARKED_ORIGIN)] as const),
    )}${transcript('Messages', [
      ['→', SubscribeMessage],
      ['←', { ...SubscriptionNotice, rejected: [] }],
      ['←', { ...MarketTick, volume: 0 }],
      ['←', MarketTick],
    ])}</div></div>
<p>Machine-readable descriptions: <a href="/openapi.json">openapi.json</a> for REST and
<a href="/asyncapi.json">asyncapi.json</a> for WebSocket. <a href="/llms.txt">llms.txt</a> lists the Markdown version of each page. All are generated
from the same source.</p>`,
  };
}

export function authentication(): Section {
  return {
    id: 'authentication',
    label: 'Authentication',
    body: html`<div class="pair"><div>
<p>Send the API key in the <code>X-API-Key</code> header of a REST request, or as <code>Authorization: Bearer</code>. For a WebSocket connection, send it in
<code>api_key</code> of the first message or in the same header of the upgrade request; later messages need no key.</p>
<p>A key begins with <code>tw_</code> and is shown only once, when it is created. It belongs to an account. The account has a tier,
and its limits apply to all of its keys together. The scopes of a key are any of ${SCOPES.map((scope, at) => [
      at > 0 && ', ',
      html`<code>${scope}</code>`,
    ])}. Each endpoint lists the scope it needs. By default a key has <code>read</code>.</p>
<h3 id="sessions">Sessions</h3>
<p>People sign in with <a href="#post-signIn"><code>POST /api/account/sign-in</code></a>. It sets a cookie that scripts cannot read
and that browsers send only to this service. On pages of the service the cookie replaces the key, for REST and WebSocket. A session has the scopes of its account.
All sessions of an account together have the limits of its tier once more, counted apart from its keys. A request that changes something, and
a WebSocket connection, must come from the service’s own origin. <a href="#get-sessions"><code>GET /api/account/sessions</code></a> lists the sessions of an account.
<a href="#post-revokeSession"><code>POST /api/account/sessions/{session}/revoke</code></a> ends one of them,
<a href="#post-signOut"><code>POST /api/account/sign-out</code></a> ends the current one, and
<a href="#post-signOutEverywhere"><code>POST /api/account/sign-out-everywhere</code></a> ends all. These endpoints, and those that change the password or
delete the account, need a session and accept no API key.</p>
<p>Requests are checked in this order: key (401), scope (403), rate limit (429), parameters (400), symbol (404).</p>
</div><div>${sample(
      'Header',
      html`GET /api/symbols HTTP/1.1
Host: localhost
X-API-Key: &lt;API_KEY&gt;`,
    )}${jsonSample('First message', SubscribeMessage)}</div></div>`,
    entries: [{ id: 'sessions', label: 'Sessions' }],
  };
}

/** Headers that most responses do not have. */
const CONDITIONAL: ReadonlySet<string> = new Set(['Data-Source', 'Warning-Parameters']);

export function limits(): Section {
  const tiers = Object.entries(TIERS).map(
    ([name, tier]) =>
      html`<tr><th scope="row">${name}</th><td>${tier.requests_per_minute}</td><td>${tier.streams}</td><td>${tier.ai_calls_per_day}</td><td>${tier.signals_per_day}</td><td>${tier.active_signals_per_symbol}</td><td>${tier.export_rows_per_day}</td><td>${tier.alerts}</td><td>${tier.deliveries_per_day}</td></tr>`,
  );
  const headers = Object.entries(RESPONSE_HEADERS).map(
    ([name, { description, example }]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td><span class="type"><code>${example}</code></span><span class="note">${prose(description)}</span></td></tr>`,
  );
  return {
    id: 'limits',
    label: 'Tiers and limits',
    body: html`
<div class="wide" role="region" aria-label="Tiers" tabindex="0"><table class="grid numbers"><thead><tr><th scope="col">Tier</th><th scope="col">REST requests per minute</th><th scope="col">WebSocket streams</th><th scope="col">AI calls per day</th><th scope="col">Signals per day</th><th scope="col">Active signals per instrument</th><th scope="col">Rows in files per day</th><th scope="col">Alerts</th><th scope="col">Deliveries per day</th></tr></thead><tbody>${tiers}</tbody></table></div>
<p>Requests are counted in any rolling 60 seconds, and the full number may be used in one burst. Requests that get a 429 do not count.
A stream is one open authenticated connection, regardless of its subscriptions. An AI call is a successful response of
<a href="#post-aiSentiment"><code>POST /api/ai/sentiment</code></a> or <a href="#get-aiBrief"><code>GET /api/ai/brief/{symbol}</code></a>.
Failed calls do not count, and the count starts over at 00:00 UTC. Published signals are counted over all keys and sessions of the account,
and that count starts over at 00:00 UTC, too.
<a href="#get-usage"><code>GET /api/usage</code></a> shows the remaining numbers.</p>
<div class="pair"><div>
<h3 id="headers">Response headers</h3>
<p>Every response to an authenticated request carries the state of its rate limit; a 429 also says when to retry.
Responses with an <code>ETag</code> support <code>If-None-Match</code>: send the tag to get a 304 without a body if nothing has changed.
Long responses are compressed with gzip if <code>Accept-Encoding</code> allows it.</p>
<table class="fields"><tbody>${headers}</tbody></table>
</div><div>${sample(
      'Shell',
      html`curl -i -H "X-API-Key: $TICKWIRE_API_KEY" \\
  "${ORIGIN}${REQUEST_EXAMPLES.quote}"`,
      true,
    )}${sample(
      'Response',
      html`HTTP/1.1 200 OK
Content-Type: application/json
${Object.entries(RESPONSE_HEADERS)
  .filter(([name, { on }]) => (on === 'every' || on === 'authenticated') && !CONDITIONAL.has(name))
  .map(([name, { example }]) => `${name}: ${example}\n`)}`,
    )}</div></div>`,
    entries: [{ id: 'headers', label: 'Response headers' }],
  };
}
