// Generates the published contract types from the schemas, so that an installed client needs neither the contract package
// nor its schema library. Names and their doc comments come from src/common/contract.ts, fields from the schemas.
import * as contract from '@tickwire/contract';
import { type JsonSchema, schemaName, schemaSet } from '@tickwire/contract';

type Schemas = Readonly<Record<string, JsonSchema>>;

const BASE = '#/';
const union = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(' | ');

/** Types without a schema of their own. */
const WITHOUT_SCHEMA: Readonly<Record<string, string>> = {
  AlertState: union(contract.ALERT_STATES),
  AuditAction: union(contract.AUDIT_ACTIONS),
  BarField: union(contract.BAR_FIELDS),
  CalendarImpact: union(contract.CALENDAR_IMPACTS),
  CalendarStatus: union(contract.CALENDAR_STATUSES),
  Channel: union(contract.CHANNELS),
  DeliveryState: union(contract.DELIVERY_STATES),
  DocumentKind: union(contract.DOCUMENT_KINDS),
  ErrorCode: union(contract.ERROR_CODES),
  FootprintTimeframe: union(contract.FOOTPRINT_TIMEFRAMES),
  IndicatorName: union(contract.INDICATOR_NAMES),
  IndicatorText: ['IndicatorName | `', '{IndicatorName}(', '{string})`'].join('$'),
  InstrumentType: union(contract.INSTRUMENT_TYPES),
  PublisherSort: union(contract.PUBLISHER_SORTS),
  TickField: union(contract.TICK_FIELDS),
  TickKind: union(contract.TICK_KINDS),
  Timeframe: union(contract.TIMEFRAMES),
  FinalCloseCode: union(contract.CLOSE_CODES.filter(({ reconnect }) => !reconnect).map(({ code }) => code)),
  StreamPosition:
    '{\n/** Changes when the service loses continuity. */\nepoch: string;\n/** Number of a message. */\nseq: number }',
  Notice: contract.Notice.options.map(schemaName).join(' | '),
};

/** The text of a module that declares every type that `source`, the module used inside this repository, exports. */
export function contractTypes(source: string): string {
  const declared = [...source.matchAll(/(\/\*\*(?:(?!\*\/).)*\*\/)\s*export type (\w+)/gs)];
  const comments = new Map(declared.map(([, comment = '', name = '']) => [name, comment]));
  const set = schemaSet(BASE);
  for (const option of contract.Notice.options) set.ref(option);
  for (const name of comments.keys()) {
    const schema = (contract as Readonly<Record<string, unknown>>)[name];
    if (!(name in WITHOUT_SCHEMA) && isSchema(schema)) set.ref(schema);
  }
  const bodies = { ...WITHOUT_SCHEMA };
  for (const [name, schema] of Object.entries(set.schemas)) bodies[name] = typeOf(schema, set.schemas);
  const undeclared = Object.keys(bodies).filter((name) => !comments.has(name));
  if (undeclared.length > 0) throw new Error(`src/common/contract.ts must export ${undeclared.join(', ')}`);
  const unknown = [...comments.keys()].filter((name) => !(name in bodies));
  if (unknown.length > 0) throw new Error(`the contract has no schema for ${unknown.join(', ')}`);
  return [...comments].map(([name, comment]) => `${comment}\nexport type ${name} = ${bodies[name]};\n`).join('\n');
}

const isSchema = (value: unknown): value is Parameters<typeof schemaName>[0] =>
  typeof value === 'object' && value !== null && '_zod' in value;

function typeOf(schema: JsonSchema, named: Schemas): string {
  const { $ref, type, enum: values, anyOf, oneOf, items, properties, additionalProperties } = schema;
  if ($ref) return $ref.slice(BASE.length);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values) return values.length === contract.ERROR_CODES.length ? 'ErrorCode' : union(values);
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return alternatives.map((each) => typeOf(each, named)).join(' | ');
  if (properties) return objectOf(properties, schema.required ?? [], named);
  if (additionalProperties) return `Record<string, ${typeOf(additionalProperties, named)}>`;
  if (items) return `(${typeOf(items, named)})[]`;
  if (Array.isArray(type)) return type.map((each) => typeOf({ type: each }, named)).join(' | ');
  switch (type) {
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case undefined:
      return 'unknown';
    default:
      throw new Error(`no TypeScript type for ${JSON.stringify(schema)}`);
  }
}

/** A field without a description of its own takes that of the schema it refers to. */
function objectOf(properties: Schemas, required: readonly string[], named: Schemas): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema, named);
    // A field with a default is in every response.
    const field =
      required.includes(name) || schema.default !== undefined ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    const description = schema.description ?? (schema.$ref && named[type]?.description);
    const comment = description ? `/** ${description.replaceAll('*/', '* /')} */\n` : '';
    return `${comment}${field};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}
