// Endpoints of the data feed for TradingView charts.
import { type EndpointExamples, endpoint, READ } from '../common/endpoint.ts';
import {
  UDF_RESOLUTIONS,
  UdfConfig,
  UdfHistory,
  UdfHistoryQuery,
  UdfMarks,
  UdfMarksQuery,
  UdfQuotes,
  UdfQuotesQuery,
  UdfSearchQuery,
  UdfSearchResult,
  UdfSymbol,
  UdfSymbolQuery,
  UdfTime,
} from './udf.ts';

const ABOUT = 'Part of the data feed for TradingView.';
/** Chart libraries add other parameters. */
const common = { ...READ, tag: 'TradingView', ignoresUnknown: true } as const;
const HISTORY_ERRORS = ['symbol_not_found'] as const;

export const UDF_ENDPOINTS = {
  udfConfig: endpoint({
    ...common,
    path: '/udf/config',
    summary: 'Get what the data feed supports',
    description: ABOUT,
    response: UdfConfig,
  }),
  udfSymbol: endpoint({
    ...common,
    path: '/udf/symbols',
    summary: 'Get an instrument for a chart',
    description: ABOUT,
    query: UdfSymbolQuery,
    response: UdfSymbol,
    errors: ['symbol_not_found'],
  }),
  udfSearch: endpoint({
    ...common,
    path: '/udf/search',
    summary: 'Search instruments for a chart',
    description: ABOUT,
    query: UdfSearchQuery,
    response: UdfSearchResult,
  }),
  udfHistory: endpoint({
    ...common,
    path: '/udf/history',
    summary: 'Get bars for a chart',
    description: `Returns the bars of the range, or the \`countback\` bars before \`to\`: at most the newest 10,000. ${ABOUT}`,
    query: UdfHistoryQuery,
    response: UdfHistory,
    errors: HISTORY_ERRORS,
  }),
  udfMarks: endpoint({
    ...common,
    path: '/udf/marks',
    summary: 'Get signals and headlines for a chart',
    description: `Returns at most 10 marks for each bar, signals first. ${ABOUT}`,
    query: UdfMarksQuery,
    response: UdfMarks,
    errors: HISTORY_ERRORS,
  }),
  udfQuotes: endpoint({
    ...common,
    path: '/udf/quotes',
    summary: 'Get quotes for a chart',
    description: ABOUT,
    query: UdfQuotesQuery,
    response: UdfQuotes,
  }),
  udfTime: endpoint({
    ...common,
    path: '/udf/time',
    summary: 'Get the time of the service',
    description: ABOUT,
    response: UdfTime,
  }),
} as const;

const EXCHANGE = 'TICKWIRE';
const EURO = { description: 'Euro / US Dollar', exchange: EXCHANGE, type: 'forex' } as const;

export const UDF_EXAMPLES: EndpointExamples<typeof UDF_ENDPOINTS> = {
  udfConfig: {
    request: '/udf/config',
    response: {
      supports_search: true,
      supports_group_request: false,
      supports_marks: true,
      supports_timescale_marks: false,
      supports_time: true,
      supported_resolutions: [...UDF_RESOLUTIONS],
      exchanges: [{ value: EXCHANGE, name: EXCHANGE, desc: 'Tickwire' }],
      symbols_types: [
        { name: 'All', value: '' },
        { name: 'Forex', value: 'forex' },
      ],
    },
  },
  udfSymbol: {
    request: '/udf/symbols?symbol=TICKWIRE:EURUSD',
    response: {
      ...EURO,
      name: 'EURUSD',
      ticker: 'EURUSD',
      listed_exchange: EXCHANGE,
      timezone: 'Etc/UTC',
      session: '24x7',
      minmov: 1,
      pricescale: 100_000,
      has_intraday: true,
      has_daily: true,
      has_weekly_and_monthly: true,
      intraday_multipliers: ['1', '5', '15', '60'],
      supported_resolutions: ['1', '5', '15', '60', '1D'],
      visible_plots_set: 'ohlcv',
      volume_precision: 2,
      data_status: 'streaming',
      format: 'price',
      currency_code: 'USD',
    },
  },
  udfSearch: {
    request: '/udf/search?query=eur&type=&exchange=&limit=30',
    response: [{ ...EURO, symbol: 'EURUSD', full_name: `${EXCHANGE}:EURUSD`, ticker: 'EURUSD' }],
  },
  udfHistory: {
    request: '/udf/history?symbol=EURUSD&resolution=60&from=1772442000&to=1772449200&countback=2',
    response: {
      s: 'ok',
      t: [1_772_442_000, 1_772_445_600],
      o: [1.08391, 1.08402],
      h: [1.08427, 1.0843],
      l: [1.08377, 1.08396],
      c: [1.08402, 1.08412],
      v: [5182, 4417],
    },
  },
  udfMarks: {
    request: '/udf/marks?symbol=EURUSD&resolution=60&from=1772442000&to=1772449200',
    response: {
      id: ['sig_7k2m9q4x'],
      time: [1_772_445_600],
      color: ['green'],
      text: ['Buy at 1.084, stop 1.081, target 1.09, by north-desk'],
      label: ['B'],
      labelFontColor: ['white'],
      minSize: [14],
    },
  },
  udfQuotes: {
    request: '/udf/quotes?symbols=EURUSD',
    response: {
      s: 'ok',
      d: [
        {
          s: 'ok',
          n: 'EURUSD',
          v: {
            ch: 0.00041,
            chp: 0.0378,
            short_name: 'EURUSD',
            exchange: EXCHANGE,
            description: EURO.description,
            lp: 1.08412,
            ask: 1.08424,
            bid: 1.08412,
            spread: 0.00012,
            open_price: 1.08371,
            high_price: 1.0843,
            low_price: 1.08335,
            prev_close_price: 1.08371,
            volume: 48_310,
          },
        },
      ],
    },
  },
  udfTime: { request: '/udf/time', response: 1_772_450_647 },
};
