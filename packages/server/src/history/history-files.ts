// Files of bars and ticks over HTTP: written to the cache, then sent in whole or in part. Their rows, and those of long pages of
// JSON, count against the rows per day.
import type { HistoryFormat } from '@tickwire/contract';
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import type { Caller } from '../access/caller.ts';
import type { RowAllowance, RowAllowanceState, TakenRows } from '../access/row-allowance.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type FilePart, selectPart, wantsPart } from '../http/byte-range.ts';
import type { ApiResponse } from '../http/handler.ts';
import { BodyStream } from '../http/streamed-response.ts';
import { PeriodCounts } from '../work/period-counts.ts';
import { endOfRows, TooManyRows } from './tables/counted-rows.ts';
import type { ExportFile, ExportFiles, FileContent } from './tables/export-files.ts';
import { CONTENT_TYPES, type FileFormat } from './tables/table.ts';

/** Rows of one file. A longer range is several files. */
export const MAX_FILE_ROWS = 5_000_000;
/** A longer page of JSON counts against the rows of the day. */
const SHORT_PAGE_ROWS = 500;
/** Shorter bodies are sent with their length; the runtime sends longer ones in chunks. */
const IN_MEMORY_BYTES = 1_048_576;
/** Rows that are written for an account per day at most, as a multiple of those it may download. */
const WRITTEN_FACTOR = 4;
/** Late ticks and backfills change recent history. */
const SETTLED_MS = 15 * MINUTE_MS;

/** A file as it is requested. */
export interface HistoryFile {
  readonly format: FileFormat;
  /** What the content depends on, besides the format. */
  readonly key: string;
  /** Without an extension. */
  readonly name: string;
  /** End of the range in epoch milliseconds. */
  readonly end: number;
  /** Writes at most `maxRows` rows, and throws `TooManyRows` if there are more. */
  readonly write: (maxRows: number) => FileContent;
  /** A narrower request with the rows before a time, in words; `null` if there is none. */
  readonly narrower: (end: number) => string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Rows per day and account. */
export interface RowCounts {
  readonly allowance: RowAllowance;
  readonly now: () => number;
}

export interface HistoryFilesOptions extends RowCounts {
  /** Throws if the caller is a session that must repeat its password first. */
  readonly requireConfirmed: (caller: Caller) => Promise<void>;
  readonly files: ExportFiles;
}

export const isFile = (format: HistoryFormat): format is FileFormat => format !== 'json';

export class HistoryFiles {
  readonly #options: HistoryFilesOptions;
  /** Rows that were written for each account today, sent or not. */
  readonly #written = new PeriodCounts(DAY_MS);

  constructor(options: HistoryFilesOptions) {
    this.#options = options;
  }

  async respond(wanted: HistoryFile, request: Request, caller: Caller): Promise<ApiResponse> {
    const { files, now, requireConfirmed } = this.#options;
    const { account } = caller;
    await requireConfirmed(caller);
    const isPart = wantsPart(request);
    const left = await this.#take(caller, 0);
    // The size of a file can still be asked for.
    if (request.method === 'GET' && left.remaining === 0) throw exhausted(left, null);
    this.#requireWork(caller, left);
    const maxRows = request.method === 'GET' && !isPart ? Math.min(left.remaining, MAX_FILE_ROWS) : MAX_FILE_ROWS;
    const file = await files
      .open({
        key: `${account.publicId} ${wanted.format} ${wanted.key}`,
        maxRows,
        account: account.publicId,
        isPart,
        isSettled: wanted.end < now() - SETTLED_MS,
        signal: request.signal,
        write: () => this.#counted(wanted.write(maxRows), account.publicId),
      })
      .catch((error: unknown) => {
        if (!(error instanceof TooManyRows)) throw error;
        const isOfAllowance = error.limit === left.remaining && left.remaining < MAX_FILE_ROWS;
        throw isOfAllowance ? exhausted(left, error.fits) : tooLong(error);
      });
    try {
      return await this.#send(wanted, file, request, caller);
    } catch (error) {
      file.release();
      throw error;
    }
  }

