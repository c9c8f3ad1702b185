// Files of symbols: one per line, or separated by commas. Lists exported by other programs write `OANDA:EURUSD`.
import { plural } from '@tickwire/contract/plural.ts';

const MAX_SYMBOLS = 2_000;

export interface ReadSymbols {
  /** In the order of the file, each once. */
  readonly symbols: readonly string[];
  /** As they are written in the file. */
  readonly unknown: readonly string[];
}

/** `known`: all symbols, in upper case. A first cell `symbol`, comments (`#`), titles of sections (`###`) and what follows a symbol in its line are skipped. */
export function readSymbols(text: string, known: ReadonlySet<string>): ReadSymbols {
  const symbols = new Set<string>();
  const unknown = new Set<string>();
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  // A table has one symbol per line, in its first column; a plain list may have several.
  const table = /^"?symbol"?\s*([,;\t]|$)/i.test(lines[0] ?? '');
  for (const line of table ? lines.slice(1) : lines) {
    const cells = line.replace(/(^|\s)#(?!#).*$/, '').split(/[,;\t ]+/);
    for (const cell of table ? cells.slice(0, 1) : cells) {
      const written = cell.trim().replaceAll('"', '');
      if (written === '' || written.startsWith('###') || symbols.size + unknown.size >= MAX_SYMBOLS) continue;
      const symbol = (written.split(':').at(-1) ?? '').replaceAll('/', '').toUpperCase();
      if (known.has(symbol)) symbols.add(symbol);
      else unknown.add(written.slice(0, 32));
    }
  }
  return { symbols: [...symbols], unknown: [...unknown] };
}

export const writeSymbols = (symbols: readonly string[]): string =>
  `symbol\n${symbols.map((each) => `${each}\n`).join('')}`;

/** What was imported, in words. Unknown symbols are named, the first ones if there are many. */
export function importText(name: string, { symbols, unknown }: ReadSymbols): string {
  const count = plural(symbols.length, 'instrument');
  const named = unknown.slice(0, 8).join(', ');
  const more = unknown.length > 8 ? ` and ${unknown.length - 8} more` : '';
  const left = unknown.length === 0 ? '' : ` Left out because unknown: ${named}${more}.`;
  return symbols.length === 0 ? `The file has no known symbols.${left}` : `${name}: ${count} imported.${left}`;
}
