// Writes the REST methods of the TypeScript client and their options from the contract.
//   node packages/server/bin/bun.mjs tools/client/generate.ts
// By hand are methods whose types depend on their options (`special-calls.ts`), and those that return files or lines (`client.ts`).
import { writeFileSync } from 'node:fs';
import {
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  type JsonSchema,
  type Parameter,
  parametersOf,
  schemaName,
  schemaSet,
} from '@tickwire/contract';
import { pythonCall, typescriptArguments, typescriptMethod } from '@tickwire/contract/client-calls.ts';
import { typescript } from '@tickwire/contract/literals.ts';
import type { z } from 'zod';
import { union, WITHOUT_SCHEMA } from '../../packages/client/build/contract-types.ts';
import { callValues } from '../../packages/server/src/pages/reference/client-samples.ts';

const WIDTH = 120;
export const FOLDER = `${import.meta.dirname}/../../packages/client/src/rest`;
const NOTE =
  '// Generated from the contract by `node packages/server/bin/bun.mjs tools/client/generate.ts`. Do not edit.';

const SPECIAL: readonly string[] = [
  'closeSignal',
  'eventStream',
  'evidence',
  'indicators',
  'market',
  'news',
  'quotes',
  'signals',
];

/** Types of options. A name that is not declared yet is declared with the parameters of the endpoint. */
const OPTIONS: Partial<Record<EndpointName, string>> = {
  symbols: 'SymbolsOptions',
  market: 'MarketOptions',
  bars: 'BarsOptions',
  severalBars: "Omit<BarsOptions, 'cursor'>",
  ticks: 'TicksOptions',
  profile: 'ProfileOptions',
  footprint: 'FootprintOptions',
  coverage: 'CoverageOptions',
  hours: 'HoursOptions',
  venueInstruments: 'VenueSearchOptions',
  perpetual: 'PerpetualOptions',
  positionSize: 'PositionSizeOptions',
  overview: 'OverviewOptions',
  udfMarks: 'UdfRange',
  udfSymbol: "Pick<UdfRange, 'symbol'>",
  udfSearch: 'UdfSearchOptions',
  udfHistory: 'UdfHistoryOptions',
  udfQuotes: '{ readonly symbols: readonly string[] }',
  chatMessages: '{ readonly limit?: number }',
  signals: 'SignalOptions',
  signal: 'SignalDetailOptions',
  signalLog: 'SignalLogOptions',
  signalHeads: 'SignalHeadsOptions',
  publicSignalHeads: 'SignalHeadsOptions',
  evidence: 'EvidenceOptions',
  publishers: 'PublisherListOptions',
  publisher: 'PublisherOptions',
  publicPublisher: 'PublisherOptions',
  publisherFollowers: '{ readonly limit?: number }',
  publicRecords: 'PublicRecordOptions',
  news: 'NewsOptions',
  newsSentiment: 'NewsSentimentOptions',
  calendar: 'CalendarOptions',
  eventWindow: 'EventWindowOptions',
  alerts: 'AlertsOptions',
  firings: 'FiringsOptions',
  deliveries: 'DeliveriesOptions',
  documents: 'DocumentListOptions',
  usageHistory: 'UsageHistoryOptions',
  usage: 'UsageOptions',
  streams: 'StreamReportOptions',
  auditLog: 'AuditOptions',
};
/** Lists that may be a single value. */
const FILTERS = ['category', 'country', 'impact'];
/** Methods with one argument for both their own options and those of the call. */
const JOINED: readonly string[] = [
  'documents',
  'overview',
  'publicPublisher',
  'publisher',
  'publisherFollowers',
  'signal',
  'symbols',
  'usage',
];
/** Bodies whose defaults may be left out, which the types of the contract do not say. */
const BODIES: Partial<Record<EndpointName, string>> = {
  createAlert: 'NewAlert',
  changeAlert: 'NewAlertFields',
  createSubscription: 'NewSubscription',
  tradingViewHook: 'TradingViewAlert',
  putDocument: 'DocumentPutOptions',
  createKey: 'NewKey',
  createLink: 'NewDataLink',
  createInvitation: 'NewInvitation',
};
/** Classes by the first part of the names of their methods. */
const GROUPS: Readonly<Record<string, readonly [name: string, base: string, comment: string, members?: string]>> = {
  '': [
    'RestApi',
    'SpecialCalls',
    'The REST methods of {@link TickwireClient}, named as in the API reference. Each rejects with a {@link TickwireError} if the call fails.',
  ],
  'account.documents': [
    'DocumentsApi',
    'ApiBase',
    'Documents of the account, available as `client.account.documents`. They need a session, not a key.',
  ],
  account: [
    'AccountApi',
    'ApiBase',
    'Account and session calls, available as `client.account`. In a page of the service the browser keeps the session cookie.',
    `  /** What pages store for the account: layouts, drawings, watchlists, settings. */
  readonly documents: DocumentsApi = new DocumentsApi(this.rest);\n\n`,
  ],
  keys: [
    'KeysApi',
    'ApiBase',
    'API keys of the calling account, available as `client.keys`. Needs a session, or a key with the scope `admin`.',
  ],
  links: [
    'LinksApi',
    'ApiBase',
    'Data links of the calling account, available as `client.links`. Needs a session, or a key with the scope `admin`.',
  ],
  udf: [
    'UdfApi',
    'ApiBase',
    'The data feed of TradingView charts, for charts of your own, available as `client.udf`. Times are Unix time in seconds.',
  ],
  admin: [
    'AdminApi',
    'ApiBase',
    "Operator calls, available as `client.admin`. They need the owner's session, or a key with the scope `admin`.",
  ],
};
/** A default that means no limit. */
const UNBOUNDED = 1_000_000;
/** Fields of a new thing that only its first response has. */
const SHOWN_ONCE = ['key', 'link', 'url', 'secret'];

