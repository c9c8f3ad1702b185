// The signal log of a realm and its signed heads.
import { table } from './table.ts';

export const SIGNAL_LOG = table('signal_log', ['n'], { n: 'int', hash: 'text', text: 'text' });

/**
 * Keyed by the record that published it: signals are read in this order. A signal that was voided while it was active has the same
 * record in closed_n and voided_n.
 */
export const SIGNALS = table(
  'signals',
  ['published_n'],
  {
    published_n: 'int REFERENCES signal_log (n)',
    id: 'text UNIQUE',
    publisher: 'text',
    symbol: 'text',
    closed_n: 'int? UNIQUE REFERENCES signal_log (n)',
    published_at: 'int',
    quote_at: 'int',
    filled_at: 'int?',
    decided_at: 'int?',
    rank_r: 'float?',
    voided_n: 'int? UNIQUE REFERENCES signal_log (n)',
    note: 'text?',
    idem_key: 'text?',
    idem_hash: 'bytes?',
  },
  {
    more: [
      'active INTEGER NOT NULL GENERATED ALWAYS AS (CASE WHEN closed_n IS NULL THEN 1 ELSE 0 END) STORED',
      'CHECK (closed_n IS NULL OR (decided_at IS NOT NULL AND rank_r IS NOT NULL))',
      'CHECK ((idem_key IS NULL) = (idem_hash IS NULL))',
    ],
    indexes: {
      active: { on: 'active', inOrder: true },
      symbol: { on: 'symbol, active', inOrder: true },
      publisher: { on: 'publisher, active', inOrder: true },
      idempotency: { on: 'publisher, idem_key', where: 'idem_key IS NOT NULL', inOrder: true },
    },
  },
);

/** The records about each signal. stream: the kind of message that announces it. */
export const SIGNAL_RECORDS = table(
  'signal_records',
  ['n'],
  {
    n: 'int REFERENCES signal_log (n)',
    published_n: 'int REFERENCES signals (published_n)',
    symbol: 'text',
    stream: 'text?',
  },
  { indexes: { signal: { on: 'published_n', inOrder: true }, symbol: { on: 'symbol, stream', inOrder: true } } },
);

/** The signing key of each publisher that ever had one, and when its newest accepted request was signed. */
export const SIGNAL_KEYS = table('signal_keys', ['publisher'], {
  publisher: 'text',
  public_key: 'text?',
  n: 'int REFERENCES signal_log (n)',
  signed_at: 'int',
});

export const SIGNAL_GAPS = table('signal_gaps', ['seq', 'symbol', 'from'], {
  seq: 'int',
  symbol: 'text',
  from: 'int',
  to: 'int',
});

/**
 * Days of tape that closed signals were judged by, and the record that sealed them (0: none yet: the log begins with another
 * record). Those of active ones follow from quote_at.
 */
export const SIGNAL_DAYS = table(
  'signal_days',
  ['day', 'symbol'],
  { day: 'text', symbol: 'text', sealed: 'int' },
  { indexes: { unsealed: { on: 'day, symbol', where: 'sealed = 0' } } },
);

/** Signed heads that are kept. */
export const SIGNAL_HEADS = table('signal_heads', ['n'], { n: 'int', hash: 'text', at: 'int', signature: 'text' });

/** Their RFC 3161 time stamps (base64). */
export const SIGNAL_HEAD_TOKENS = table(
  'signal_head_tokens',
  ['n', 'authority'],
  { n: 'int REFERENCES signal_heads (n)', authority: 'text', at: 'int', token: 'text' },
  { large: true },
);