  async #send(wanted: HistoryFile, file: ExportFile, request: Request, caller: Caller): Promise<ApiResponse> {
    const { size, summary } = file;
    const etag = `"${file.tag}"`;
    const part = selectPart(request, size, etag);
    const isSent = request.method === 'GET' && part.status !== 304;
    const rowsOf = (bytes: number): number => (size === 0 ? 0 : Math.ceil((summary.rows * bytes) / size));
    const cost = isSent ? rowsOf(part.end - part.start) : 0;
    const taken = await this.#take(caller, cost);
    if (!taken.granted) {
      const end = endOfRows(summary.marks, taken.remaining);
      throw exhausted(taken, end === null ? null : wanted.narrower(end));
    }
    const headers = {
      ...wanted.headers,
      ...allowanceHeaders(taken),
      'Content-Type': CONTENT_TYPES[wanted.format],
      'Content-Disposition': `attachment; filename="${wanted.name}.${wanted.format}"`,
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept',
      ETag: etag,
      'Accept-Ranges': 'bytes',
      'Export-Rows': `${summary.rows}`,
      'Export-Gaps': `${summary.gaps}`,
      ...(part.status === 206 && { 'Content-Range': `bytes ${part.start}-${part.end - 1}/${size}` }),
    };
    const { status } = part;
    if (!isSent) {
      file.release();
      const length: Record<string, string> = status === 304 ? {} : { 'Content-Length': `${size}` };
      return { status, body: null, headers: { ...headers, ...length } };
    }
    if (part.end - part.start <= IN_MEMORY_BYTES) {
      const body = await bytesOf(file, part);
      file.release();
      return { status, body, headers };
    }
    return { status, body: streamOf(file, part, (sent) => taken.giveBack(cost - rowsOf(sent))), headers };
  }

  /** Writing a file is work even if little of it is sent: sizes, parts, and files that turn out to be too long. */
  #requireWork({ account }: Caller, { limit, resetSeconds }: RowAllowanceState): void {
    const used = this.#written.get(account.publicId, this.#options.now());
    if (used <= WRITTEN_FACTOR * limit) return;
    const why = `The service has written ${used} rows for your account today, for files of which little was sent.`;
    throw new ServiceError('too_many_downloads', why, { retryAfterSeconds: resetSeconds });
  }

  #counted({ pieces, summary }: FileContent, account: string): FileContent {
    const count = () => this.#written.add(account, summary().rows, this.#options.now());
    const written = async function* (): AsyncGenerator<Uint8Array, void, void> {
      try {
        yield* pieces;
      } finally {
        count();
      }
    };
    return { pieces: written(), summary };
  }

  #take(caller: Caller, rows: number): Promise<TakenRows> {
    return takeRows(this.#options, caller, rows);
  }
}

/**
 * Counts the rows of a page of JSON like those of a file, unless it is a short one. Returns headers of the response; throws if
 * they exceed what is left of the day.
 */
export async function countPage(counts: RowCounts, caller: Caller, rows: number): Promise<Record<string, string>> {
  if (rows <= SHORT_PAGE_ROWS) return {};
  const taken = await takeRows(counts, caller, rows);
  if (!taken.granted) throw exhausted(taken, null);
  return allowanceHeaders(taken);
}

const takeRows = ({ allowance, now }: RowCounts, { account }: Caller, rows: number): Promise<TakenRows> =>
  allowance.take(account.publicId, account.tier.export_rows_per_day, rows, now());

async function bytesOf(file: ExportFile, { start, end }: FilePart): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(end - start);
  let at = 0;
  for await (const piece of file.read(start, end)) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** `onEnd` gets the number of bytes that were sent, however the download ended. */
function streamOf(
  file: ExportFile,
  { start, end }: FilePart,
  onEnd: (sent: number) => Promise<void>,
): ReadableStream<Uint8Array> {
  let sent = 0;
  async function* chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
    for await (const piece of file.read(start, end)) {
      sent += piece.length;
      yield piece;
    }
  }
  const release = (): void => {
    file.release();
    void onEnd(sent);
  };
  return new BodyStream(chunks, release).open();
}

const allowanceHeaders = ({ limit, remaining, resetSeconds }: RowAllowanceState): Record<string, string> => ({
  'Export-Rows-Limit': `${limit}`,
  'Export-Rows-Remaining': `${remaining}`,
  'Export-Rows-Reset': `${resetSeconds}`,
});

function exhausted(state: RowAllowanceState, fits: string | null): ServiceError {
  const { limit, remaining, resetSeconds } = state;
  const narrower = fits === null ? '' : ` A narrower range fits: ${fits}.`;
  return new ServiceError(
    'export_rows_exhausted',
    `Your tier allows ${limit} rows in files and long pages per day, and ${remaining} are left. The count resets in ${resetSeconds} s, at 00:00 UTC.${narrower}`,
    { headers: allowanceHeaders(state), retryAfterSeconds: resetSeconds },
  );
}

function tooLong({ limit, fits }: TooManyRows): ServiceError {
  const allowed = `a range with at most ${limit} rows${fits === null ? '' : `; this one fits: ${fits}`}`;
  return new ServiceError('invalid_parameter', `The range is too long for one file. Request ${allowed}.`, {
    errors: [{ parameter: 'to', value: null, allowed }],
  });
}
