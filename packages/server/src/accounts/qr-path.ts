// A QR code as SVG path data, one unit per module, so that a page can draw it without a library.
import { encode } from 'uqr';

/** Modules of white space around the code, which scanners need. */
const QUIET_ZONE = 4;

export interface QrPath {
  /** Width and height in modules, with the quiet zone. */
  readonly size: number;
  /** The dark modules. */
  readonly path: string;
}

export function qrPath(text: string): QrPath {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const runs = data.flatMap((row, y) => {
    const line = row.map((dark) => (dark ? '1' : '0')).join('');
    return [...line.matchAll(/1+/g)].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`);
  });
  return { size, path: runs.join('') };
}