/** What the methods use of `request.ts`. */
const REQUEST_NAMES = [
  'type CallOptions',
  'get',
  'getCsv',
  'jsonBody',
  'ndjsonBody',
  'type PostOptions',
  'patchOnce',
  'postIdempotent',
  'postOnce',
  'putOnce',
  'remove',
];

const endpoints = Object.entries(ENDPOINTS) as [EndpointName, Endpoint][];
const set = schemaSet('');
/** Fields of an object that is sent or returned. */
const fieldsOf = (schema: z.ZodType): Readonly<Record<string, JsonSchema>> =>
  set.schemas[set.ref(schema).$ref]?.properties ?? {};
const NAMED_UNIONS = new Map(Object.entries(WITHOUT_SCHEMA).map(([name, [, type]]) => [type, name]));

/** Parts on one line if they fit, otherwise one per line. */
function laidOut(before: string, parts: readonly string[], after: string, indent: string): string {
  const line = `${indent}${before}(${parts.join(', ')})${after}`;
  if (line.length <= WIDTH) return line;
  return `${indent}${before}(\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent})${after}`;
}

function comment(paragraphs: readonly string[], indent: string): string {
  const [first = ''] = paragraphs;
  const line = `${indent}/** ${first} */`;
  if (paragraphs.length === 1 && line.length <= WIDTH && !first.includes('\n')) return line;
  const lines = paragraphs.flatMap((text) => (text.startsWith('@example') ? text.split('\n') : wrapped(text, indent)));
  return [`${indent}/**`, ...lines.map((each) => `${indent} * ${each}`.trimEnd()), `${indent} */`].join('\n');
}

function wrapped(text: string, indent: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || indent.length + 3 + last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** An import of names, in the order and layout of the formatter. */
function imports(kind: 'import' | 'import type', names: Iterable<string>, from: string): string {
  const sorted = [...new Set(names)].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const line = `${kind} { ${sorted.join(', ')} } from '${from}';`;
  return line.length <= WIDTH ? line : `${kind} {\n${sorted.map((name) => `  ${name},\n`).join('')}} from '${from}';`;
}
const bare = (name: string): string => name.replace('type ', '');
/** A before a before B. */
const order = (name: string): string =>
  bare(name).replaceAll(/[a-z]/gi, (letter) => (/[a-z]/.test(letter) ? `${letter}1` : `${letter.toLowerCase()}0`));

const sentence = (text: string): string => (text === '' || text.endsWith('.') ? text : `${text}.`);

/** The contract speaks of requests: names methods in their place, and omits what concerns files, which `download` gets. */
function inClient(text: string): string {
  return text
    .replaceAll(/[^.]*(`format`|ETag|A file)[^.]*\.\s*/g, '')
    .replaceAll(/`((?:GET|POST) \/[^`]*)`/g, (all, request: string) => {
      const found = endpoints.find(([, { method, path }]) => `${method} ${path}` === request);
      return found ? `\`${typescriptMethod(found[0])}\`` : all;
    })
    .replace(', comma-separated', '')
    .trim();
}

