// Why an export cannot be written.

/** The message is one line with the problem and what to do about it. */
export class ExportError extends Error {
  override name = 'ExportError';
}
