// Writes what fired, with a message for each destination, by the limits of the account's tier.
import type { AlertFiring } from '@tickwire/contract';
import { SECOND_MS } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import type { AlertMarks, AlertProgress } from '../store/alert-store.ts';
import type { NewMessage } from '../store/delivery-store.ts';
import type { DeliveryAllowance } from './delivery-allowance.ts';
import { type FiringLimit, OTHERS_LEFT_OUT } from './firing-limit.ts';
import { type Fired, firingOf, firingRow, type MessageOptions, messageTo, type Recipient } from './firing-messages.ts';
import type { BuiltFiring, FiringWriter } from './firing-writer.ts';

export interface OutboxOptions {
  readonly writer: () => FiringWriter;
  readonly allowance: DeliveryAllowance;
  readonly limit: FiringLimit;
  readonly accountOf: (publicId: string) => AccountState | undefined;
  /** A destination that may get messages, or waits for its verification. */
  readonly recipientOf: (destination: string, account: string) => Recipient | undefined;
}

export class Outbox {
  readonly #options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** `before`: the marks that may be stored as long as this firing is not. */
  write(
    fired: Fired,
    deliver: readonly string[],
    options: MessageOptions,
    progress: AlertProgress | null,
    before: AlertMarks,
  ): void {
    const { account, alert, title } = fired;
    const taken = progress && !progress.done ? this.#options.limit.take(account, alert) : 'write';
    if (taken === 'leave_out') return;
    const build = (): BuiltFiring => {
      const firing = firingOf(taken === 'last' ? { ...fired, title: `${title}. ${OTHERS_LEFT_OUT}` } : fired);
      return { row: firingRow(fired, firing), messages: this.messages(account, firing, deliver, options) };
    };
    this.#options.writer().add({ account, alert, build, progress, before });
  }

  /** Messages to destinations, those beyond the allowance of the day already refused. */
  messages(
    account: string,
    firing: AlertFiring,
    deliver: readonly string[],
    options: MessageOptions,
  ): readonly NewMessage[] {
    const { allowance, accountOf, recipientOf } = this.#options;
    const state = accountOf(account);
    if (!state) return [];
    const { tier, tierName } = state;
    const delayMs = options.delayed ? tier.delivery_delay_seconds * SECOND_MS : 0;
    return deliver.flatMap((id) => {
      const recipient = recipientOf(id, account);
      if (!recipient) return [];
      const message = messageTo(recipient, account, firing, options, delayMs);
      const refused = allowance.take(account, { limit: tier.deliveries_per_day, tier: tierName });
      if (refused === null) return message;
      return allowance.isFlooded(account, tier.deliveries_per_day) ? [] : { ...message, refused };
    });
  }
}
