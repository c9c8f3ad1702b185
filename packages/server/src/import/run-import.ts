// Runs an import: reads the files, writes the rows, reports progress. Rows before an error stay imported.
import { statSync } from 'node:fs';
import type { InstrumentSpec } from '@tickwire/engine';
import type { MarketStore } from '../store/store.ts';
import { ImportError } from './import-error.ts';
import type { ImportReport } from './import-report.ts';
import { ImportWriter, type WriteCounts } from './import-writer.ts';
import { type ReadOptions, readImport } from './read-files.ts';
import { recoverBars } from './recover-bars.ts';

export interface ImportPlan {
  readonly files: readonly string[];
  readonly options: Omit<ReadOptions, 'symbol' | 'digits' | 'hours'>;
  readonly instrument: InstrumentSpec;
  /** All instruments of the service. */
  readonly instruments: readonly InstrumentSpec[];
  readonly store: MarketStore;
  readonly spikePercent?: number | null;
  /** Stops after the current batch. Written rows stay, and the import can be repeated. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number, rows: number) => void;
}

export interface ImportOutcome {
  readonly report: ImportReport;
  readonly written: WriteCounts;
  readonly sides: { readonly byQuoteRule: number; readonly byTickRule: number };
  readonly interrupted: boolean;
  /** Whether price spikes were imported. */
  readonly spikesKept: boolean;
  /** Why not all files could be read; `null` if they could. */
  readonly fault: ImportError | null;
}

export async function runImport(plan: ImportPlan): Promise<ImportOutcome> {
  const { files, options, instrument, store, signal, onProgress } = plan;
  const sizes = sizesOf(files);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  await recoverBars(store, plan.instruments);
  const writer = await ImportWriter.open({ store, instrument, spikePercent: plan.spikePercent ?? null });
  const { symbol, digits, hours } = instrument;
  const { batches, report } = readImport(files, { ...options, symbol, digits, hours });
  let fault: ImportError | null = null;
  let interrupted = false;
  let entry = '';
  let before = 0;
  let inFile = { size: 0, path: '' };
  try {
    for await (const { file, rows, bytesRead, bytesTotal } of batches) {
      if (file !== entry) {
        await writer.endFile();
        entry = file;
        const path = file.split('!')[0]!;
        if (path !== inFile.path) {
          before += inFile.size;
          inFile = { path, size: bytesTotal };
        }
      }
      await writer.add(rows);
      onProgress?.(before + bytesRead, total, report.rows);
      if (signal?.aborted) {
        interrupted = true;
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    fault = error;
  }
  if (!interrupted) await writer.endFile();
  const { byQuoteRule, byTickRule } = writer.events;
  const spikesKept = (plan.spikePercent ?? null) === null;
  return { report, written: writer.written, sides: { byQuoteRule, byTickRule }, interrupted, spikesKept, fault };
}

/** A missing file counts as 0 here; the reader reports it. */
const sizesOf = (files: readonly string[]): Map<string, number> =>
  new Map(files.map((file) => [file, statSync(file, { throwIfNoEntry: false })?.size ?? 0]));
