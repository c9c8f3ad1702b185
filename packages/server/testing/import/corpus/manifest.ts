// The corpus: small files in the layouts of real sources, each with the command that imports it and what must be stored, or
// the text of the refusal. `write-files.ts` writes the files.
import { BROKERS } from './brokers.ts';
import { CRYPTO } from './crypto.ts';
import type { CorpusEntry } from './entry.ts';
import { GENERIC } from './generic.ts';
import { LEAN } from './lean.ts';
import { RULES } from './rules.ts';
import { TOOLS } from './tools.ts';
import { VENDORS } from './vendors.ts';
import { VOLUMES } from './volumes.ts';

export const CORPUS: readonly CorpusEntry[] = [
  ...BROKERS,
  ...CRYPTO,
  ...TOOLS,
  ...LEAN,
  ...GENERIC,
  ...RULES,
  ...VENDORS,
  ...VOLUMES,
];
