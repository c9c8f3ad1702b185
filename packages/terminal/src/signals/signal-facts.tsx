// A signal in detail: its levels, what has happened to it, and its targets.
import type { SignalDetail } from '@tickwire/client';
import type { ComponentChildren } from 'preact';
import { type MoveUnit, NO_VALUE, price, setNumber } from '../ui/format.ts';
import { exactly, moment } from '../ui/relative-time.ts';
import { type Column, Facts, Table } from '../ui/table.tsx';
import { partText, REASONS, signedPips } from './labels.ts';
import { expectedRatio } from './levels.ts';

interface Props {
  readonly signal: SignalDetail;
  readonly digits: number;
  readonly unit: MoveUnit;
}

/** The exact time, with the relative one as its tooltip. `before`: a text in front of it. */
const ExactTime = ({ at, before = '' }: { readonly at: string; readonly before?: string }) => (
  <>
    {before}
    <time dateTime={at} title={moment(at, Date.now())}>
      {exactly(Date.parse(at))}
    </time>
  </>
);

type Fact = readonly [string, ComponentChildren];

export const SignalFacts = ({ signal, digits, unit }: Props) => <Facts entries={factsOf(signal, digits, unit)} />;

function factsOf(signal: SignalDetail, digits: number, unit: MoveUnit): readonly Fact[] {
  const { order, filled_at, targets, breakeven_after, current_stop_loss } = signal;
  const closed = signal.status === 'closed' ? signal : null;
  const at = (value: number | null): string => price(value, digits);
  const facts: readonly (Fact | false | null)[] = [
    ['State', stateOf(signal)],
    ['Published', <ExactTime key="" at={signal.timestamp} />],
    ['Entry', `${at(signal.entry)}, ${order} order`],
    signal.max_slippage !== null && ['Max slippage', at(signal.max_slippage)],
    signal.voided_at === null && filled_at === null && ['Filled', closed ? 'never' : 'not yet'],
    filled_at === null ? null : ['Filled', <ExactTime key="" before={`${at(signal.entry_price)} · `} at={filled_at} />],
    ['Stop', `${at(signal.stop_loss)}, as published`],
    current_stop_loss !== signal.stop_loss && [
      closed ? 'Stop at the end' : 'Stop in force',
      `${at(current_stop_loss)}${current_stop_loss === signal.entry ? ', the entry' : ''}`,
    ],
    breakeven_after !== null && ['Breakeven', `stop to the entry after target ${breakeven_after}`],
    targets.length < 2 && ['Target', at(signal.take_profit)],
    [
      'Reward/risk',
      `${setNumber(expectedRatio(signal).toFixed(2))} : 1${signal.entry_price === null ? '' : ' from the fill'}${targets.length < 2 ? '' : ' if all targets are hit'}`,
    ],
    closed
      ? ['Closed', <ExactTime key="" before={`${REASONS[closed.close_reason]} · `} at={closed.closed_at} />]
      : ['Expires', <ExactTime key="" at={signal.expires_at} />],
    signal.close_requested_at !== null && ['Close requested', <ExactTime key="" at={signal.close_requested_at} />],
    closed &&
      closed.exit_price !== null && [
        'Exit',
        `${at(closed.exit_price)}${signal.exits.length === 0 ? '' : ', the mean of all exits'}`,
      ],
    closed?.pnl_best !== undefined && [
      'Best case',
      `${signedPips(closed.pnl_best)} ${unit}: only a bar decided it, so the worst case counts`,
    ],
    closed?.gap_from !== undefined && [
      'Price gap',
      [
        <ExactTime key="from" at={closed.gap_from} />,
        closed.gap_to && <ExactTime key="to" before=" to " at={closed.gap_to} />,
        ': not ranked',
      ],
    ],
    closed?.self_sourced === true && [
      'Self-sourced',
      'decided by prices that its publisher pushed: a win does not count',
    ],
    closed?.recovered !== undefined && [
      'Recovered',
      `after an interruption, from the ${closed.recovered === 'tape' ? 'tape' : 'history of the feed'}`,
    ],
    ['Signed', signal.signed ? 'by the publisher' : 'no'],
    ['Id', <code key="">{signal.id}</code>],
  ];
  return facts.filter((fact) => !!fact);
}

function stateOf({ state, close_requested_at, exits, targets }: SignalDetail): string {
  if (state === 'closed') return 'closed';
  if (close_requested_at !== null) return `${state}: closes with the next quote`;
  if (state === 'pending') return 'pending: the entry waits for its fill';
  return exits.length === 0 ? 'open' : `open: ${exits.length} of ${targets.length} targets hit`;
}

interface TargetRow {
  readonly number: number;
  readonly price: number;
  readonly fraction: number;
  /** When it was hit. */
  readonly at: string | null;
}

/** Each target with its part of the position, and when it was hit. */
export function SignalTargets({ signal, digits }: Omit<Props, 'unit'>) {
  const { targets, exits } = signal;
  // The last target closes the signal, so it is not among the exits.
  const last = signal.status === 'closed' && signal.close_reason === 'take_profit' ? signal.closed_at : null;
  const rows: readonly TargetRow[] = targets.map((target, index) => ({
    ...target,
    number: index + 1,
    at: exits.find((exit) => exit.target === index + 1)?.exited_at ?? (index === targets.length - 1 ? last : null),
  }));
  const columns: readonly Column<TargetRow>[] = [
    { head: 'Target', cell: ({ number }) => `Target ${number}` },
    { head: 'Price', cell: (row) => price(row.price, digits), numeric: true },
    {
      head: 'Share',
      cell: ({ fraction }) => partText(fraction),
      numeric: true,
    },
    { head: 'Exited', cell: ({ at }) => (at === null ? NO_VALUE : <ExactTime at={at} />) },
  ];
  return <Table caption="Targets" columns={columns} rows={rows} keyOf={({ number }) => number} empty="" />;
}
