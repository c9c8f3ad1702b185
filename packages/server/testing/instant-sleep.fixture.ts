import { mock } from 'bun:test';

/** A sleep that yields to the event loop and remembers how long it was asked to wait. */
export const instantSleep = () => mock((_ms: number) => new Promise<void>((resolve) => setImmediate(resolve)));
