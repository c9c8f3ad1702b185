/** A symbol in upper case and without the slash that people write between currencies: `EUR/USD` is EURUSD. No symbol has a slash. */
export const plainSymbol = (symbol: string): string => symbol.toUpperCase().replaceAll('/', '');
