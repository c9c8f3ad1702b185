// The resources of the REST interface, field by field, and how they may change.
import { API_VERSION, ENDPOINTS, type Endpoint, type JsonSchema, Problem, type SchemaSet } from '@tickwire/contract';
import { resourceId, shapeOf } from './fields.ts';
import { type Html, html, prose } from './html.ts';
import type { Section } from './section.ts';

function renderResource(name: string, schema: JsonSchema): Html {
  return html`<article id="${resourceId(name)}" class="resource"><h3><a href="#${resourceId(name)}">${name}</a></h3>
${schema.description !== undefined && html`<p class="summary">${prose(schema.description)}.</p>`}${shapeOf(schema)}</article>`;
}

export function resources(set: SchemaSet): Section {
  for (const { body, lines, response } of Object.values<Endpoint>(ENDPOINTS)) {
    for (const schema of [body, lines, response]) if (schema) set.ref(schema);
  }
  set.ref(Problem);
  const named = Object.entries(set.schemas);
  return {
    id: 'resources',
    label: 'Resources',
    body: html`<p>A field without “optional” is always there.</p><div class="resources">${named.map(([name, schema]) =>
      renderResource(name, schema),
    )}</div>`,
    entries: named.map(([name]) => ({ id: resourceId(name), label: name })),
  };
}

export function versioning(): Section {
  return {
    id: 'versioning',
    label: 'Versioning',
    body: html`<p>This is version <strong>${API_VERSION}</strong>; every answer names it in the <code>API-Version</code> header.
Changes are additive: a field, an endpoint, a code or an option may be added, none is renamed, retyped or taken away.
Ignore fields, events and enum values that you do not know.</p>`,
  };
}
