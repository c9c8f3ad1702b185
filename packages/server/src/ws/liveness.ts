// Closes connections that are dead or no longer allowed: silent ones are pinged, then terminated; one without a valid key or
// session is closed.
import type { LimitSettings } from '../config/limit-settings.ts';
import type { Connection } from './connection.ts';

/** A round this late means that the event loop stalled or the clock was set: nothing could be received meanwhile. */
const STALL_MS = 500;

export class Liveness {
  readonly #limits: LimitSettings;
  readonly #everyMs: number;
  readonly #pingMs: number;
  #checkedAt: number;

  /** A round of checks runs every `everyMs`. */
  constructor(limits: LimitSettings, everyMs: number, now: number) {
    this.#limits = limits;
    this.#everyMs = everyMs;
    this.#pingMs = (limits.silence_seconds * 1000) / 3;
    this.#checkedAt = now;
  }

  register(connection: Connection, now: number): void {
    connection.pingAt = now + this.#pingMs;
  }

  /** Call before each round of checks. Returns false to skip the round: data received during a stall is not read yet. */
  startRound(connections: Iterable<Connection>, now: number): boolean {
    const stalled = now - this.#checkedAt - this.#everyMs;
    this.#checkedAt = now;
    if (stalled <= STALL_MS) return true;
    // Silence during a stall does not count.
    for (const connection of connections) connection.silentSince = Math.min(connection.silentSince + stalled, now);
    return false;
  }

  /** Returns whether the connection stays open; if not, it is being closed. `onSilent`: it is terminated for its silence. */
  check(connection: Connection, now: number, onSilent: (reason: 'stalled' | 'silent') => void): boolean {
    const { authentication_seconds, silence_seconds } = this.#limits;
    const { caller, closed, queued, openedAt } = connection;
    const before = connection.buffered;
    const buffered = connection.socket.getBufferedAmount();
    connection.buffered = buffered;
    // A client that drains its buffer is alive, even if pings are still queued behind the data.
    if (buffered < before) connection.markAlive(now);
    if (now - connection.silentSince > silence_seconds * 1000) {
      if (!closed) onSilent(buffered > 0 ? 'stalled' : 'silent');
      connection.closed = true;
      connection.socket.terminate();
    }
    // The buffer of a closing connection grows only if it floods us with pings.
    else if (closed) connection.finishClosing(buffered > before);
    else if (caller && (!caller.valid || caller.expiresAt <= now)) {
      if (caller.session) connection.closeWithError('invalid_session', 'The session has ended.');
      else connection.closeWithError('invalid_key', 'The API key was revoked or has expired.');
    } else if (!caller && !queued && now - openedAt > authentication_seconds * 1000) {
      connection.closeWithError('missing_key', `No valid API key was sent within ${authentication_seconds} seconds.`);
    } else {
      if (now >= connection.pingAt) {
        connection.pingAt = now + this.#pingMs;
        connection.socket.ping();
      }
      return true;
    }
    return false;
  }
}
