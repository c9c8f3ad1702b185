// Generates the published contract types from the schemas, so that an installed client needs neither the contract package
// nor its schema library.
import * as contract from '@tickwire/contract';
import { type JsonSchema, schemaName, schemaSet } from '@tickwire/contract';

type Schemas = Readonly<Record<string, JsonSchema>>;

const BASE = '#/';
export const union = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(' | ');

/** Types without a schema, each with its doc comment. */
export const WITHOUT_SCHEMA: Readonly<Record<string, readonly [comment: string, type: string]>> = {
  AlertState: ['State of an alert.', union(contract.ALERT_STATES)],
  AuditAction: ['Name of an action in the audit log.', union(contract.AUDIT_ACTIONS)],
  BarField: ['A field of a bar that is returned on request.', union(contract.BAR_FIELDS)],
  CalendarImpact: ['How much an event usually moves the market.', union(contract.CALENDAR_IMPACTS)],
  CalendarStatus: ['Status of a calendar event.', union(contract.CALENDAR_STATUSES)],
  Channel: ['Name of a WebSocket channel of the service.', union(contract.CHANNELS)],
  DeliveryState: ['State of a message in the delivery log.', union(contract.DELIVERY_STATES)],
  DocumentKind: ['Kind of a document of the account.', union(contract.DOCUMENT_KINDS)],
  ErrorCode: ['Error codes of the service, the same over REST and WebSocket.', union(contract.ERROR_CODES)],
  FinalCloseCode: [
    'Close codes after which the client does not reconnect.',
    union(contract.CLOSE_CODES.filter(({ reconnect }) => !reconnect).map(({ code }) => code)),
  ],
  FootprintTimeframe: ['Timeframes of streamed footprints.', union(contract.FOOTPRINT_TIMEFRAMES)],
  IndicatorName: ['Name of an indicator.', union(contract.INDICATOR_NAMES)],
  IndicatorText: [
    'An indicator with its inputs, in order or by name: `rsi(14)`, `rsi(source=hl2)`.',
    ['IndicatorName | `', '{IndicatorName}(', '{string})`'].join('$'),
  ],
  InstrumentType: ['Kind of an instrument.', union(contract.INSTRUMENT_TYPES)],
  Interval: [
    'Length of a bar: minutes or hours up to a day such as `5m` or `4h`, `1d`, `1w`, or `1M`, a month.',
    ['`', '{number}m` | `', "{number}h` | '1d' | '1w' | '1M'"].join('$'),
  ],
  NewsCategory: ['Category of a headline.', union(contract.NEWS_CATEGORIES)],
  Notice: [
    'A response or notice of the service on a stream; `event` tells the variants apart.',
    contract.Notice.options.map(schemaName).join(' | '),
  ],
  PublisherSort: ['Field to sort publishers by.', union(contract.PUBLISHER_SORTS)],
  StreamPosition: [
    'A position in a stream: everything of the epoch up to this number has been received.',
    '{\n/** Changes when the service loses continuity. */\nepoch: string;\n/** Number of a message. */\nseq: number }',
  ],
  TickField: ['A field of a tick that is returned on request.', union(contract.TICK_FIELDS)],
  TickKind: ['Whether ticks are quotes or trades.', union(contract.TICK_KINDS)],
  Timeframe: ['Length of a bar. Bars are aligned to UTC.', union(contract.TIMEFRAMES)],
};

/** The text of a module that declares every type that the sources import from the contract, and those that these refer to. */
export function contractTypes(sources: readonly string[]): string {
  const set = schemaSet(BASE);
  for (const option of contract.Notice.options) set.ref(option);
  const imports = sources.flatMap((text) => [
    ...text.matchAll(/import type \{([^}]*)\} from '[./a-z]+\/contract\.ts'/g),
  ]);
  for (const name of imports.flatMap(([, names = '']) => names.match(/\w+/g) ?? [])) {
    const schema = (contract as Readonly<Record<string, unknown>>)[name];
    if (name in WITHOUT_SCHEMA) continue;
    if (!isSchema(schema)) throw new Error(`the contract has no schema for ${name}`);
    set.ref(schema);
  }
  const declared = [
    ...Object.entries(WITHOUT_SCHEMA),
    ...Object.entries(set.schemas).map(([name, schema]) => [
      name,
      [`${schema.description}.`, typeOf(schema, set.schemas)],
    ]),
  ] as const;
  return declared.map(([name, [comment, type]]) => `/** ${comment} */\nexport type ${name} = ${type};\n`).join('\n');
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
