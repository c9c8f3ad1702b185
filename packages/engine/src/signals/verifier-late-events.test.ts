// Events that come late, and what they must not change. Found by the second implementation (proof/second-implementation).
import { expect, test } from 'bun:test';
import { at, EURUSD, VerifierHarness } from '../../testing/verifier-harness.ts';

/** A market with a quote of 1.50 / 1.51 at noon. */
function quoted(): VerifierHarness {
  const market = new VerifierHarness();
  market.quote(0, 1.5, 1.51);
  return market;
}

test('a late quote does not make a minute certain that contains the fill (B2)', () => {
  const market = quoted();
  market.submit('buy', {}, 51);
  market.quote(61, 1.5, 1.51);
  market.quote(55, 1.5, 1.51);
  market.minute(60, 1.8);
  expect(market.verdicts.map(({ kind }) => kind)).toEqual(['filled']);
});

test('a minute that is older than the standing price is not the last price before a deadline (J3)', () => {
  const market = quoted();
  market.submit('buy', { expiresAt: at(100) }, 1);
  market.quote(30, 1.55, 1.56);
  market.quote(50, 1.52, 1.53);
  market.quote(102, 1.6, 1.61);
  market.minute(0, 1.5);
  market.clock(105);
  expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: 152, decided: { seq: 3 } });
});

test('a request continues with its own quote if a quote that was dated back filled the entry (J4)', () => {
  const market = quoted();
  market.submit('buy', { entry: 1.45, stopLoss: 1.2 }, 1);
  market.quote(2, 1.48, 1.49);
  market.verifier.requestClose('buy', { at: at(10), quote: market.verifier.quote(EURUSD)! });
  market.quote(9, 1.44, 1.45);
  market.quote(11, 1.5, 1.51);
  expect(market.closing('buy')).toMatchObject({ reason: 'manual', exitPrice: 148 });
});

test('an entry that a late minute fills expires at the last price before its own deadline (J3)', () => {
  const market = quoted();
  market.submit('buy', { expiresAt: at(72) }, 10);
  market.quote(71, 1.53, 1.54);
  market.quote(73, 1.6, 1.61);
  market.minute(0, 1.5);
  market.clock(77);
  expect(market.verdicts).toMatchObject([{ kind: 'filled' }, { kind: 'closed', reason: 'expired' }]);
  expect(market.closing('buy')).toMatchObject({ exitPrice: 153, decided: { seq: 2 } });
});
