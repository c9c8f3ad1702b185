// Runs the export of one dataset: decides on its range and its files, checks that none of them exists, and writes them one
// after the other. One that was interrupted continues after its last complete file.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LongestGaps } from '@tickwire/engine';
import { fileError, writeAtomically } from './atomic-file.ts';
import { ExportError } from './export-error.ts';
import { type CompleteFile, ExportJournal, type ExportRequest } from './export-journal.ts';
import { ExportedRows } from './exported-rows.ts';
import { type Batches, type Dataset, type Layout, type OutputFile, type Row, rowTime } from './layouts/layout.ts';

/** Start times of rows. */
export interface RowBounds {
  /** The first row that can be exported. */
  readonly first: number;
  /** The first row that is stored. Simulated markets compute those before it; they are exported only if asked for. */
  readonly firstStored: number;
  readonly last: number;
}

export interface ExportSource {
  /** `null` if there are no rows. */
  bounds(dataset: Dataset): Promise<RowBounds | null>;
  /** Rows from `from` (inclusive) to `to` (exclusive), ascending. `onCrossed`: how many crossed quotes were left out. */
  rows(dataset: Dataset, from: number, to: number, onCrossed: (count: number) => void): Batches;
}

export interface ExportPlan {
  readonly dataset: Dataset;
  /** Identifies the dataset among the files of a folder. */
  readonly name: string;
  readonly layout: Layout;
  readonly source: ExportSource;
  readonly folder: string;
  /** The range asked for, from inclusive, to exclusive; `null`: from the first stored row, to the last one. */
  readonly from: number | null;
  readonly to: number | null;
  /** What identifies the export, besides the range. */
  readonly request: ExportRequest;
  /** Replace files that exist. */
  readonly force: boolean;
  /** Stops after the current piece of a file. Complete files stay. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number, rows: number) => void;
}

export interface ExportOutcome {
  readonly rows: number;
  readonly bytes: number;
  /** Paths of the files, relative to the folder, in the order of time. */
  readonly files: readonly string[];
  /** How many of them an earlier, interrupted export had written. */
  readonly kept: number;
  /** Start times of the first and the last row; `null` without rows. */
  readonly first: number | null;
  readonly last: number | null;
  /** Bars that are made of bid prices, not of trades. */
  readonly bidBars: number;
  /** Crossed quotes that were left out. */
  readonly crossed: number;
  /** Decimals of the prices, at least those of the instrument. */
  readonly digits: number;
  /** While the market was open. */
  readonly gaps: Pick<LongestGaps, 'count' | 'longest'>;
  readonly interrupted: boolean;
  /** What can be exported; `null` if nothing. */
  readonly bounds: RowBounds | null;
}

export async function runExport(plan: ExportPlan): Promise<ExportOutcome> {
  const journal = new ExportJournal(plan.folder, plan.name);
  const request = { ...plan.request, from: plan.from, to: plan.to };
  const isContinued = !plan.force && journal.continues(request);
  const bounds = await plan.source.bounds(plan.dataset);
  const range = isContinued ? journal.earlier! : rangeOf(plan, bounds);
  if (!range) return { ...outcomeOf(plan, []), bounds };
  const known = isContinued ? completeFiles(plan.folder, journal) : new Map<string, CompleteFile>();
  makeFolder(plan.folder);
  // When the interrupted export began, none of its files existed; the last one may have been completed, but not noted.
  if (!plan.force && !isContinued) requireNoFile(plan, range, journal.earlier !== null);
  journal.open({ request, from: range.from, to: range.to }, isContinued);
  const run = new ExportRun(plan, range, journal, known);
  try {
    await run.writeAll();
    if (!run.interrupted) journal.delete();
    const { files, kept, interrupted } = run;
    return { ...outcomeOf(plan, files), kept, interrupted, bounds };
  } catch (error) {
    if (error instanceof ExportError && run.files.length > 0)
      error.message += `; the ${run.files.length} files before it are complete. Repeat the command to continue`;
    throw error;
  } finally {
    journal.close();
  }
}

const MAX_GAPS = 10;

interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The part of the range that has rows. Files of empty months before and after it need not be tried. */
function rangeOf({ from, to }: ExportPlan, bounds: RowBounds | null): TimeRange | null {
  if (!bounds) return null;
  const range = {
    from: Math.max(from ?? bounds.firstStored, bounds.first),
    to: Math.min(to ?? Number.POSITIVE_INFINITY, bounds.last + 1),
  };
  return range.from < range.to ? range : null;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw fileError(folder, error);
  }
}

/** Files that the earlier export has completed and that are still there. */
function completeFiles(folder: string, { earlier }: ExportJournal): Map<string, CompleteFile> {
  const sizeOf = (path: string): number => statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0;
  return new Map([...earlier!.files].filter(([path, { bytes }]) => sizeOf(path) === bytes));
}

