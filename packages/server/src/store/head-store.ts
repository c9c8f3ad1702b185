// Signed heads of the signal log that the service keeps, with the time stamps of outside authorities. All are kept: a head
// is a few hundred bytes, a token a few thousand.

/** A head without the name and key of the log, which are the same for all. */
export interface HeadRow {
  /** Number and hash of the last record. */
  readonly n: number;
  readonly hash: string;
  /** When it was signed, in milliseconds since 1970. */
  readonly at: number;
  /** Ed25519, hex. */
  readonly signature: string;
}

export interface TokenRow {
  /** Address of the authority. */
  readonly authority: string;
  /** Time in the token, in milliseconds since 1970. */
  readonly at: number;
  /** RFC 3161 token, DER in base64. */
  readonly token: string;
}

export interface StoredHead extends HeadRow {
  /** By authority. */
  readonly tokens: readonly TokenRow[];
}

export interface HeadStore {
  /** Keeps the head unless one of the same record is kept already; returns the kept one. */
  keep(head: HeadRow): Promise<StoredHead>;
  /** Adds the token of an authority to the kept head of record `n`. A second token of the same authority is ignored. */
  addToken(n: number, token: TokenRow): Promise<void>;
  /** Heads of records after number `after` (−1: from the first), ascending. */
  list(after: number, limit: number): Promise<StoredHead[]>;
  /** The newest head. */
  last(): Promise<HeadRow | undefined>;
}

/** A row of a head and one of its tokens; the columns of the token are null if it has none. */
export interface HeadTokenRow extends HeadRow {
  readonly authority: string | null;
  readonly tokenAt: number | null;
  readonly token: string | null;
}

/** Of the heads that a subquery `heads` selects. */
export const selectHeads = (heads: string): string =>
  `SELECT h.n, h.hash, h.at, h.signature, t.authority, t.at AS "tokenAt", t.token
   FROM (${heads}) h LEFT JOIN signal_head_tokens t ON t.n = h.n ORDER BY h.n, t.authority`;

/** Groups rows in order of `n`. */
export function toStoredHeads(rows: readonly HeadTokenRow[]): StoredHead[] {
  return [...Map.groupBy(rows, ({ n }) => n).values()].map((group) => {
    const { n, hash, at, signature } = group[0]!;
    const tokens = group.flatMap(({ authority, tokenAt, token }) =>
      authority === null ? [] : [{ authority, at: tokenAt!, token: token! }],
    );
    return { n, hash, at, signature, tokens };
  });
}
