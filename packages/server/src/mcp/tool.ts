// The definition of a tool. Its arguments are checked by its schema, and the error names the allowed values, as in REST.
import type { CallToolResult, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { ERRORS, iso, parseInstant } from '@tickwire/contract';
import { z } from 'zod';
import { withoutSynonym } from '../errors/parameter-names.ts';
import { ServiceError } from '../errors/service-error.ts';
import { fieldFaults } from '../errors/validation.ts';
import { type Answer, resultOf } from './answer.ts';
import type { Freshness, Instruments } from './instruments.ts';
import { invalidArgument, invalidCursor, type ServiceReader, ToolError } from './service.ts';
import { ANSWER_TOKENS } from './tokens.ts';

export interface ToolContext {
  readonly reader: ServiceReader;
  readonly instruments: Instruments;
  /** The same as of the clock of a replay session. */
  readonly inReplay: (id: string) => Promise<ToolContext>;
}

type JsonSchema = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Fields of the answer besides those that every answer has. */
  readonly output: JsonSchema;
  /** Whether it has an argument `replay`. Default: no. */
  readonly replays?: boolean;
  /** What it changes: something public, or a session that only the caller has. Default: it only reads. */
  readonly writes?: 'public' | 'session';
  readonly run: (args: never, context: ToolContext) => Promise<Answer>;
}

export const defineTool = <S extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    readonly input: S;
    readonly run: (args: z.output<S>, context: ToolContext) => Promise<Answer>;
  },
): Tool => ({ ...tool, input: tool.replays ? tool.input.extend({ replay: replayArg }) : tool.input }) as Tool;

/** A failure becomes a result with an error text, which the model can act on. */
export async function callTool(
  tool: Tool,
  given: unknown,
  context: ToolContext,
  textOnly = false,
): Promise<CallToolResult> {
  try {
    const args = argumentsOf(tool, given);
    const { replay } = args as { readonly replay?: string };
    const then = replay === undefined ? context : await context.inReplay(replay);
    return resultOf(await tool.run(args as never, then), textOnly);
  } catch (error) {
    if (error instanceof ServiceError)
      return {
        content: [{ type: 'text', text: `${ERRORS[error.code].title} (${error.code}): ${error.message}.` }],
        isError: true,
      };
    if (error instanceof ToolError) return { content: [{ type: 'text', text: error.message }], isError: true };
    throw error;
  }
}

function argumentsOf({ name, input }: Tool, given: unknown): unknown {
  const known = Object.keys(input.shape);
  const parsed = input.strict().safeParse(withoutSynonym((given ?? {}) as Record<string, unknown>, known));
  if (parsed.success) return parsed.data;
  const faults = fieldFaults(parsed.error, input, given).map(({ field, rule }) =>
    field === '' ? `arguments ${rule}; ${name} has ${known.join(', ')}` : `${field} ${rule}`,
  );
  throw invalidArgument(faults.join('; '));
}

const ALWAYS = ['as_of', 'age_ms', 'stale', 'source', 'market', 'gaps', 'next'];

const outputSchema = ({ output }: Tool): JsonSchema => ({
  type: 'object',
  properties: { stale: { type: 'boolean' }, ...output },
  required: ALWAYS,
});

/** Limits are in the errors. */
const UNLISTED = [
  'allowed',
  'default',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maximum',
  'maxLength',
  'minItems',
  'minimum',
  'minLength',
  'pattern',
];

/** The schema of the arguments without what a model does not need. Descriptions of REST would be too long. */
function inputSchema({ input }: Tool): JsonSchema {
  const { properties, required } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const key of UNLISTED) delete jsonSchema[key];
    },
  });
  return { type: 'object', properties, ...(required && { required }) };
}

/** A schema for the SDK: listed as it is, and checked by `callTool`. */
const listedSchema = (schema: JsonSchema): StandardSchemaWithJSON => ({
  '~standard': {
    version: 1,
    vendor: 'tickwire',
    validate: (value) => ({ value }),
    jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
  },
});

const known = new Map<
  Tool,
  { readonly inputSchema: StandardSchemaWithJSON; readonly outputSchema: StandardSchemaWithJSON }
>();

