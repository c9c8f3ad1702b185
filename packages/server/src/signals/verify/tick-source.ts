// Finds the ticks of a realm by day: in the sealed file if the day is sealed and intact, otherwise on the tape.
import { existsSync } from 'node:fs';
import type { TapeSeal } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { sealName } from './check-log.ts';
import { evidencePath, hashEvidence, readEvidence } from './evidence-file.ts';
import type { EvidenceLine } from './evidence-line.ts';
import type { Findings } from './findings.ts';
import { hasTapeDay, type ReadBlocks, readTapeDay } from './read-tape-day.ts';

/** Why the ticks of a day are not available. */
export type MissingReason = 'tape_gone' | 'evidence_damaged';

export interface TickSourceOptions {
  /** Folder of the realm; `null` if there are no files. */
  readonly folder: string | null;
  readonly read: ReadBlocks;
  readonly findings: Findings;
}

export class TickSource {
  /** Number of sealed files that match the log, and of those that do not exist. */
  intact = 0;
  absent = 0;
  readonly #options: TickSourceOptions;
  readonly #files = new Map<string, string>();
  readonly #damaged = new Set<string>();
  readonly #onTape = new Map<string, boolean>();

  constructor(options: TickSourceOptions) {
    this.#options = options;
  }

  /** Checks every sealed file against the log. */
  async checkSeals(seals: Iterable<TapeSeal>, onProgress: () => void = () => {}): Promise<void> {
    for (const seal of seals) {
      await this.#checkSeal(seal);
      onProgress();
    }
  }

  async missingReason(symbol: MarketSymbol, day: string): Promise<MissingReason | null> {
    const name = sealName(symbol, day);
    if (this.#files.has(name) || (await this.#hasTapeDay(symbol, day))) return null;
    return this.#damaged.has(name) ? 'evidence_damaged' : 'tape_gone';
  }

  /** The ticks of a day in order of seq, in batches. */
  async *readDay(symbol: MarketSymbol, day: string): AsyncGenerator<EvidenceLine[], void, undefined> {
    const { read } = this.#options;
    const file = this.#files.get(sealName(symbol, day));
    let last = -1;
    if (file !== undefined) {
      for await (const lines of readEvidence(file)) {
        last = lines.at(-1)!.seq;
        yield lines;
      }
    }
    // Ticks that came after the sealing have a higher seq and blocks of their own.
    yield* readTapeDay(read, symbol, day, last);
  }

  async #checkSeal({ n, symbol, day, ticks, sha256 }: TapeSeal): Promise<void> {
    const { folder, findings } = this.#options;
    const path = folder && evidencePath(folder, day, symbol);
    if (path === null || !existsSync(path)) {
      this.absent++;
      return;
    }
    const wrong = await hashEvidence(path).then(
      (content) =>
        content.sha256 !== sha256
          ? `the content of ${path} has the hash ${content.sha256}, the log has ${sha256}`
          : content.ticks !== ticks
            ? `${path} has ${content.ticks} ticks, the log has ${ticks}`
            : null,
      (error: Error) => `${path} cannot be read: ${error.message}`,
    );
    if (wrong === null) {
      this.intact++;
      this.#files.set(sealName(symbol, day), path);
    } else {
      findings.add({ n, code: 'sealed_file', message: wrong });
      this.#damaged.add(sealName(symbol, day));
    }
  }

  async #hasTapeDay(symbol: MarketSymbol, day: string): Promise<boolean> {
    const name = sealName(symbol, day);
    const known = this.#onTape.get(name);
    if (known !== undefined) return known;
    const found = await hasTapeDay(this.#options.read, symbol, day);
    this.#onTape.set(name, found);
    return found;
  }
}
