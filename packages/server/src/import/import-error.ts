// Why a file cannot be imported at all. A single bad line is not such an error: it is skipped and reported.

export type ImportFault =
  | 'no_such_file'
  | 'empty_file'
  | 'unknown_format'
  | 'unsupported_format'
  | 'ambiguous_format'
  | 'wrong_columns'
  | 'timezone_required'
  | 'unknown_timezone'
  | 'wrong_timezone'
  | 'ambiguous_dates'
  | 'ambiguous_numbers'
  | 'wrong_symbol'
  | 'timeframe_required'
  | 'timeframe_contradiction'
  | 'unsupported_timeframe'
  | 'bar_time_required'
  | 'start_required'
  | 'ask_bars'
  | 'repeated_times'
  | 'skipped_rows'
  | 'finer_than_digits'
  | 'implausible_prices'
  | 'crowded_minute'
  | 'not_replayable'
  | 'truncated_archive'
  | 'damaged_archive'
  | 'encrypted_archive'
  | 'unsupported_archive'
  | 'archive_too_large'
  | 'venue_failed';

/** The message is one line with the problem and what to do about it. It does not contain the file's name. */
export class ImportError extends Error {
  override name = 'ImportError';
  readonly fault: ImportFault;
  /** The file, followed by `!entry` for an entry of an archive; empty until it is known. */
  file = '';

  constructor(fault: ImportFault, message: string) {
    super(message);
    this.fault = fault;
  }

  /** Adds the file's name, unless that has been done already. */
  static in(file: string, error: unknown): unknown {
    if (error instanceof ImportError && error.file === '') {
      error.file = file;
      error.message = `${file}: ${error.message}`;
    }
    return error;
  }
}
