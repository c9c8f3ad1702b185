// Kinds of settings. Each kind has the schema that checks a value and the sentence that states what is allowed, so that the two
// cannot disagree. Flags and environment variables are text, the configuration file has JSON.
import { z } from 'zod';

export interface Setting {
  readonly schema: z.ZodType;
  readonly fallback: unknown;
  readonly allowed: string;
  /** Shown by `tickwire serve --help`. */
  readonly help: string;
  /** An invalid value is not repeated in the error message. */
  readonly secret?: boolean;
}

/** The values of a table of settings. A setting without a default is `null` if it is not set. */
export type Values<Table extends Readonly<Record<string, Setting>>> = {
  readonly [Name in keyof Table]:
    | z.output<Table[Name]['schema']>
    | (Table[Name]['fallback'] extends null ? null : never);
};

/** A number or its text. Lists, null and booleans are rejected. */
const number = z.union([z.number(), z.string().transform(Number)]);

export const integerFrom = (min: number, max: number, unit = '') => ({
  schema: number.pipe(z.number().int().min(min).max(max)),
  allowed: `an integer from ${min} to ${max}${unit && ` (${unit})`}`,
});

export const numberFrom = (min: number, max: number, unit = '') => ({
  schema: number.pipe(z.number().min(min).max(max)),
  allowed: `a number ${unit && `of ${unit} `}from ${min} to ${max}`,
});

export const numberAbove0 = (max: number, what = 'a number') => ({
  schema: number.pipe(z.number().gt(0).max(max)),
  allowed: `${what} above 0, up to ${max}`,
});

const MAX_PORT = 65_535;
export const port = { ...integerFrom(0, MAX_PORT), allowed: `a port from 0 to ${MAX_PORT}` };

export const flag = {
  schema: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]),
  allowed: 'true or false',
};

export const choice = <const T extends readonly [string, ...string[]]>(values: T) => ({
  schema: z.enum(values),
  allowed: values.join(', ').replace(/, (?=\w+$)/, ' or '),
});

/** A path, a name or a token. */
export const nonEmpty = (allowed: string) => ({ schema: z.string().min(1), allowed });

/** A list, or words that are separated by commas. */
export const words = z.union([
  z.string().transform((list) =>
    list
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  ),
  z.array(z.string()),
]);

export const httpAddress = z.url({ protocol: /^https?$/ });
