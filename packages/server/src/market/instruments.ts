// The instruments of the service: the built-in catalogue, extended or replaced by the operator's file.
import { readFileSync } from 'node:fs';
import { INSTRUMENT_TYPES } from '@tickwire/contract';
import { asSymbol, type HoursName, type InstrumentSpec } from '@tickwire/engine';
import { z } from 'zod';
import { type Config, ConfigError } from '../config/config.ts';
import { firstFault } from '../errors/validation.ts';
import { configuredVenues, withVenueInstruments } from './feeds/venues/configured-venues.ts';

export type InstrumentSettings = Pick<Config, 'feeds' | 'venues' | 'instruments'>;

const HOURS = [
  'always',
  'forex',
  'metals',
  'us-index',
  'eu-index',
  'asia-index',
  'energy',
  'us-equity',
] as const satisfies HoursName[];
const MAX_INSTRUMENTS = 10_000;

const InstrumentEntry = z.strictObject({
  symbol: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/, 'must be 1 to 32 letters, digits, dots, dashes or underscores'),
  name: z.string().min(1).max(100),
  type: z.enum(INSTRUMENT_TYPES),
  pip_size: z.number().positive(),
  digits: z.int().min(0).max(10),
  contract_size: z.number().positive(),
  margin_rate: z.number().positive().max(1),
  min_lot: z.number().positive(),
  max_lot: z.number().positive(),
  hours: z.enum(HOURS).default('always'),
});

/** `{"replace": true, "instruments": […]}` replaces the built-in list; without `replace` it extends it. */
const InstrumentFile = z.strictObject({
  replace: z.boolean().default(false),
  instruments: z.array(InstrumentEntry).min(1).max(MAX_INSTRUMENTS),
});

/** The built-in catalogue, the instruments of the configured venues, and the operator's file. */
export function loadInstruments({ feeds, venues, instruments }: InstrumentSettings): readonly InstrumentSpec[] {
  return withFile(instruments, withVenueInstruments(configuredVenues({ feeds, venues })));
}

function withFile(path: string | null, known: readonly InstrumentSpec[]): readonly InstrumentSpec[] {
  if (path === null) return known;
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`instrument file ${path}: ${(error as Error).message}`);
  }
  const parsed = InstrumentFile.safeParse(raw);
  if (!parsed.success) {
    throw new ConfigError(`instrument file ${path}: ${firstFault(parsed.error, InstrumentFile, raw, 'the file')}`);
  }
  const bySymbol = new Map(parsed.data.replace ? [] : known.map((spec) => [spec.symbol, spec]));
  const seen = new Set<string>();
  for (const entry of parsed.data.instruments) {
    const symbol = asSymbol(entry.symbol);
    if (seen.has(symbol)) throw new ConfigError(`instrument file ${path}: duplicate symbol ${symbol}`);
    if (entry.max_lot < entry.min_lot)
      throw new ConfigError(`instrument file ${path}: ${symbol}: max_lot is below min_lot`);
    seen.add(symbol);
    bySymbol.set(symbol, {
      symbol,
      name: entry.name,
      type: entry.type,
      pipSize: entry.pip_size,
      digits: entry.digits,
      contractSize: entry.contract_size,
      marginRate: entry.margin_rate,
      minLot: entry.min_lot,
      maxLot: entry.max_lot,
      hours: entry.hours,
    });
  }
  return [...bySymbol.values()];
}