/** Made once for each tool, since `/mcp` creates a server for each request. */
export function schemasOf(tool: Tool) {
  const schemas = known.get(tool) ?? {
    inputSchema: listedSchema(inputSchema(tool)),
    outputSchema: listedSchema(outputSchema(tool)),
  };
  known.set(tool, schemas);
  return schemas;
}

// Arguments that several tools have. Descriptions are short: all tools together have a budget.

/** Id of a replay session. */
export const replayArg = z.string().min(1).max(64).optional().meta({ allowed: 'the id of replay_market' });
export const symbolArg = z.string().min(1).max(32).meta({ allowed: 'an instrument code such as EURUSD' });
export const symbolsArg = (max: number) =>
  z
    .array(z.string().min(1).max(32))
    .min(1)
    .max(max)
    .meta({ allowed: `a list of 1 to ${max} instrument codes` });

/** A time as in the query strings of REST, parsed into epoch milliseconds. */
export const timeArg = (description?: string) =>
  z
    .string()
    .refine((text) => parseInstant(text) !== null)
    .transform((text) => parseInstant(text)!)
    .optional()
    .meta({
      ...(description && { description }),
      allowed: 'an ISO 8601 date or time, such as 2026-03-06 or 2026-03-06T21:00:00Z',
    });
/** Times for a query string. As numbers, those before 1973 would be read as seconds. */
export const isoRange = ({ from, to }: { readonly from?: number | undefined; readonly to?: number | undefined }) => ({
  from: from === undefined ? undefined : iso(from),
  to: to === undefined ? undefined : iso(to),
});
/** Length of a bar. */
export const intervalArg = (description?: string) =>
  z
    .string()
    .min(1)
    .max(8)
    .meta({
      ...(description && { description }),
      allowed: 'a number of minutes up to 1440m, of hours up to 24h, 1d, 1w or 1M',
    });
/** When a day starts. */
export const alignArg = (description?: string) =>
  z
    .string()
    .min(1)
    .max(64)
    .default('utc')
    .meta({
      ...(description && { description }),
      allowed: 'utc, ny (17:00 in New York) or an IANA time zone such as Europe/London',
    });
/** Number of bars. */
export const barsArg = (max: number, preset: number) =>
  z
    .int()
    .min(1)
    .max(max)
    .default(preset)
    .meta({ allowed: `an integer between 1 and ${max}` });

export const cursorArg = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .meta({ allowed: 'the value of next of an earlier answer' });

/** A cursor that is the time of the oldest item shown, where the next page ends. */
export function beforeCursor(cursor: string): number {
  const time = parseInstant(cursor);
  if (time === null) throw invalidCursor();
  return time;
}

/** A cursor that is the number of items shown so far. */
export function offsetCursor(cursor: string | undefined): number {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) throw invalidCursor();
  return Number(cursor ?? 0);
}

/** The items after the one that a cursor names. */
export function itemsAfter<T>(
  items: readonly T[],
  cursor: string | undefined,
  nameOf: (item: T) => string,
): readonly T[] {
  if (cursor === undefined) return items;
  const at = items.findIndex((item) => nameOf(item) === cursor);
  if (at < 0) throw invalidCursor();
  return items.slice(at + 1);
}

const MAX_TOKENS = 20_000;
/** Only more than the default: less would leave no room for data. */
export const tokensArg = z
  .int()
  .min(ANSWER_TOKENS)
  .max(MAX_TOKENS)
  .default(ANSWER_TOKENS)
  .meta({ allowed: `an integer between ${ANSWER_TOKENS} and ${MAX_TOKENS}` });

export const oneOfArg = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values).meta({ allowed: `one of ${values.join(', ')}` });

/** The envelope of an answer about bars: as fresh as the quotes if it reaches the current time, else as old as its last bar. */
export function ageOf(
  { now }: ServiceReader,
  { envelope }: Freshness,
  to: number | undefined,
  lastBarEnd: number | undefined,
): Freshness['envelope'] {
  if (to === undefined || to >= now) return envelope;
  if (lastBarEnd === undefined) return { ...envelope, as_of: null, age_ms: null, stale: false };
  if (lastBarEnd > now) return envelope;
  return { ...envelope, as_of: iso(lastBarEnd), age_ms: now - lastBarEnd, stale: false };
}

/** The fields of an answer that is as new as its reading. */
export const readNow = (reader: ServiceReader) => ({
  as_of: iso(reader.now),
  age_ms: 0,
  stale: false,
  source: reader.source,
});
