// Figures of a track record, for the page of a publisher and its public page.
import type { PublisherDetail } from '@tickwire/client';
import { inR } from '../signals/labels.ts';
import { SignalPanel } from '../signals/signal-parts.tsx';
import { GuideLink } from '../ui/button.tsx';
import { NO_VALUE, signedFigure } from '../ui/format.ts';
import { Signed } from '../ui/signed.tsx';
import { type Column, Facts } from '../ui/table.tsx';
import { asPercent, holdingTime, maxDrawdown, meanR, twoDecimals, winRate } from './figures.ts';

interface OfRecord {
  readonly record: PublisherDetail;
}

/** Of a few signals it is any number: two that ended alike have hardly a deviation. */
const LEAST_FOR_SHARPE = 10;

const sharpeText = ({ sharpe, ranked_signals }: PublisherDetail): string =>
  sharpe === null || ranked_signals < LEAST_FOR_SHARPE ? NO_VALUE : signedFigure(sharpe, 2);

export function Figures({ record }: OfRecord) {
  const { total_r, open_r, worst_open_r, drawdown_r, profit_factor } = record;
  return (
    <SignalPanel title="Figures">
      <Facts
        entries={[
          ['Total', <Signed key="total" text={inR(total_r)} />],
          ['Open signals now', <Signed key="open" text={inR(open_r)} />],
          ['Worst of an open signal', <Signed key="worst" text={inR(worst_open_r)} />],
          ['Drawdown now, with open', `${twoDecimals(drawdown_r)} R`],
          ['Max drawdown', maxDrawdown(record)],
          ['Per signal, 95 % margin', meanR(record)],
          ['Win rate, 95 % interval', winRate(record)],
          ['Profit factor', profit_factor === null ? `${NO_VALUE} (no losses)` : twoDecimals(profit_factor)],
          ['Sharpe ratio, per signal', sharpeText(record)],
          ['Avg. holding time', holdingTime(record.average_holding_seconds)],
        ]}
      />
      <p class="hint">
        R is the risk of a signal: the distance from its entry to its stop. For the rank, the risk is at least 10
        spreads, so that a stop inside the spread earns nothing: “R for the rank”. Margins and intervals assume
        independent results and a number of signals that was fixed in advance.{' '}
        <GuideLink href="/guide/reference/signals#figures">All figures</GuideLink>
      </p>
    </SignalPanel>
  );
}

export function Counts({ record }: OfRecord) {
  const { signals, active, ranked_signals, wins, losses, breakeven, unfilled, unranked, voided } = record;
  return (
    <SignalPanel title="What counts">
      <Facts
        entries={[
          ['Published', signals],
          ['Active', active],
          ['With a result', `${ranked_signals} (${wins} won, ${losses} lost, ${breakeven} breakeven)`],
          ['Not filled', `${unfilled}: the entry was never reached, or it was withdrawn`],
          ['Without a result', `${unranked}: void, a gap in the prices, or untrusted prices`],
          ['Voided', `${voided}, by an operator, each with a public reason`],
        ]}
      />
      <p class="hint">
        The service computes all figures from the log, which has every closing with the price that decided it. Signals
        on the same instrument and in the same direction at the same time are one{' '}
        <GuideLink href="/guide/reference/signals#decisions">decision</GuideLink>.
      </p>
    </SignalPanel>
  );
}

export const RESULT_COLUMNS: readonly Column<PublisherDetail['instruments'][number]>[] = [
  { head: 'Signals', cell: ({ signals }) => signals, numeric: true },
  { head: 'Won', cell: ({ wins }) => wins, numeric: true },
  { head: 'Lost', cell: ({ losses }) => losses, numeric: true },
  { head: 'Win rate', cell: ({ win_rate }) => asPercent(win_rate), numeric: true },
  { head: 'Per signal', cell: ({ average_r }) => <Signed text={inR(average_r)} />, numeric: true },
  { head: 'Total', cell: ({ total_r }) => <Signed text={inR(total_r)} />, numeric: true },
];
