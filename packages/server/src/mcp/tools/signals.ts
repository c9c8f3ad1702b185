// `get_signals`: published signals, and the verified track records of their publishers.
import {
  type PublisherDetail,
  type PublisherList,
  SIGNAL_STATUSES,
  type SignalDetail,
  type TrackRecord,
} from '@tickwire/contract';
import { z } from 'zod';
import {
  type Answer,
  boundedGaps,
  fit,
  type Gap,
  quotedText,
  rounded,
  shortTime,
  UNTRUSTED_NOTICE,
} from '../answer.ts';
import {
  cursorArg,
  defineTool,
  offsetCursor,
  oneOfArg,
  readNow,
  symbolArg,
  type ToolContext,
  tokensArg,
} from '../tool.ts';

const PAGE_SIGNALS = 60;
const PAGE_PUBLISHERS = 30;
const MAX_NOTE = 200;
const MAX_MONTHS = 12;
const MAX_SYMBOLS = 10;

const Arguments = z.object({
  view: oneOfArg(['signals', 'publishers']).default('signals'),
  status: oneOfArg(SIGNAL_STATUSES).default('active'),
  symbol: symbolArg.optional(),
  publisher: z.string().min(1).max(64).optional().meta({ allowed: 'a display name or an id' }),
  cursor: cursorArg,
  max_tokens: tokensArg,
});
type Arguments = z.output<typeof Arguments>;

export const signalsTool = defineTool({
  name: 'get_signals',
  description:
    'view=signals: published trade ideas with levels, state and verified result. view=publishers: ranking by verified record, or ' +
    'one publisher in detail with publisher.',
  input: Arguments,
  output: { items: { type: 'array' } },
  async run(args, context) {
    if (args.view === 'signals') return signals(args, context);
    return args.publisher === undefined ? publishers(args, context) : publisher(args.publisher, context);
  },
});

async function signals(args: Arguments, { reader, instruments }: ToolContext): Promise<Answer> {
  const { status, symbol, cursor, max_tokens } = args;
  const resolved = symbol === undefined ? [] : await instruments.resolve([symbol]);
  const { items } = await reader.get<{ items: SignalDetail[] }>('/api/signals', {
    status,
    symbol: resolved[0]?.symbol,
    user: args.publisher,
    before: cursor,
    limit: PAGE_SIGNALS,
    detail: true,
  });
  const names = [...new Set(items.map((item) => item.symbol))].slice(0, MAX_SYMBOLS);
  const known = new Set((await instruments.all()).map((item) => item.symbol));
  const traded = await instruments.resolve(names.filter((name) => known.has(name)));
  const fresh = traded.length === 0 ? null : await instruments.freshness(traded);
  const gaps = items.flatMap((item): Gap[] =>
    item.status === 'closed' && item.gap_from !== undefined
      ? [{ symbol: item.symbol, from: item.gap_from, to: item.gap_to ?? item.closed_at, reason: `signal ${item.id}` }]
      : [],
  );
  return fit(
    items.length,
    (count) => {
      const shown = items.slice(0, count);
      const next = count < items.length || items.length === PAGE_SIGNALS ? (shown.at(-1)?.id ?? null) : null;
      const hasNotes = shown.some(({ note }) => note !== null);
      return {
        summary: `${shown.length} ${status === 'all' ? '' : `${status} `}signals${args.publisher ? ` of ${args.publisher}` : ''}${next ? '; older ones with cursor' : ''}`,
        ...readNow(reader),
        // Results of active signals are as fresh as the quotes.
        stale: status !== 'closed' && (fresh?.envelope.stale ?? false),
        market: fresh?.envelope.market ?? {},
        ...boundedGaps(gaps),
        ...(hasNotes && { notice: UNTRUSTED_NOTICE }),
        items: shown.map(signalOf),
        next,
      };
    },
    max_tokens,
  );
}

