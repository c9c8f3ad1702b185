// The REST endpoints, each with its parameters, an example and the errors of its own.
import {
  BODY_EXAMPLES,
  COMMON_ERRORS,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  ERRORS,
  type ErrorCode,
  KEYED_ERRORS,
  parametersOf,
  REQUEST_EXAMPLES,
  RESPONSE_EXAMPLES,
  type SchemaSet,
  schemaName,
} from '@tickwire/contract';
import { errorLink } from './errors.ts';
import { fieldTable, parameterTable, resourceLink } from './fields.ts';
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

function renderEndpoint(name: EndpointName, set: SchemaSet): Html {
  const endpoint: Endpoint = ENDPOINTS[name];
  const { method, path, summary, description, scope, response, errors } = endpoint;
  const parameters = parametersOf(endpoint);
  set.ref(response);
  const answer = set.schemas[schemaName(response)] ?? {};
  return html`
<article id="${endpointId(name)}" class="pair"><div>
<h3><a href="#${endpointId(name)}"><span class="method">${method}</span> <span class="path">${path}</span></a></h3>
<p class="summary">${prose(summary)}.</p>
${description !== undefined && html`<p>${prose(description)}</p>`}
<p class="facts">${scope === null ? 'No key needed' : html`Scope <code>${scope}</code>`}</p>
${parameters.length > 0 && html`<h4>Parameters</h4>${parameterTable(parameters)}`}
<h4>Answer · ${resourceLink(schemaName(response))}</h4>${fieldTable(answer)}
${errors.length > 0 && html`<h4>Errors</h4>${errorList(errors)}`}
</div><div>${sample('Request', curl(REQUEST_EXAMPLES[name], scope !== null, BODY_EXAMPLES[name]), true)}${jsonSample('Answer', RESPONSE_EXAMPLES[name])}</div></article>`;
}

export function rest(set: SchemaSet): Section {
  const names = Object.keys(ENDPOINTS) as EndpointName[];
  const links = (codes: readonly ErrorCode[]) => between(codes.map(errorLink), ', ');
  return {
    id: 'rest',
    label: 'REST endpoints',
    body: html`<p>All answer JSON, with 200 on success. Symbols are read in upper or lower case; an unknown query parameter is ignored.
Besides the errors listed with it, an endpoint that needs a key may answer ${links(KEYED_ERRORS)}; any may answer ${links(COMMON_ERRORS)}.</p>
${names.map((name) => renderEndpoint(name, set))}`,
    entries: names.map((name) => ({ id: endpointId(name), label: html`<code>${ENDPOINTS[name].path}</code>` })),
  };
}
