// The choice between simulated and real markets that an operator made in the terminal: a file in the data folder, which
// commands and later starts read. It counts only if no flag, variable or configuration file sets `feeds`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MARKETS, type Markets } from '@tickwire/contract';
import { LIVE } from './feeds.ts';

export const MARKETS_FILE = 'markets.json';

/** The feeds of each choice. */
export const FEEDS_OF: Readonly<Record<Markets, string[]>> = { simulated: ['sim'], live: [LIVE] };

export const marketsText = (markets: Markets): string => `${JSON.stringify({ markets })}\n`;

/** `null` if no choice was made. Throws if the file has none that is known. */
export function storedMarkets(folder: string): Markets | null {
  const file = join(folder, MARKETS_FILE);
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  const stored = MARKETS.find((markets) => text.trim() === marketsText(markets).trim());
  if (stored) return stored;
  throw new Error(`${file} must contain ${MARKETS.map((markets) => marketsText(markets).trim()).join(' or ')}`);
}
