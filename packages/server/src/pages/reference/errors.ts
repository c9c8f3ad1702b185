// The section with the error catalogue. Each code has an anchor, which the `type` of a REST error links to.
import { ERROR_CODES, ERRORS, type ErrorCode, type ErrorEntry, PROBLEM_EXAMPLE } from '@tickwire/contract';
import { type Html, html, prose } from './html.ts';
import { jsonSample } from './sample.ts';
import type { Section } from './section.ts';

export const errorId = (code: ErrorCode) => `error-${code}`;

export function errorLink(code: ErrorCode): Html {
  return html`<a href="#${errorId(code)}"><code>${code}</code></a>`;
}

function errorRow(code: ErrorCode): Html {
  const { title, status, close, retryable, when }: ErrorEntry = ERRORS[code];
  return html`<tr id="${errorId(code)}"><th scope="row"><code>${code}</code></th>
<td data-label="HTTP">${status ?? '–'}</td><td data-label="Close">${close ?? '–'}</td><td data-label="Retry">${retryable ? 'yes' : 'no'}</td>
<td><strong>${title}.</strong> ${prose(when)}</td></tr>`;
}

export function errors(): Section {
  return {
    id: 'errors',
    label: 'Errors',
    body: html`<div class="pair"><div>
<p>REST errors are <code>application/problem+json</code> (RFC 9457). Use <code>code</code> in your program: it has the same meaning over REST and
WebSocket and never changes. Titles and details may change. <code>type</code> links to the row below.</p>
<p>“Retry” tells whether the same request, or a new connection, may succeed later without a change on your side.</p>
</div><div>${jsonSample('400', PROBLEM_EXAMPLE)}</div></div>
<table class="grid stacked catalogue"><thead><tr><th scope="col">Code</th><th scope="col">HTTP</th><th scope="col">Close</th><th scope="col">Retry</th><th scope="col">When</th></tr></thead>
<tbody>${ERROR_CODES.map(errorRow)}</tbody></table>`,
  };
}
