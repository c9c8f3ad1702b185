// The sections on REST resources, field by field, and on versioning.
import { API_VERSION, type JsonSchema } from '@tickwire/contract';
import { resourceId, shapeOf } from './fields.ts';
import { type Html, html, prose } from './html.ts';
import type { Section } from './section.ts';

function renderResource(name: string, schema: JsonSchema): Html {
  return html`<article id="${resourceId(name)}" class="resource"><h3><a href="#${resourceId(name)}">${name}</a></h3>
${schema.description !== undefined && html`<p class="summary">${prose(schema.description)}.</p>`}${shapeOf(schema)}</article>`;
}

/** `page`: distinguishes the sections of different pages. */
export function resources(page: string, named: readonly (readonly [name: string, schema: JsonSchema])[]): Section {
  return {
    id: `resources-${page}`,
    label: 'Resources',
    body: html`<p>Fields are always present unless marked “optional”.</p><div class="resources">${named.map(
      ([name, schema]) => renderResource(name, schema),
    )}</div>`,
    entries: named.map(([name]) => ({ id: resourceId(name), label: name })),
  };
}

export function versioning(): Section {
  return {
    id: 'versioning',
    label: 'Versioning',
    body: html`<p>This is version <strong>${API_VERSION}</strong>. Every response carries it in the <code>API-Version</code> header.
Changes are additive: fields, endpoints, codes and options may be added, but none is renamed, retyped or removed.
Ignore fields, events and enum values that you do not know.</p>`,
  };
}
