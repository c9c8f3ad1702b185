// The look of the chart, with the colours of the style sheet. The library's logo is off, because it injects a style element, which
// the content policy forbids; a link in the corner replaces it.
import {
  type CandlestickSeriesPartialOptions,
  type ChartOptions,
  ColorType,
  CrosshairMode,
  type DeepPartial,
  LineStyle,
  type PriceFormatCustom,
  TickMarkType,
  type UTCTimestamp,
} from 'lightweight-charts';
import { price, signedVolume } from '../ui/format.ts';
import type { Palette } from '../ui/theme.ts';
import type { ChartCandle } from './chart-bars.ts';
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
    rightPriceScale: { borderVisible: false },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      rightOffset: 6,
      barSpacing: 8,
      minBarSpacing: 0.5,
      // Older bars are loaded before the user scrolls to the first one.
      fixLeftEdge: true,
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

export function candleOptions({ up, down }: Palette): CandlestickSeriesPartialOptions {
  return {
    upColor: up,
    downColor: down,
    borderUpColor: up,
    borderDownColor: down,
    wickUpColor: up,
    wickDownColor: down,
    priceLineStyle: LineStyle.Dotted,
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
