// Closing a signal of one's own, after asking: it cannot be taken back, and the market's price counts.
import type { SignalDetail } from '@tickwire/client';
import { price } from '../format.ts';
import { ask } from '../forms/dialog.ts';
import type { Workspace } from '../workspace.ts';
import { exitSide } from './levels.ts';
import { digitsOf, wordOf } from './words.ts';

export function askToClose({ client, board }: Workspace, signal: SignalDetail, onClosed: () => void): void {
  const row = board.row(signal.symbol);
  const what = `${wordOf(signal.direction).toLowerCase()} of ${signal.symbol}`;
  const pending = signal.filled_at === null;
  const now =
    row && row.bid !== null && row.ask !== null
      ? ` That is about ${price(exitSide(signal, { bid: row.bid, ask: row.ask }), digitsOf(signal, board))} now.`
      : '';
  ask({
    title: pending ? `Withdraw this ${what}?` : `Close this ${what}?`,
    text: pending
      ? 'Its entry was not met yet. It ends as unfilled, without a result, and stays in your record as such.'
      : `It closes at the market and its result counts in your record.${now} This cannot be taken back.`,
    confirm: pending ? 'Withdraw' : 'Close at the market',
    act: async () => {
      await client.closeSignal(signal.id);
      onClosed();
    },
  });
}
