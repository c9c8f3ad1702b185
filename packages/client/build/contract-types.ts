// Writes the types of the wire out in full, from the schemas of the contract, so that whoever installs the client needs
// neither the contract nor its schema library.
import * as contract from '@tickwire/contract';
import { type JsonSchema, schemaName, schemaSet } from '@tickwire/contract';

const BASE = '#/';
const union = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(' | ');
const comment = (text: string | undefined): string => (text ? `/** ${text.replaceAll('*/', '* /')} */\n` : '');

/** Types that are no schema of their own. */
const WRITTEN: Readonly<Record<string, string>> = {
  Channel: union(contract.CHANNELS),
  ErrorCode: union(contract.ERROR_CODES),
  InstrumentType: union(contract.INSTRUMENT_TYPES),
  Timeframe: union(contract.TIMEFRAMES),
  FinalCloseCode: union(contract.CLOSE_CODES.filter(({ reconnect }) => !reconnect).map(({ code }) => code)),
  Position: '{ epoch: string; seq: number }',
  Notice: contract.Notice.options.map(schemaName).join(' | '),
};

/** The text of a module that declares these names, and all that they refer to. */
export function contractTypes(names: readonly string[]): string {
  const set = schemaSet(BASE);
  for (const option of contract.Notice.options) set.ref(option);
  for (const name of names) if (!(name in WRITTEN)) set.ref(schemaOf(name));
  const lines = Object.entries(WRITTEN).map(([name, type]) => `export type ${name} = ${type};\n`);
  for (const [name, schema] of Object.entries(set.schemas))
    lines.push(`${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`);
  return lines.join('\n');
}

function schemaOf(name: string): Parameters<typeof schemaName>[0] {
  const schema = (contract as Readonly<Record<string, unknown>>)[name];
  if (typeof schema !== 'object' || schema === null || !('_zod' in schema))
    throw new Error(`${name} is neither a schema of the contract nor written out here`);
  return schema as Parameters<typeof schemaName>[0];
}

function typeOf(schema: JsonSchema): string {
  const { $ref, type, enum: values, anyOf, oneOf, items, properties, additionalProperties } = schema;
  if ($ref) return $ref.slice(BASE.length);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values) return values.length === contract.ERROR_CODES.length ? 'ErrorCode' : union(values);
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return alternatives.map(typeOf).join(' | ');
  if (properties) return objectOf(properties, schema.required ?? []);
  if (additionalProperties) return `Record<string, ${typeOf(additionalProperties)}>`;
  if (items) return `(${typeOf(items)})[]`;
  if (Array.isArray(type)) return type.map((each) => typeOf({ type: each })).join(' | ');
  switch (type) {
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

function objectOf(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema);
    const field = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `${comment(schema.description)}${field};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}