function requireNoFile({ layout, folder, name }: ExportPlan, { from, to }: TimeRange, isOther: boolean): void {
  const existing: string[] = [];
  for (const { path } of layout.files(from, to))
    if (statSync(join(folder, path), { throwIfNoEntry: false })) existing.push(path);
  if (existing.length > 0) {
    const more = existing.length > 1 ? ` and ${existing.length - 1} more of its files` : '';
    const advice = isOther
      ? `an export of ${name} with other options was interrupted: repeat it with the same options to continue it, or add --force to replace its files`
      : `add --force to replace ${more ? 'them' : 'it'}, or choose another folder`;
    throw new ExportError(`${join(folder, existing[0]!)}${more} already exist${more ? '' : 's'}; ${advice}`);
  }
}

function outcomeOf(plan: ExportPlan, files: readonly CompleteFile[]): Omit<ExportOutcome, 'bounds'> {
  const sum = (of: (file: CompleteFile) => number): number => files.reduce((total, file) => total + of(file), 0);
  const gaps = files.flatMap(({ longestGaps }) => longestGaps).sort((a, b) => b.openMs - a.openMs);
  return {
    rows: sum(({ rows }) => rows),
    bytes: sum(({ bytes }) => bytes),
    files: files.map(({ path }) => path),
    kept: 0,
    first: files.length > 0 ? Math.min(...files.map(({ first }) => first)) : null,
    last: files.length > 0 ? Math.max(...files.map(({ last }) => last)) : null,
    bidBars: sum(({ bidBars }) => bidBars),
    crossed: sum(({ crossed }) => crossed),
    digits: Math.max(plan.dataset.instrument.digits, ...files.map(({ digits }) => digits)),
    gaps: { count: sum((file) => file.gaps), longest: gaps.slice(0, MAX_GAPS) },
    interrupted: false,
  };
}

class ExportRun {
  interrupted = false;
  kept = 0;
  readonly files: CompleteFile[] = [];
  readonly #plan: ExportPlan;
  readonly #range: TimeRange;
  readonly #journal: ExportJournal;
  readonly #known: ReadonlyMap<string, CompleteFile>;
  readonly #gaps: LongestGaps;

  constructor(plan: ExportPlan, range: TimeRange, journal: ExportJournal, known: ReadonlyMap<string, CompleteFile>) {
    this.#plan = plan;
    this.#range = range;
    this.#journal = journal;
    this.#known = known;
    this.#gaps = new LongestGaps(plan.dataset.instrument.hours);
  }

  async writeAll(): Promise<void> {
    let period = Number.NaN;
    let others = 0;
    for (const file of this.#plan.layout.files(this.#range.from, this.#range.to)) {
      // A further file of the same period is needed only for rows that the one before did not take.
      if (file.from === period && others === 0) continue;
      const isFirst = file.from !== period;
      period = file.from;
      try {
        others = await this.#writeFile(file, isFirst);
      } catch (error) {
        if (!this.#plan.signal?.aborted) throw error;
        this.interrupted = true;
        return;
      }
    }
  }

  /** Returns how many rows of its period belong into another file. */
  async #writeFile(file: OutputFile, isFirst: boolean): Promise<number> {
    const { dataset, folder, signal } = this.#plan;
    const known = this.#known.get(file.path);
    if (known) {
      this.kept++;
      this.files.push(known);
      // Its own gaps are known.
      this.#gaps.add(known.first, Math.max(1, known.until - known.first));
      return known.others;
    }
    const { count: gapsBefore, longest: longestBefore } = { count: this.#gaps.count, longest: [...this.#gaps.longest] };
    const counter = new ExportedRows(dataset, file, isFirst ? this.#gaps : null);
    let crossed = 0;
    const onCrossed = (count: number): void => {
      crossed += count;
    };
    const rows = await counter.start(this.#read(file, onCrossed));
    if (!rows) return counter.others;
    const bytes = await writeAtomically(join(folder, file.path), file.encode(rows), signal);
    const complete: CompleteFile = {
      ...counter,
      path: file.path,
      bytes,
      crossed,
      gaps: this.#gaps.count - gapsBefore,
      longestGaps: this.#gaps.longest.filter((gap) => !longestBefore.includes(gap)),
    };
    this.#journal.add(complete);
    this.files.push(complete);
    return counter.others;
  }

  async *#read({ from, to }: OutputFile, onCrossed: (count: number) => void): AsyncGenerator<readonly Row[]> {
    const { source, dataset, signal, onProgress } = this.#plan;
    const total = this.#range.to - this.#range.from;
    let rows = this.files.reduce((sum, file) => sum + file.rows, 0);
    for await (const batch of source.rows(dataset, from, to, onCrossed)) {
      signal?.throwIfAborted();
      if (batch.length === 0) continue;
      yield batch;
      rows += batch.length;
      onProgress?.(rowTime(batch.at(-1)!) - this.#range.from, total, rows);
    }
  }
}
