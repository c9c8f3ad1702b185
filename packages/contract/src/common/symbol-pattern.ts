/** Codes that an instrument may have, in any case. Those of perpetuals end with `.P`: BTCUSDT.P. */
export const SYMBOL_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;
