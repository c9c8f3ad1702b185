// Where the ticks of a realm are: in its folder and store, or at a remote service, from which they are downloaded.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MarketSymbol } from '@tickwire/engine';
import type { TapeBlock } from '../../store/market-store.ts';
import { evidencePath, readEvidence } from './evidence-file.ts';
import type { EvidenceLine } from './evidence-line.ts';
import { hasTapeDay, type ReadBlocks, readTapeDay } from './read-tape-day.ts';
import type { RemoteService } from './remote-service.ts';

export interface TickFiles {
  /** Path of the sealed file of a day; `null` if there is none. */
  sealed(symbol: string, day: string): Promise<string | null>;
  hasTape(symbol: MarketSymbol, day: string): Promise<boolean>;
  /** Ticks on the tape in order of seq, in batches; those after `afterSeq` only, if the sealed file has the others. */
  readTape(symbol: MarketSymbol, day: string, afterSeq: number): AsyncGenerator<EvidenceLine[], void, undefined>;
}

export interface LocalTape {
  /** Folder of the realm; `null` if there are no files. */
  readonly folder: string | null;
  readonly read: ReadBlocks;
  /** Blocks that cannot be read, on all days. */
  readonly damaged: () => AsyncIterable<TapeBlock>;
}

export interface RemoteTape {
  readonly service: RemoteService;
  /** An empty folder for downloads. */
  readonly downloads: string;
}

export type TapeLocation = LocalTape | RemoteTape;

export const openTickFiles = (tape: TapeLocation): TickFiles =>
  'service' in tape ? new RemoteTickFiles(tape) : localTickFiles(tape);

const localTickFiles = ({ folder, read }: LocalTape): TickFiles => ({
  async sealed(symbol, day) {
    const path = folder && evidencePath(folder, day, symbol);
    return path !== null && existsSync(path) ? path : null;
  },
  hasTape: (symbol, day) => hasTapeDay(read, symbol, day),
  readTape: (symbol, day, afterSeq) => readTapeDay(read, symbol, day, afterSeq),
});

/** Downloads each day once. File names are numbers, because the service chooses the symbols. */
class RemoteTickFiles implements TickFiles {
  readonly #tape: RemoteTape;
  readonly #tapes = new Map<string, string | null>();
  #files = 0;

  constructor(tape: RemoteTape) {
    this.#tape = tape;
  }

  async sealed(symbol: string, day: string): Promise<string | null> {
    const { file, source } = await this.#download(symbol, day, '');
    if (source === 'sealed') return file;
    // The service no longer has the sealed file, but still the tape.
    this.#tapes.set(`${day} ${symbol}`, file);
    return null;
  }

  async hasTape(symbol: MarketSymbol, day: string): Promise<boolean> {
    return (await this.#tapeOf(symbol, day)) !== null;
  }

  async *readTape(
    symbol: MarketSymbol,
    day: string,
    afterSeq: number,
  ): AsyncGenerator<EvidenceLine[], void, undefined> {
    const file =
      afterSeq < 0 ? await this.#tapeOf(symbol, day) : (await this.#download(symbol, day, `?after=${afterSeq}`)).file;
    if (file !== null) yield* readEvidence(file);
  }

  async #tapeOf(symbol: string, day: string): Promise<string | null> {
    const name = `${day} ${symbol}`;
    const known = this.#tapes.get(name);
    if (known !== undefined) return known;
    // 0 is below every seq: the tape, even if the day has been sealed meanwhile.
    const { file } = await this.#download(symbol, day, '?after=0');
    this.#tapes.set(name, file);
    return file;
  }

  async #download(symbol: string, day: string, query: string): Promise<{ file: string | null; source: string | null }> {
    const { service, downloads } = this.#tape;
    const file = join(downloads, `${this.#files++}.jsonl.gz`);
    const path = `/api/evidence/${encodeURIComponent(day)}/${encodeURIComponent(symbol)}${query}`;
    const headers = await service.download(path, file);
    return headers ? { file, source: headers.get('evidence-source') } : { file: null, source: null };
  }
}
