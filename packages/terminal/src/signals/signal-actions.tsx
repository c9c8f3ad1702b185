// What the publisher can still do with an active signal, and the operator with any: tighten the stop, close, void.
import type { SignalDetail } from '@tickwire/client';
import type { TerminalServices } from '../services/terminal-services.ts';
import { Button } from '../ui/button.tsx';
import { askToConfirm, openFormDialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/form.tsx';
import { price } from '../ui/format.ts';
import { readPositive } from '../ui/read-number.ts';
import { digitsOf, wordOf } from './labels.ts';
import { exitSide, marketOf } from './levels.ts';
import { mayBeOwn } from './publish-permission.ts';

type Services = Pick<TerminalServices, 'client' | 'session' | 'quotes'>;

export interface SignalActionsProps extends Services {
  readonly signal: SignalDetail;
  readonly refresh: () => Promise<unknown>;
}

const MOST_REASON = 500;

export function SignalActions({ signal, refresh, ...services }: SignalActionsProps) {
  const { status, filled_at, close_requested_at, voided_at } = signal;
  const own = status === 'active' && mayBeOwn(services.session, signal);
  const isOperator = services.session.account?.scopes.includes('admin') === true;
  return (
    <span class="row-actions">
      {own && <Button onClick={() => askToTighten(services, signal, refresh)}>Tighten stop</Button>}
      {own && close_requested_at === null && (
        <Button onClick={() => askToClose(services, signal, refresh)}>
          {filled_at === null ? 'Withdraw' : 'Close'}
        </Button>
      )}
      {isOperator && voided_at === null && <Button onClick={() => askToVoid(services, signal, refresh)}>Void…</Button>}
    </span>
  );
}

const nameOf = ({ direction, symbol }: SignalDetail): string => `${wordOf(direction).toLowerCase()} of ${symbol}`;

/** Confirms first: it cannot be undone, and the signal closes at the market price. */
function askToClose({ client, quotes }: Services, signal: SignalDetail, refresh: () => Promise<unknown>): void {
  const { id, symbol, filled_at } = signal;
  const what = nameOf(signal);
  const market = marketOf(quotes, symbol);
  const now = market ? ` The price is now about ${price(exitSide(signal, market), digitsOf(signal, quotes))}.` : '';
  askToConfirm({
    ...(filled_at === null
      ? {
          title: `Withdraw this ${what}?`,
          text: 'The next quote ends it as not filled, unless that quote fills it. It stays in your track record, without a result.',
          confirm: 'Withdraw',
        }
      : {
          title: `Close this ${what}?`,
          text: `It closes with the next quote, at the worse of the current price and that quote.${now} Its result counts in your track record. This cannot be undone.`,
          confirm: 'Close at market',
        }),
    act: async () => {
      await client.closeSignal(id);
      await refresh();
    },
  });
}

function askToTighten({ client, quotes }: Services, signal: SignalDetail, refresh: () => Promise<unknown>): void {
  const { id, direction, current_stop_loss } = signal;
  const tighter = direction === 'buy' ? 'above' : 'below';
  openFormDialog({
    title: `Tighten the stop of this ${nameOf(signal)}`,
    text: `The new stop must be ${tighter} the stop in force, ${price(current_stop_loss, digitsOf(signal, quotes))}. It holds from the next quote on and cannot be taken back. R is still measured with the stop as published.`,
    submit: 'Tighten stop',
    children: <TextField name="stop_loss" label="New stop" mono />,
    onSubmit: async (values) => {
      // What is not a price is rejected by the service, with the reason at the field.
      await client.amendSignal(id, { stop_loss: readPositive(values.text('stop_loss')) ?? 0 });
      await refresh();
    },
  });
}

function askToVoid({ client }: Services, signal: SignalDetail, refresh: () => Promise<unknown>): void {
  openFormDialog({
    title: `Void this ${nameOf(signal)}?`,
    text: 'It then counts as if it had not been published. Its records, your reason and the number of voided signals are public and stay for good. This cannot be undone.',
    submit: 'Void for good',
    tone: 'danger',
    children: <TextField name="reason" label="Public reason" maxLength={MOST_REASON} />,
    onSubmit: async (values) => {
      await client.admin.voidSignal(signal.id, values.text('reason').trim());
      await refresh();
    },
  });
}
