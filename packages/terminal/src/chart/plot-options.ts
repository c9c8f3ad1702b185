// How the chart looks, from the colours of the style sheet. The library's own logo is off: it would inject a style element,
// which the page's policy refuses; a link in the corner says whose chart it is.
import {
  type CandlestickSeriesPartialOptions,
  type ChartOptions,
  ColorType,
  CrosshairMode,
  type DeepPartial,
  LineStyle,
  type PriceFormatCustom,
  TickMarkType,
} from 'lightweight-charts';
import { price, signedVolume } from '../format.ts';
import type { Palette } from '../theme.ts';
import { fullTimeLabel, type Step, stepLabel } from './time-labels.ts';

const STEPS: Readonly<Record<TickMarkType, Step>> = {
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
      // There is nothing to see before the first bar; older ones are there before one gets to it.
      fixLeftEdge: true,
      tickMarkFormatter: (time: unknown, type: TickMarkType) =>
        stepLabel(Number(time) * 1_000, STEPS[type], intervalMs()),
    },
    localization: {
      locale: 'en-GB',
      timeFormatter: (time: unknown) => fullTimeLabel(Number(time) * 1_000, intervalMs()),
    },
    // A finger that moves up or down scrolls the page.
    handleScroll: { vertTouchDrag: false },
  };
}

export const priceFormat = (digits: number): PriceFormatCustom => ({
  type: 'custom',
  minMove: 10 ** -digits,
  formatter: (value: number) => price(value, digits),
});

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

/** A line that is there to be compared with, not to be read at its end. */
export const quietLine = (color: string) => ({
  color,
  lineWidth: 1 as const,
  lastValueVisible: false,
  priceLineVisible: false,
  crosshairMarkerVisible: false,
});
