// Addresses of the terminal: `/markets/EURUSD/5m`, `/signals/sig_…`, `/publishers/Some%20name`, `/news`, `/settings#keys`.
// The root is the markets page.

/** Parts of a path, decoded; `null` if it is malformed, such as a lone percent sign. */
export function partsOf(pathname: string): readonly string[] | null {
  try {
    return pathname
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
  } catch {
    return null;
  }
}

export function pathOf(...parts: readonly string[]): string {
  return `/${parts.map(encodeURIComponent).join('/')}`;
}
