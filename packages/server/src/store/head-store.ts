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
