// How often long proofs repeat: less in CI, and as published with `npm run test:full`.

export const isFull = process.env.TICKWIRE_TEST_FULL === '1';

export const atScale = <T>(reduced: T, full: T): T => (isFull ? full : reduced);
