// Why a file as a whole cannot be read. A single bad line is never one of these: it is skipped and reported.

export type ImportFault =
  | 'no_such_file'
  | 'empty_file'
  | 'unknown_format'
  | 'ambiguous_format'
  | 'wrong_columns'
  | 'timezone_required'
  | 'unknown_timezone'
  | 'timeframe_required'
  | 'unsupported_timeframe'
  | 'start_required'
  | 'ask_bars'
  | 'crowded_minute'
  | 'not_replayable'
  | 'truncated_archive'
  | 'damaged_archive'
  | 'encrypted_archive'
  | 'unsupported_archive'
  | 'archive_too_large';

/** The message is one line that says what is wrong and what to do about it, without the file's name. */
export class ImportError extends Error {
  override name = 'ImportError';
  readonly fault: ImportFault;
  /** The file, with `!entry` for one inside an archive; set where it is known. */
  file = '';

  constructor(fault: ImportFault, message: string) {
    super(message);
    this.fault = fault;
  }

  /** Names the file once, whoever catches it first. */
  static in(file: string, error: unknown): unknown {
    if (error instanceof ImportError && error.file === '') {
      error.file = file;
      error.message = `${file}: ${error.message}`;
    }
    return error;
  }
}
