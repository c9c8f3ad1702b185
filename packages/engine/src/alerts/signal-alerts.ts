// Alerts on what happens to signals.
import type { SimpleCondition } from '@tickwire/contract';
import type { SignalInput } from './alert.ts';
import { AlertsBySymbol } from './alerts-by-symbol.ts';
import type { JudgedAlert } from './judged-alert.ts';

type SignalCondition = Extract<SimpleCondition, { type: 'signal' }>;

export class SignalAlerts {
  readonly #alerts = new AlertsBySymbol<SignalCondition>();

  add(alert: JudgedAlert, condition: SignalCondition): void {
    this.#alerts.add(alert, condition);
  }

  read({ happening, publisher, symbol, price }: SignalInput): void {
    for (const of of [null, symbol])
      for (const [alert, { events, publisher: wanted }] of this.#alerts.of(of)) {
        if (!events.includes(happening)) continue;
        if (wanted !== undefined && wanted !== publisher.id && wanted.toLowerCase() !== publisher.name.toLowerCase())
          continue;
        alert.happen(price, { kind: 'signal', happening, publisher: publisher.name, symbol });
      }
  }
}
