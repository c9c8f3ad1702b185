// Finds the evidence of a day for readers outside: the sealed file, or the ticks on the tape in the same format.
import { createReadStream, existsSync } from 'node:fs';
import type { TapeSeal } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { withStoreErrors } from '../errors/store-error.ts';
import { type Chunks, gzipChunks } from '../ops/gzip-stream.ts';
import type { Store } from '../store/store.ts';
import { parseRecord } from './log-records.ts';
import { evidencePath, evidenceText } from './verify/evidence-file.ts';
import type { EvidenceLine } from './verify/evidence-line.ts';
import { damagedBlockOf, hasTapeDay, type ReadBlocks, readTapeDay } from './verify/read-tape-day.ts';

export interface EvidenceOfDay {
  /** SHA-256 of the uncompressed lines if it is the sealed file, otherwise `null`. */
  readonly sha256: string | null;
  /** The lines in gzip. */
  readonly chunks: () => Chunks;
}

export interface EvidenceArchiveOptions {
  readonly store: Pick<Store, 'market' | 'signals'>;
  /** Folder of the realm. */
  readonly folder: string;
}

export class EvidenceArchive {
  readonly #options: EvidenceArchiveOptions;
  readonly #read: ReadBlocks;

  constructor(options: EvidenceArchiveOptions) {
    this.#options = options;
    this.#read = (symbol, from, to) => options.store.market.tapeOf(symbol, from, to);
  }

  /**
   * The sealed file, if the day is sealed and this node has the file. `code` need not be an instrument: a path is only made of
   * symbols that are in the log.
   */
  async sealed(day: string, code: string): Promise<EvidenceOfDay | null> {
    const { store, folder } = this.#options;
    const [seal] = await withStoreErrors(() => store.signals.seals(code, day, day));
    if (!seal) return null;
    const { symbol, sha256 } = parseRecord<TapeSeal>(seal);
    const path = evidencePath(folder, day, symbol);
    if (!existsSync(path)) return null;
    return { sha256, chunks: () => createReadStream(path)[Symbol.asyncIterator]() as unknown as Chunks };
  }

  /** Ticks on the tape with a seq above `after`; `null` if the tape has none of that day, or is damaged. */
  async onTape(day: string, symbol: MarketSymbol, after: number): Promise<EvidenceOfDay | null> {
    if (!(await withStoreErrors(() => hasTapeDay(this.#read, symbol, day)))) return null;
    if (await withStoreErrors(() => damagedBlockOf(this.#read, symbol, day))) return null;
    const texts = async function* (read: ReadBlocks): AsyncGenerator<string> {
      for await (const lines of readTapeDay(read, symbol, day)) yield evidenceText(linesAfter(lines, after));
    };
    return { sha256: null, chunks: () => gzipChunks(texts(this.#read)) };
  }
}

const linesAfter = (lines: readonly EvidenceLine[], after: number): readonly EvidenceLine[] =>
  lines[0]!.seq > after ? lines : lines.filter(({ seq }) => seq > after);
