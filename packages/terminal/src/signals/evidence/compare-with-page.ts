// Whether the page shows what the records contain.
import type { SignalDetail } from '@tickwire/client';
import type { SignalRecord } from './rules-version-2.ts';

/** Versions of the rules that this page knows. */
const KNOWN_RULES = [1, 2];

/** Adds differences to `faults`; returns the text for a passed check. */
export function compareWithPage(records: readonly SignalRecord[], shown: SignalDetail, faults: string[]): string {
  const same = (what: string, logged: unknown, displayed: unknown): void => {
    if (JSON.stringify(logged) !== JSON.stringify(displayed))
      faults.push(`${what} is ${JSON.stringify(displayed)} on this page, but ${JSON.stringify(logged)} in the log`);
  };
  const find = <T extends SignalRecord['type']>(type: T) =>
    records.find((record): record is Extract<SignalRecord, { readonly type: T }> => record.type === type);
  const [p, c, v] = [find('published'), find('closed'), find('voided')];
  if (!p) {
    faults.push('The log has no publication of it');
    return '';
  }
  same('The id', p.signal, shown.id);
  same('The publisher', p.publisher, shown.publisher);
  same('The instrument', p.symbol, shown.symbol);
  same('The direction', p.direction, shown.direction);
  same('The entry', p.entry, shown.entry);
  same('The stop', p.stop_loss, shown.stop_loss);
  same('The target', p.take_profit, shown.take_profit);
  same('The time', p.at, shown.timestamp);
  if (!KNOWN_RULES.includes(p.rules))
    faults.push(`It uses version ${p.rules} of the rules, which this page does not know`);
  if (p.rules !== 1) {
    const exits = records.flatMap((record) => (record.type === 'exited' ? [[record.target, record.price]] : []));
    same(
      'Its partial exits',
      exits,
      shown.exits.map(({ target, price }) => [target, price]),
    );
    same(
      'The targets',
      (p.targets ?? [{ price: p.take_profit }]).map(({ price }) => price),
      shown.targets.map(({ price }) => price),
    );
  }
  same('The reason of the void', v?.reason ?? null, shown.voided_reason);
  if (c) {
    if (c.signal !== p.signal || c.publisher !== p.publisher || c.symbol !== p.symbol)
      faults.push('The closing belongs to another signal');
    if (c.n <= p.n) faults.push('It was closed before it was published');
    if (c.instrument.digits !== p.instrument.digits || c.instrument.pip_size !== p.instrument.pip_size)
      faults.push('Digits or pip size were changed after publication');
  } else if (shown.status === 'closed' && !v) faults.push('It is shown as closed, but the log has no closing');
  if (shown.status === 'closed' && (c ?? v)) {
    const result = v || !c ? { reason: 'voided', pnl: 0, pnl_r: 0, exit_price: null } : c;
    same('The reason', result.reason, shown.close_reason);
    same('The result in pips', result.pnl, shown.pnl);
    same('The result in R', result.pnl_r, shown.pnl_r);
    same('The exit', result.exit_price, shown.exit_price);
  }
  return v
    ? 'This page shows what the records contain. An operator voided the signal.'
    : 'This page shows what the records contain.';
}
