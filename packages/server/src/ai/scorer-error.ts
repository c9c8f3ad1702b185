// Why a model gave no scores. Named, so that whoever asked can tell a full queue from a broken model.

export type ScorerFault =
  /** Too much is waiting already: nothing of the request was taken in. */
  | 'queue_full'
  | 'timed_out'
  /** It broke, or could not be started or reached. */
  | 'failed'
  /** It answered, but not with what was asked for. */
  | 'bad_answer'
  /** It is left alone for a while, after failures or because it asked for it. */
  | 'resting'
  | 'aborted'
  | 'stopped';

export class ScorerError extends Error {
  override name = 'ScorerError';
  readonly fault: ScorerFault;

  constructor(fault: ScorerFault, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.fault = fault;
  }
}
