// SHA-256 of a whole text (in UTF-8) or of bytes. Data that arrives in pieces uses `createHash`.

export const sha256 = (data: string | Uint8Array): Buffer => Bun.CryptoHasher.hash('sha256', data);

export const sha256Hex = (data: string | Uint8Array): string => Bun.CryptoHasher.hash('sha256', data, 'hex');

/** The source of a content security policy that allows an inline script or style. */
export const cspHash = (text: string): string => `'sha256-${Bun.CryptoHasher.hash('sha256', text, 'base64')}'`;
