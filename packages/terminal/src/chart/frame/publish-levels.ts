// What parts of the chart hand over to the ticket on the chart.

export interface PublishLevels {
  readonly direction: 'buy' | 'sell';
  readonly entry: number;
  readonly stop: number;
  /** One to three, nearest first. */
  readonly targets: readonly number[];
}
