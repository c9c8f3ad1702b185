// The REST endpoints, each with its parameters, an example and the errors of its own.
import {
  BODY_EXAMPLES,
  COMMON_ERRORS,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  ERRORS,
  type ErrorCode,
  JSON_BODY_EXAMPLES,
  KEYED_ERRORS,
  parametersOf,
  REQUEST_EXAMPLES,
  RESPONSE_EXAMPLES,
  type SchemaSet,
  schemaName,
} from '@tickwire/contract';
import type { z } from 'zod';
import { errorLink } from './errors.ts';
import { parameterTable, resourceLink, shapeOf } from './fields.ts';
import { between, type Html, html, prose } from './html.ts';
import { curl, jsonSample, sample } from './sample.ts';
import type { Section } from './section.ts';

const endpointId = (name: EndpointName) => `${ENDPOINTS[name].method.toLowerCase()}-${name}`;

function errorList(codes: readonly ErrorCode[]): Html {
  const items = codes.map((code) => {
    const { status }: { status?: number } = ERRORS[code];
    return html`<li><span>${status}</span> ${errorLink(code)}</li>`;
  });
  return html`<ul class="codes">${items}</ul>`;
}

/** What goes in or comes out, field by field. */
function described(label: string, schema: z.ZodType, set: SchemaSet): Html {
  set.ref(schema);
  const name = schemaName(schema);
  return html`<h4>${label} · ${resourceLink(name)}</h4>${shapeOf(set.schemas[name] ?? {})}`;
}

function access({ scope, session, errors }: Endpoint): Html {
  if (session === 'only') return html`Signed-in session, no key`;
  if (scope !== null) return html`${session === 'too' ? 'Signed-in session, or scope' : 'Scope'} <code>${scope}</code>`;
  return errors.includes('invalid_key') ? html`No key in a header` : html`No key needed`;
}

function renderEndpoint(name: EndpointName, set: SchemaSet): Html {
  const endpoint: Endpoint = ENDPOINTS[name];
  const { method, path, summary, description, scope, body, lines, status = 200, response, errors } = endpoint;
  const parameters = parametersOf(endpoint);
  const sent = { method, keyed: scope !== null, lines: BODY_EXAMPLES[name], document: JSON_BODY_EXAMPLES[name] };
  return html`
<article id="${endpointId(name)}" class="pair"><div>
<h3><a href="#${endpointId(name)}"><span class="method">${method}</span> <span class="path">${path}</span></a></h3>
<p class="summary">${prose(summary)}.</p>
${description !== undefined && html`<p>${prose(description)}</p>`}
<p class="facts">${access(endpoint)}</p>
${parameters.length > 0 && html`<h4>Parameters</h4>${parameterTable(parameters)}`}
${body && described('Body', body, set)}${lines && described('Body, one a line', lines, set)}
${described(`Answer ${status}`, response, set)}
${errors.length > 0 && html`<h4>Errors</h4>${errorList(errors)}`}
</div><div>${sample('Request', curl(REQUEST_EXAMPLES[name], sent), true)}${jsonSample('Answer', RESPONSE_EXAMPLES[name])}</div></article>`;
}

/** Most read; those that do something say so. */
function entryLabel(name: EndpointName): Html {
  const { method, path } = ENDPOINTS[name];
  return html`<code>${method === 'GET' ? path : `${method} ${path}`}</code>`;
}

export function rest(set: SchemaSet): Section {
  const names = Object.keys(ENDPOINTS) as EndpointName[];
  const links = (codes: readonly ErrorCode[]) => between(codes.map(errorLink), ', ');
  return {
    id: 'rest',
    label: 'REST endpoints',
    body: html`<p>All take and answer JSON. A success is 200, or 201 where something was made. Symbols are read in upper or lower case; an unknown query parameter or field is ignored.
Besides the errors listed with it, an endpoint that needs a key may answer ${links(KEYED_ERRORS)}; any may answer ${links(COMMON_ERRORS)}.</p>
${names.map((name) => renderEndpoint(name, set))}`,
    entries: names.map((name) => ({ id: endpointId(name), label: entryLabel(name) })),
  };
}
