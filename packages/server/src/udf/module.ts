// TradingView's UDF protocol over the history of all domains.
import type {
  UdfHistoryQuery,
  UdfMarksQuery,
  UdfQuotesQuery,
  UdfSearchQuery,
  UdfSymbolQuery,
} from '@tickwire/contract';
import type { Module } from '../module/module.ts';
import { UdfHandlers, type UdfHandlersOptions } from './udf-handlers.ts';
import { udfHistoryRows } from './udf-history.ts';

export function udfModule(options: UdfHandlersOptions): Module {
  const handlers = new UdfHandlers(options);
  return {
    routes: {
      udfConfig: () => handlers.config(),
      udfSymbol: ({ query }) => handlers.symbol(query as UdfSymbolQuery),
      udfSearch: ({ query }) => handlers.search(query as UdfSearchQuery),
      udfHistory: {
        cost: ({ query }) => ({ rows: udfHistoryRows(query as UdfHistoryQuery), counted: false }),
        handle: (call) => handlers.history(call),
      },
      udfMarks: {
        cost: ({ query }) => ({ rows: udfHistoryRows(query as UdfMarksQuery), counted: false }),
        handle: ({ query }) => handlers.marks(query as UdfMarksQuery),
      },
      udfQuotes: ({ query }) => handlers.quotes(query as UdfQuotesQuery),
      udfTime: ({ now }) => handlers.time(now),
    },
  };
}
