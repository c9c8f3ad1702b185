// A candle, as the chart and the day's figures share it.
export interface Candle {
  /** Start of the bar, milliseconds since the epoch. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}
