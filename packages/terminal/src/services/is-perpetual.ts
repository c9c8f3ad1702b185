/** Whether an instrument is a perpetual, which has funding, open interest and liquidations. */
export const isPerpetual = (symbol: string): boolean => symbol.endsWith('.P');