function typeOf({ anyOf, type, enum: values, items, format }: JsonSchema, name = ''): string {
  if (anyOf?.some((each) => each.format === 'date-time') || format === 'date-time') return 'Instant';
  if (items) {
    const each = typeOf(items);
    const list = `readonly ${each.includes('|') ? `(${each})` : each}[]`;
    return FILTERS.includes(name) ? `${each} | ${list}` : list;
  }
  if (values) {
    const listed = values.every((value) => /^\d+$/.test(String(value))) ? values.map(Number) : values;
    const found = listed.map((value) => typescript(value)).join(' | ');
    return NAMED_UNIONS.get(union(values)) ?? (values.length > 12 ? 'string' : found);
  }
  if (name === 'interval') return 'Interval';
  return type === 'integer' ? 'number' : String(type);
}

function described({ description, schema }: Parameter): string {
  const { minimum, maximum, default: preset, items } = schema;
  let text = sentence(inClient(description));
  const values = schema.enum ?? items?.enum;
  if (values && values.length <= 12 && !values.every((value) => description.includes(`\`${value}\``)))
    text += ` ${items ? 'Any' : 'One'} of ${values.map((value) => `\`${value}\``).join(', ')}.`;
  if (minimum !== undefined && maximum !== undefined && Math.abs(minimum) < 1e11)
    text += ` ${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}.`;
  if (preset !== undefined && preset !== '' && preset !== UNBOUNDED && !/default/i.test(description))
    text += ` Default \`${preset}\`.`;
  return text;
}

const queryOf = (name: EndpointName): readonly Parameter[] =>
  parametersOf(ENDPOINTS[name]).filter(
    (each) => each.in === 'query' && each.name !== 'format' && each.name !== pythonCall(name).leading,
  );

function example(name: EndpointName, { method, response, csv }: Endpoint): string {
  const given = typescriptArguments(name, callValues(name)).map((each) => typescript(each));
  const call = `await client.${typescriptMethod(name)}(${given.join(', ')});`;
  const fields = Object.keys(fieldsOf(response));
  const shown = fields.includes('items')
    ? ['items', 'next'].filter((field) => fields.includes(field))
    : method === 'GET'
      ? fields.slice(0, 2)
      : SHOWN_ONCE.filter((field) => fields.includes(field));
  const received = csv ? 'const csv = ' : shown.length > 0 ? `const { ${shown.join(', ')} } = ` : '';
  return `@example${call.includes('\n') ? '\n' : ' '}${received}${call}`;
}

function options(): string {
  const declared = new Map<string, string>();
  for (const [name] of endpoints) {
    const type = OPTIONS[name] ?? '';
    if (!/^\w+$/.test(type) || declared.has(type)) continue;
    const text = comment([`Options of \`${typescriptMethod(name)}\`.`], '');
    const fields = queryOf(name).map(
      (each) =>
        `${comment([described(each)], '  ')}\n  readonly ${each.name}${each.required ? '' : '?'}: ${typeOf(each.schema, each.name)};\n`,
    );
    declared.set(type, `${text}\nexport interface ${type} {\n${fields.join('')}}\n`);
  }
  const text = [...declared.values()].join('\n');
  const named = [...NAMED_UNIONS.values()].filter((name) => new RegExp(`\\b${name}\\b`).test(text)).sort();
  return `${NOTE}
// Options of REST methods.
${imports('import type', named, '../common/contract.ts')}
import type { Instant } from '../common/instant.ts';

${text}`;
}

