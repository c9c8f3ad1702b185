// The catalogue of errors. Each code has an anchor, which the `type` of a REST error links to.
import { type CatalogueEntry, ERROR_CODES, ERRORS, type ErrorCode, problemExample } from '@tickwire/contract';
import { type Html, html, prose } from './html.ts';
import { jsonSample } from './sample.ts';
import type { Section } from './section.ts';

const errorId = (code: ErrorCode) => `error-${code}`;

export function errorLink(code: ErrorCode): Html {
  return html`<a href="#${errorId(code)}"><code>${code}</code></a>`;
}

function errorRow(code: ErrorCode): Html {
  const { title, status, close, retryable, when }: CatalogueEntry = ERRORS[code];
  return html`<tr id="${errorId(code)}"><th scope="row"><code>${code}</code></th>
<td data-label="HTTP">${status ?? '–'}</td><td data-label="Close">${close ?? '–'}</td><td data-label="Retry">${retryable ? 'yes' : 'no'}</td>
<td><strong>${title}.</strong> ${prose(when)}</td></tr>`;
}

export function errors(): Section {
  return {
    id: 'errors',
    label: 'Errors',
    body: html`<div class="pair"><div>
<p>A REST error is <code>application/problem+json</code> (RFC 9457). Branch on <code>code</code>: it means the same over REST and
WebSocket, and it does not change; titles and details may. <code>type</code> links to the row below.</p>
<p>“Retry” says whether the same request, or a new connection, may succeed later without a change on your side.</p>
</div><div>${jsonSample('400', problemExample('invalid_parameter'))}</div></div>
<table class="grid stacked catalogue"><thead><tr><th scope="col">Code</th><th scope="col">HTTP</th><th scope="col">Close</th><th scope="col">Retry</th><th scope="col">When</th></tr></thead>
<tbody>${ERROR_CODES.map(errorRow)}</tbody></table>`,
  };
}
