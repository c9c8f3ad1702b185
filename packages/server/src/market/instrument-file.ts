// The operator's file of instruments: read when a process starts, written by `tickwire instruments`.
//
// An entry for a known instrument may have only the fields that it changes. An entry for a new one needs all of them.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { INSTRUMENT_TYPES, SYMBOL_PATTERN } from '@tickwire/contract';
import { asSymbol, contractOf, HOURS_NAMES, type InstrumentSpec } from '@tickwire/engine';
import { z } from 'zod';
import { type Config, ConfigError } from '../config/config.ts';
import { instrumentFilePath } from '../config/instrument-file-path.ts';
import { firstFault } from '../errors/validation.ts';

const MAX_INSTRUMENTS = 10_000;

const InstrumentEntry = z.strictObject({
  symbol: z.string().regex(SYMBOL_PATTERN, 'must be 1 to 32 letters, digits, dots, dashes or underscores'),
  name: z.string().min(1).max(100),
  type: z.enum(INSTRUMENT_TYPES),
  pip_size: z.number().positive(),
  digits: z.int().min(0).max(10),
  level_size: z.number().positive().optional(),
  contract_size: z.number().positive(),
  contract_unit: z.string().min(1).max(40).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3,5}$/, 'must be a currency such as USD')
    .optional(),
  margin_rate: z.number().positive().max(1),
  min_lot: z.number().positive(),
  max_lot: z.number().positive(),
  hours: z.enum(HOURS_NAMES).optional(),
  bars: z.enum(['quotes', 'trades']).optional(),
  contract: z.literal('perpetual').optional(),
  underlying: z.string().min(1).max(32).optional(),
  venue: z.string().min(1).max(40).optional(),
});
const PartialEntry = InstrumentEntry.partial().required({ symbol: true });
export type InstrumentEntry = z.infer<typeof PartialEntry>;

/** `{"replace": true, "instruments": […]}` replaces the built-in list; without `replace` it extends it. */
const InstrumentFile = z.strictObject({
  replace: z.boolean().default(false),
  instruments: z.array(PartialEntry).min(1).max(MAX_INSTRUMENTS),
});
export type InstrumentFile = z.infer<typeof InstrumentFile>;

/** `null` if there is none. A configured file must exist. */
export function readInstrumentFile(settings: Pick<Config, 'instruments' | 'data'>): InstrumentFile | null {
  const path = instrumentFilePath(settings);
  if (settings.instruments === null && !existsSync(path)) return null;
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`instrument file ${path}: ${(error as Error).message}`);
  }
  return parseFile(path, raw);
}

/** Checks the file as a reader would, against the instruments it extends, and replaces it in one step. */
export function writeInstrumentFile(path: string, file: InstrumentFile, known: readonly InstrumentSpec[]): void {
  applyInstrumentFile(path, parseFile(path, file), known);
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.new`;
  writeFileSync(temporary, `${JSON.stringify(file, null, 2)}\n`);
  renameSync(temporary, path);
}

function parseFile(path: string, raw: unknown): InstrumentFile {
  const parsed = InstrumentFile.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new ConfigError(`instrument file ${path}: ${firstFault(parsed.error, InstrumentFile, raw, 'the file')}`);
}

/** The known instruments, extended or replaced by those of the file. */
export function applyInstrumentFile(
  path: string,
  file: InstrumentFile,
  known: readonly InstrumentSpec[],
): readonly InstrumentSpec[] {
  const builtIn = new Map(known.map((spec) => [spec.symbol, spec]));
  const result = new Map(file.replace ? [] : builtIn);
  const seen = new Set<string>();
  file.instruments.forEach((entry, index) => {
    const symbol = asSymbol(entry.symbol);
    if (seen.has(symbol)) throw new ConfigError(`instrument file ${path}: duplicate symbol ${symbol}`);
    seen.add(symbol);
    const base = builtIn.get(symbol);
    const complete = InstrumentEntry.safeParse({ ...(base && entryOf(base)), ...entry });
    if (!complete.success) {
      const [fault] = complete.error.issues;
      throw new ConfigError(
        `instrument file ${path}: instruments.${index}.${fault!.path.join('.')} is missing: ${symbol} is not a known instrument, so it needs every field`,
      );
    }
    if (complete.data.max_lot < complete.data.min_lot)
      throw new ConfigError(`instrument file ${path}: ${symbol}: max_lot is below min_lot`);
    result.set(symbol, specOf(complete.data, base && !changesTerms(entry) ? base.source : undefined));
  });
  return [...result.values()];
}

/** Whether the terms are no longer those of the public specifications. */
const changesTerms = ({
  symbol: _symbol,
  level_size: _level,
  bars: _bars,
  hours: _hours,
  name: _name,
  contract: _contract,
  underlying: _underlying,
  venue: _venue,
  ...terms
}: InstrumentEntry): boolean => Object.keys(terms).length > 0;

/** Without `bars`: what a feed declares may change with the feeds. */
const entryOf = (spec: InstrumentSpec): z.infer<typeof InstrumentEntry> => ({
  symbol: spec.symbol,
  name: spec.name,
  type: spec.type,
  pip_size: spec.pipSize,
  digits: spec.digits,
  ...(spec.levelSize !== undefined && { level_size: spec.levelSize }),
  contract_size: spec.contractSize,
  ...(spec.contractUnit !== undefined && { contract_unit: spec.contractUnit }),
  ...(spec.currency !== undefined && { currency: spec.currency }),
  margin_rate: spec.marginRate,
  min_lot: spec.minLot,
  max_lot: spec.maxLot,
  hours: spec.hours,
  ...contractOf(spec),
});

const specOf = (entry: z.infer<typeof InstrumentEntry>, source: string | undefined): InstrumentSpec => ({
  symbol: asSymbol(entry.symbol),
  name: entry.name,
  type: entry.type,
  pipSize: entry.pip_size,
  digits: entry.digits,
  ...(entry.level_size !== undefined && { levelSize: entry.level_size }),
  contractSize: entry.contract_size,
  ...(entry.contract_unit !== undefined && { contractUnit: entry.contract_unit }),
  ...(entry.currency !== undefined && { currency: entry.currency }),
  marginRate: entry.margin_rate,
  minLot: entry.min_lot,
  maxLot: entry.max_lot,
  hours: entry.hours ?? 'always',
  ...(entry.bars !== undefined && { bars: entry.bars }),
  ...contractOf(entry),
  ...(source !== undefined && { source }),
});
