// REST endpoints, one section per tag: each with its parameters, examples, a form to try it, and its specific errors.
import {
  COMMON_ERRORS,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  ERRORS,
  type ErrorCode,
  endpointErrors,
  KEYED_ERRORS,
  parametersOf,
  RESPONSE_EXAMPLES,
  type SchemaSet,
  schemaName,
  TAGS,
} from '@tickwire/contract';
import type { z } from 'zod';
import { callSample, languagesOf } from './client-samples.ts';
import { errorLink } from './errors.ts';
import { parameterTable, resourceLink, shapeOf } from './fields.ts';
import { type Html, html, joinContent, prose } from './html.ts';
import { jsonSample, languageSamples, MARKED_ORIGIN, sample } from './sample.ts';
import type { Section } from './section.ts';
import { tryIt } from './try-it.ts';

export const endpointId = (name: EndpointName) => `${ENDPOINTS[name].method.toLowerCase()}-${name}`;

function errorList(codes: readonly ErrorCode[]): Html {
  const items = codes.map((code) => {
    const { status }: { status?: number } = ERRORS[code];
    return html`<li><span>${status}</span> ${errorLink(code)}</li>`;
  });
  return html`<ul class="codes">${items}</ul>`;
}

function bodySection(label: string, schema: z.ZodType, set: SchemaSet): Html {
  set.ref(schema);
  const name = schemaName(schema);
  return html`<h4>${label} · ${resourceLink(name)}</h4>${shapeOf(set.schemas[name] ?? {})}`;
}

function access({ auth, scope, anySession }: Endpoint): Html {
  if (auth === 'session') return html`Requires a signed-in session; an API key is not accepted`;
  if (auth === 'key')
    return html`Requires ${anySession ? 'a signed-in session or ' : ''}the scope <code>${scope ?? ''}</code>`;
  return auth === 'hook' ? html`Authenticated by the token in the path` : html`No authentication`;
}

function renderEndpoint(name: EndpointName, set: SchemaSet): Html {
  const endpoint: Endpoint = ENDPOINTS[name];
  const {
    method,
    path,
    summary,
    description,
    body,
    otherBody,
    lines,
    status = 200,
    response,
    lineResponse,
    eventStream = false,
  } = endpoint;
  const errors = endpointErrors(endpoint);
  const parameters = parametersOf(endpoint);
  const calls = languagesOf(name).map((language) => [language, callSample(language, name, MARKED_ORIGIN)] as const);
  const shown = eventStream
    ? sample('Response', String(RESPONSE_EXAMPLES[name]), true)
    : jsonSample('Response', RESPONSE_EXAMPLES[name]);
  return html`
<article id="${endpointId(name)}" class="pair"><div>
<h3><a href="#${endpointId(name)}"><span class="method">${method}</span> <span class="path">${path}</span></a></h3>
<p class="summary">${prose(summary)}.</p>
<p>${prose(description)}</p>
<p class="facts">${access(endpoint)}.</p>
${parameters.length > 0 && html`<h4>Parameters</h4>${parameterTable(parameters)}`}
${body && bodySection('Body', body, set)}${otherBody && bodySection('Or body', otherBody, set)}${lines && bodySection('Body, one per line', lines, set)}
${bodySection(`Response ${status}${lineResponse ? ', one per line' : ''}`, response, set)}
${errors.length > 0 && html`<h4>Errors</h4>${errorList(errors)}`}
</div><div>${languageSamples(calls)}${shown}${tryIt(name)}</div></article>`;
}

/** Most endpoints are GET; only other methods are shown. A long path breaks after a slash. */
export function entryLabel(name: EndpointName): Html {
  const { method, path } = ENDPOINTS[name];
  const parts = joinContent(path.slice(1).split('/'), html`/<wbr>`);
  return html`<code>${method !== 'GET' && `${method} `}/${parts}</code>`;
}

export const endpointsOf = (tag: Endpoint['tag']): EndpointName[] =>
  (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => ENDPOINTS[name].tag === tag);

/** What all endpoints have in common. */
export function restRules(): Html {
  const links = (codes: readonly ErrorCode[]) => joinContent(codes.map(errorLink), ', ');
  return html`<p>Requests and responses are JSON. Success is 200, or 201 if something was created. Symbols are case-insensitive, times in responses are ISO 8601 in UTC, and unknown query parameters and fields are ignored.
In addition to its own errors, an endpoint that requires a key may return ${links(KEYED_ERRORS)}. Any endpoint may return ${links(COMMON_ERRORS)}.</p>`;
}

/** The endpoints of a tag. */
export function rest(tag: Endpoint['tag'], set: SchemaSet): Section {
  const names = endpointsOf(tag);
  return {
    id: `rest-${tag.toLowerCase()}`,
    label: tag,
    body: html`<p class="lead">${TAGS[tag].description}.</p>${names.map((name) => renderEndpoint(name, set))}`,
    entries: names.map((name) => ({ id: endpointId(name), label: entryLabel(name) })),
  };
}