function method(name: EndpointName, endpoint: Endpoint): string {
  const { method: verb, path, scope, summary, description, idempotent, csv } = endpoint;
  const { leading } = pythonCall(name);
  const type = OPTIONS[name];
  const query = type === undefined ? [] : queryOf(name);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each);
  const parameters = inPath.map((each) => `${each}: ${each === 'kind' ? 'DocumentKind' : 'string'}`);
  const address = path.replaceAll(/\{(\w+)\}/g, (_, each) => `\${encodeURIComponent(${each})}`);
  const sent = ['this.rest', inPath.length > 0 ? `\`${address}\`` : `'${path}'`];
  const camel = leading?.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const callType = idempotent ? 'PostOptions' : 'CallOptions';
  const call = idempotent ? 'options' : 'call';
  let joined = false;
  if (verb === 'GET') {
    if (leading) parameters.push(`${leading}: readonly string[]`);
    if (query.length > 0) {
      joined = JOINED.includes(name);
      const names = query.map((each) => each.name).join(', ');
      const absent = query.some((each) => each.required) ? '' : ' = {}';
      parameters.push(joined ? `{ ${names}, ...call }: ${type} & CallOptions = {}` : `options: ${type}${absent}`);
      sent.push(joined ? `{ ${names} }` : `{ ...options${leading ? `, ${leading}` : ''} }`);
    } else if (!csv) sent.push('{}');
  } else if (endpoint.lines) {
    parameters.push(`lines: Iterable<${schemaName(endpoint.lines)}>`);
    sent.push('ndjsonBody(lines)');
  } else if (leading) {
    const nullable = fieldsOf(endpoint.body!)[leading]?.type?.includes('null');
    parameters.push(`${camel}: string${nullable ? ' | null' : ''}`);
    sent.push(`jsonBody({ ${camel === leading ? leading : `${leading}: ${camel}`} })`);
  } else if (endpoint.body) {
    const change = verb === 'PATCH' || verb === 'PUT' ? 'change' : name === 'tradingViewHook' ? 'alert' : 'request';
    const other = endpoint.otherBody ? ` | ${schemaName(endpoint.otherBody)}` : '';
    parameters.push(`${change}: ${BODIES[name] ?? schemaName(endpoint.body)}${other}`);
    sent.push(`jsonBody(${change})`);
  } else if (verb !== 'DELETE') sent.push('null');
  if (!joined) parameters.push(`${call}?: ${callType}`);
  const sender = {
    GET: csv ? 'getCsv' : 'get',
    POST: idempotent ? 'postIdempotent' : 'postOnce',
    PUT: 'putOnce',
    PATCH: 'patchOnce',
    DELETE: 'remove',
  }[verb];
  const response = csv ? 'string' : name === 'udfTime' ? 'number' : schemaName(endpoint.response);
  // Descriptions that do not say what the method does follow the summary.
  const stated = sentence(inClient(description));
  let text = /^[A-Z][a-z]+s /.test(stated) ? stated : `${sentence(summary)} ${stated}`;
  if (scope !== null && scope !== 'read' && !/scope `/.test(text)) text += ` A key needs the scope \`${scope}\`.`;
  if (idempotent) text += ' Safe to repeat: a lost response has no second effect.';
  if (verb === 'PATCH' || verb === 'PUT') text += ' The request is never repeated.';
  const own = typescriptMethod(name).split('.').at(-1)!;
  return `${comment([text, example(name, endpoint)], '  ')}
${laidOut(own, parameters, `: Promise<${response}> {`, '  ')}
${laidOut(`return ${sender}`, [...sent, call], ';', '    ')}
  }
`;
}

function methods(): string {
  const classes = Object.entries(GROUPS).map(([group, [name, base, text, members = '']]) => {
    const own = endpoints.filter(
      ([each]) => !SPECIAL.includes(each) && typescriptMethod(each).split('.').slice(0, -1).join('.') === group,
    );
    const written = own.map(([each, endpoint]) => method(each, endpoint));
    return `${comment([text], '')}\nexport class ${name} extends ${base} {\n${members}${written.join('\n')}}\n`;
  });
  const text = classes.join('\n');
  const isUsed = (name: string): boolean =>
    new RegExp(`(?<![\\w.])${name}\\b`).test(text.replaceAll(/\/\*\*.*?\*\//gs, ''));
  const schemas = endpoints.flatMap(([, { response, body, otherBody, lines }]) =>
    [response, body, otherBody, lines].flatMap((each) => (each ? [schemaName(each)] : [])),
  );
  const used = (names: readonly string[]): string[] => names.filter((each) => isUsed(bare(each)));
  const ofContract = ['DocumentKind', ...schemas.filter((each) => !Object.values(BODIES).includes(each))];
  const ofOptions = Object.values(OPTIONS).flatMap((each) => each.match(/[A-Z]\w+(Options|Range)\b/g) ?? []);
  return `${NOTE}
// One method for each endpoint of the service.
${imports('import type', used(ofContract), '../common/contract.ts')}
import { ApiBase } from './api-base.ts';
${imports('import type', used(ofOptions), './options.ts')}
${imports('import', used(REQUEST_NAMES), './request.ts')}
${imports('import type', Object.values(BODIES), './request-types.ts')}
import { SpecialCalls } from './special-calls.ts';

${text}`;
}

/** The generated files by name. */
export const generated = (): Readonly<Record<string, string>> => ({ 'api.ts': methods(), 'options.ts': options() });

if (import.meta.main)
  for (const [name, text] of Object.entries(generated())) {
    const file = `${FOLDER}/${name}`;
    writeFileSync(file, text);
  }
