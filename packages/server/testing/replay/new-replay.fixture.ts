// A replay session for tests that only need one to exist.
import type { ReplaySession } from '@tickwire/contract';

/** A new session of the account of a key, over hours in which EURUSD trades. */
export async function newReplay(url: string, key: string): Promise<ReplaySession> {
  const body = JSON.stringify({ symbols: ['EURUSD'], from: '2026-03-02T08:00:00Z', to: '2026-03-02T17:00:00Z' });
  const response = await fetch(`${url}/api/replays`, { method: 'POST', body, headers: { 'X-API-Key': key } });
  if (response.status !== 201) throw new Error(`no session: ${await response.text()}`);
  return (await response.json()) as ReplaySession;
}
