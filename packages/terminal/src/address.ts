// The selected instrument stands in the address (`#EURUSD`), so that a link or a reload comes back to it.

export function symbolInAddress(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1)).toUpperCase();
  } catch {
    // Somebody typed a lone percent sign.
    return '';
  }
}

export function putSymbolInAddress(symbol: string): void {
  history.replaceState(null, '', `#${encodeURIComponent(symbol)}`);
}
