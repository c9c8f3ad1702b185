// The alerts of one kind, by the instrument they are about; `null` for those about any.
import type { MarketSymbol } from '../market/instrument.ts';
import type { JudgedAlert } from './judged-alert.ts';

export class AlertsBySymbol<Condition> {
  readonly #alerts = new Map<MarketSymbol | null, Map<JudgedAlert, Condition>>();

  add(alert: JudgedAlert, condition: Condition): void {
    const { symbol } = alert.spec;
    const alerts = this.#alerts.get(symbol) ?? new Map<JudgedAlert, Condition>();
    this.#alerts.set(symbol, alerts.set(alert, condition));
    alert.leave.push(() => alerts.delete(alert));
  }

  of(symbol: MarketSymbol | null): readonly (readonly [JudgedAlert, Condition])[] {
    return [...(this.#alerts.get(symbol) ?? [])];
  }
}
