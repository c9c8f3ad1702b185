// What the chart hands over to the publish form.

export interface PublishDraft {
  readonly symbol: string;
  readonly direction: 'buy' | 'sell';
  /** Without it, a market order. */
  readonly entry?: number;
  readonly stop: number;
  /** Nearest first. */
  readonly targets: readonly number[];
}

export interface PublishActions {
  /** Opens the publish page with these levels, to be reviewed there. */
  readonly openForm: (draft: PublishDraft) => void;
}
