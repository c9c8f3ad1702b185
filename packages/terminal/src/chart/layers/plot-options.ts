// The look of the chart, with the colours of the style sheet. The library's logo is off, because it injects a style element, which
// the content policy forbids; a link in the corner replaces it.
import {
  type CandlestickSeriesPartialOptions,
  type ChartOptions,
  ColorType,
  CrosshairMode,
  type DeepPartial,
  type PriceFormatCustom,
  TickMarkType,
  type UTCTimestamp,
} from 'lightweight-charts';
import { price, signedVolume } from '../../ui/format.ts';
import type { Palette } from '../../ui/theme.ts';
import type { ChartCandle } from '../bars/chart-bars.ts';
import { fullTimeLabel, stepLabel, type TimeLabelStep } from './time-labels.ts';

const STEPS: Readonly<Record<TickMarkType, TimeLabelStep>> = {
  [TickMarkType.Year]: 'year',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'time',
  [TickMarkType.TimeWithSeconds]: 'time',
};

export function chartOptions(palette: Palette, intervalMs: () => number): DeepPartial<ChartOptions> {
  const crossline = { color: palette.muted, labelBackgroundColor: palette.raised };
  return {
    autoSize: true,
    layout: {
      attributionLogo: false,
      background: { type: ColorType.Solid, color: palette.panel },
      textColor: palette.muted,
      fontFamily: palette.fontFamily,
      fontSize: 11,
      panes: { separatorColor: palette.line, separatorHoverColor: palette.raised },
    },
    grid: { vertLines: { color: palette.line }, horzLines: { color: palette.line } },
    crosshair: { mode: CrosshairMode.Normal, vertLine: crossline, horzLine: crossline },
    // A price at the edge is left out rather than cut off.
    rightPriceScale: { borderVisible: false, entireTextOnly: true },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      // Older bars are loaded before the user scrolls to the first one.
      fixLeftEdge: true,
      // Zooming out does not move the newest bar away from the right edge.
      rightBarStaysOnScroll: true,
      tickMarkFormatter: (time: unknown, type: TickMarkType) =>
        stepLabel(Number(time) * 1_000, STEPS[type], intervalMs()),
    },
    localization: {
      locale: 'en-GB',
      timeFormatter: (time: unknown) => fullTimeLabel(Number(time) * 1_000, intervalMs()),
    },
    // A vertical swipe scrolls the page.
    handleScroll: { vertTouchDrag: false },
  };
}

export const priceFormat = (digits: number): PriceFormatCustom => ({
  type: 'custom',
  minMove: 10 ** -digits,
  formatter: (value: number) => price(value, digits),
});

/** The time of a candle as the library expects it, in seconds. */
export const timestampOf = ({ time }: ChartCandle): UTCTimestamp => (time / 1_000) as UTCTimestamp;

export const VOLUME_FORMAT: PriceFormatCustom = {
  type: 'custom',
  minMove: 1e-8,
  formatter: (value: number) => signedVolume(value),
};

/** How candles are drawn. `hidden`: another series shows the prices. */
export type CandleStyle = 'candles' | 'hollow' | 'hidden';

const HIDDEN = 'transparent';

/** A hollow candle has closed above its open; its colour compares with the close before. */
export function hollowColors(
  { up, down, panel }: Palette,
  { open, close }: ChartCandle,
  before: ChartCandle | undefined,
) {
  const color = close >= (before?.close ?? open) ? up : down;
  return { color: close >= open ? panel : color, borderColor: color, wickColor: color };
}

export function hiddenCandles(): CandlestickSeriesPartialOptions {
  return {
    upColor: HIDDEN,
    downColor: HIDDEN,
    borderUpColor: HIDDEN,
    borderDownColor: HIDDEN,
    wickUpColor: HIDDEN,
    wickDownColor: HIDDEN,
  };
}

export function candleOptions({ up, down }: Palette): CandlestickSeriesPartialOptions {
  return {
    upColor: up,
    downColor: down,
    borderUpColor: up,
    borderDownColor: down,
    wickUpColor: up,
    wickDownColor: down,
    // The live price is drawn separately: it is not that of the newest visible bar.
    lastValueVisible: false,
    priceLineVisible: false,
  };
}

/** A line without a label of its last value. */
export const quietLine = (color: string) => ({
  color,
  lineWidth: 1 as const,
  lastValueVisible: false,
  priceLineVisible: false,
  crosshairMarkerVisible: false,
});