export function signalOf(signal: SignalDetail) {
  const { id, user, symbol, direction, state, order, entry, stop_loss, current_stop_loss, take_profit, targets } =
    signal;
  const note = signal.note === null ? null : quotedText(signal.note, MAX_NOTE);
  return {
    id,
    publisher: user,
    symbol,
    direction,
    state,
    order,
    entry,
    stop_loss,
    ...(current_stop_loss !== stop_loss && { current_stop_loss }),
    take_profit,
    ...(targets.length > 1 && { targets: targets.map(({ price, fraction }) => [price, fraction]) }),
    published: shortTime(signal.timestamp),
    ...(signal.entry_price !== null && { entry_price: signal.entry_price }),
    ...(signal.status === 'closed'
      ? {
          closed: shortTime(signal.closed_at),
          reason: signal.close_reason,
          exit_price: signal.exit_price,
          pnl_pips: signal.pnl,
          pnl_r: signal.pnl_r,
        }
      : { expires: shortTime(signal.expires_at) }),
    ...(note && { note: note.text, ...(note.isCut && { note_cut: true }) }),
  };
}

async function publishers(
  { symbol, cursor, max_tokens }: Arguments,
  { reader, instruments }: ToolContext,
): Promise<Answer> {
  const resolved = symbol === undefined ? [] : await instruments.resolve([symbol]);
  const offset = offsetCursor(cursor);
  const { items, total } = await reader.get<PublisherList>('/api/publishers', {
    symbol: resolved[0]?.symbol,
    limit: PAGE_PUBLISHERS,
    offset,
  });
  return fit(
    items.length,
    (count) => {
      const end = offset + count;
      return {
        summary: `Publishers ${count === 0 ? 0 : offset + 1} to ${end} of ${total}, by rank${end < total ? '; more with cursor' : ''}`,
        ...readNow(reader),
        market: {},
        gaps: [],
        total,
        items: items.slice(0, count).map(recordOf),
        next: end < total ? String(end) : null,
      };
    },
    max_tokens,
  );
}

const round2 = (value: number | null): number | null => (value === null ? null : rounded(value, 2));

const recordOf = (record: TrackRecord) => ({
  name: record.name,
  rank: record.rank,
  status: record.status,
  signals: record.signals,
  ranked_signals: record.ranked_signals,
  win_rate: round2(record.win_rate),
  average_r: round2(record.average_r),
  total_r: round2(record.total_r),
  profit_factor: round2(record.profit_factor),
  max_drawdown_r: round2(record.max_drawdown_r),
  e_value: round2(record.e_value),
  warnings: record.warnings.map(({ code }) => code),
});

async function publisher(name: string, { reader }: ToolContext): Promise<Answer> {
  const found = await reader.get<PublisherDetail>(`/api/publishers/${encodeURIComponent(name)}`);
  const months = found.months.slice(-MAX_MONTHS);
  const symbols = found.instruments.toSorted((a, b) => b.signals - a.signals).slice(0, MAX_SYMBOLS);
  return {
    summary: `${found.name}: ${found.status}, ${found.ranked_signals} ranked signals, total ${round2(found.total_r)} R. ${found.reason}`,
    ...readNow(reader),
    market: {},
    gaps: [],
    items: [
      {
        ...recordOf(found),
        publisher_id: found.publisher,
        reason: found.reason,
        missing: found.missing,
        progress: found.progress,
        decisions: found.decisions,
        active: found.active,
        open_r: round2(found.open_r),
        worst_open_r: round2(found.worst_open_r),
        drawdown_r: round2(found.drawdown_r),
        win_rate_interval: [round2(found.win_rate_low), round2(found.win_rate_high)],
        sharpe_per_signal: round2(found.sharpe),
        probabilistic_sharpe: round2(found.probabilistic_sharpe),
        average_holding_seconds: found.average_holding_seconds && Math.round(found.average_holding_seconds),
        voided: found.voided,
        unranked: found.unranked,
        first_at: found.first_at && shortTime(found.first_at),
        last_at: found.last_at && shortTime(found.last_at),
        warnings: found.warnings,
        exposure: found.exposure.slice(0, MAX_SYMBOLS),
        months: months.map(({ month, decisions, r }) => [month, decisions, rounded(r, 2)]),
        ...(months.length < found.months.length && { months_not_shown: found.months.length - months.length }),
        instruments: symbols.map((each) => [each.symbol, each.signals, round2(each.win_rate), round2(each.total_r)]),
        ...(symbols.length < found.instruments.length && {
          instruments_not_shown: found.instruments.length - symbols.length,
        }),
      },
    ],
    columns_of: { months: ['month', 'decisions', 'r'], instruments: ['symbol', 'signals', 'win_rate', 'total_r'] },
    next: null,
  };
}
