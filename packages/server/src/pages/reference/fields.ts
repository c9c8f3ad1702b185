// Tables of fields and parameters, generated from JSON Schema.
import { ERROR_CODES, type JsonSchema, type Parameter } from '@tickwire/contract';
import { type Content, type Html, html, joinContent, prose } from './html.ts';

export const resourceId = (name: string) => `resource-${name}`;

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

export function resourceLink(name: string): Html {
  return html`<a href="#${resourceId(name)}">${name}</a>`;
}

const literal = (value: unknown) => html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`;

function bounds({ minimum, maximum, exclusiveMinimum, maxLength }: JsonSchema): string {
  if (maxLength !== undefined) return `, at most ${maxLength} characters`;
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`.replace(' -', ' −');
  if (minimum !== undefined) return `, at least ${minimum}`.replace(' -', ' −');
  return exclusiveMinimum === undefined ? '' : `, above ${exclusiveMinimum}`;
}

/** A short description of a value's type. */
export function typeOf(schema: JsonSchema): Content {
  if (schema.$ref !== undefined) return resourceLink(nameOf(schema.$ref));
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) {
    // The full list is in the section on errors.
    if (schema.enum.length === ERROR_CODES.length) return html`<a href="#errors">error code</a>`;
    return joinContent(schema.enum.map(literal), ' ');
  }
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return joinContent(either.map(typeOf), ' or ');
  if (schema.type === 'array') {
    const most = schema.maxItems === undefined ? '' : `, at most ${schema.maxItems}`;
    const items = schema.items ?? {};
    return [items.enum === undefined ? 'array of ' : 'array of: ', items.properties ? 'object' : typeOf(items), most];
  }
  if (schema.type === 'object')
    return schema.additionalProperties ? ['map of ', typeOf(schema.additionalProperties)] : 'object';
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any');
  return `${type}${schema.format === undefined ? '' : ` (${schema.format})`}${bounds(schema)}`;
}

function row(name: string, type: Content, description: string, mark: Content): Html {
  return html`<tr><th scope="row"><code>${name}</code>${mark}</th><td><span class="type">${type}</span>${
    description !== '' && html`<span class="note">${prose(description)}</span>`
  }</td></tr>`;
}

/** Query parameters are the usual case and need no note. */
const PLACES: Partial<Record<Parameter['in'], string>> = { path: 'in the path', header: 'optional header' };
const OPTIONAL = html` <small>optional</small>`;

/** The rows of an object. Fields of a nested object are listed as `outer.inner`. */
function rows(schema: JsonSchema, prefix: string): Html[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix + key;
    const optional = !(schema.required ?? []).includes(key);
    const inner = field.properties
      ? rows(field, `${name}.`)
      : field.items?.properties
        ? rows(field.items, `${name}[].`)
        : [];
    return [row(name, typeOf(field), field.description ?? '', optional && OPTIONAL), ...inner];
  });
}

export function fieldTable(schema: JsonSchema, only: (name: string) => boolean = () => true): Html {
  const properties = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => only(name)));
  return html`<table class="fields"><tbody>${rows({ ...schema, properties }, '')}</tbody></table>`;
}

/** The field table of an object, or the type of any other schema. */
export function shapeOf(schema: JsonSchema): Html {
  return schema.properties === undefined ? html`<p>${typeOf(schema)}</p>` : fieldTable(schema);
}

export function parameterTable(parameters: readonly Parameter[]): Html {
  const parameterRows = parameters.map(({ name, in: place, required, description, allowed, schema }) => {
    const fallback = schema.default === undefined ? [] : [', default ', literal(schema.default)];
    const mark = html` <small>${PLACES[place] ?? (required ? 'required' : 'optional')}</small>`;
    // A union of formats reads better in words.
    return row(name, [schema.anyOf && allowed ? allowed : typeOf(schema), fallback], description, mark);
  });
  return html`<table class="fields"><tbody>${parameterRows}</tbody></table>`;
}
