// Which connections are still there, and may be: the silent are pinged, then given up; without a valid key there is no staying.
import type { Connection } from './connection.ts';
import type { LimitSettings } from './limit-settings.ts';

/** A look this late was held up, or the clock was set: nobody could be heard meanwhile. */
const STALL_MS = 500;

export class Liveness {
  readonly #limits: LimitSettings;
  readonly #everyMs: number;
  readonly #pingMs: number;
  #lookedAt: number;

  /** It looks every `everyMs`. */
  constructor(limits: LimitSettings, everyMs: number, now: number) {
    this.#limits = limits;
    this.#everyMs = everyMs;
    this.#pingMs = (limits.silence_seconds * 1000) / 3;
    this.#lookedAt = now;
  }

  opened(connection: Connection, now: number): void {
    connection.pingAt = now + this.#pingMs;
  }

  /** To be called before each round of looks; false where this one must not be: what came during a stall is not read yet. */
  ready(connections: Iterable<Connection>, now: number): boolean {
    const stalled = now - this.#lookedAt - this.#everyMs;
    this.#lookedAt = now;
    if (stalled <= STALL_MS) return true;
    // Silence during it is no one's fault.
    for (const connection of connections) connection.silentSince = Math.min(connection.silentSince + stalled, now);
    return false;
  }

  /** Whether the connection goes on; if not, its end has begun. */
  look(connection: Connection, now: number): boolean {
    const { authentication_seconds, silence_seconds } = this.#limits;
    const { caller, closed, waiting, openedAt } = connection;
    const before = connection.buffered;
    const buffered = connection.socket.getBufferedAmount();
    connection.buffered = buffered;
    // Whoever takes what waits for it is alive, though the pings stand behind that.
    if (buffered < before) connection.heard(now);
    if (now - connection.silentSince > silence_seconds * 1000) connection.socket.terminate();
    // Of a connection that is ending, only answers to its own pings can grow.
    else if (closed) connection.finish(buffered > before);
    else if (caller && (!caller.valid || caller.expiresAt <= now)) {
      if (caller.session) connection.end('invalid_session', 'The session has ended.');
      else connection.end('invalid_key', 'The API key was revoked or has expired.');
    } else if (!caller && !waiting && now - openedAt > authentication_seconds * 1000) {
      connection.end('missing_key', `No valid API key within ${authentication_seconds} seconds.`);
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
