// The operator's own list of sources (JSON): what all lists have in common.
import { readFileSync } from 'node:fs';
import { DAY_MS, SECOND_MS } from '@tickwire/engine';
import { z } from 'zod';
import { ConfigError } from '../config/config.ts';
import { firstFault } from '../errors/validation.ts';

export const DocumentUrl = z
  .string()
  .max(2_048)
  .refine(isHttp, 'must be an http or https address')
  .refine(hasNoPassword, 'must not contain a user name or password, because addresses are logged and displayed');

/** Fields of every list of polled sources: how often, and how publishers can reach the operator (sent in the User-Agent). */
export const pollingFields = (minSeconds: number, defaultSeconds: number) => ({
  interval_seconds: z
    .number()
    .min(minSeconds)
    .max(DAY_MS / SECOND_MS)
    .default(defaultSeconds),
  contact: z
    .string()
    .regex(/^[\x20-\x27\x2a-\x7e]{1,200}$/, 'must be plain ASCII without brackets')
    .nullable()
    .default(null),
});

/** The text of a file. `where` names it in error messages. */
export function readList(path: string, where: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${where}: ${(error as Error).message}`);
  }
}

/** The JSON of a list, as its schema parses it. */
export function parseList<S extends z.ZodType>(text: string, where: string, schema: S): z.output<S> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${where}: ${(error as Error).message}`);
  }
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw new ConfigError(`${where}: ${firstFault(parsed.error, schema, raw, 'the file')}`);
  return parsed.data;
}

function isHttp(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '');
}

function hasNoPassword(address: string): boolean {
  const url = URL.parse(address);
  return !url?.username && !url?.password;
}
