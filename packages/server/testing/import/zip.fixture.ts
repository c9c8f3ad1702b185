// Creates small zip files, valid or deliberately invalid.
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  readonly name: string;
  readonly content: Uint8Array | string;
  /** 0: stored, not deflated. */
  readonly method?: number;
  readonly flags?: number;
  /** A wrong size in the directory. */
  readonly declaredSize?: number;
  readonly declaredCrc?: number;
}

/** A zip of these files; `zip64` writes every size into ZIP64 fields. */
export function zipOf(files: readonly ZipFile[], { zip64 = false, comment = '' } = {}): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, method = 8, flags = 0, ...declared } of files) {
    const bytes = Buffer.from(content);
    const compressed = method === 8 ? deflateRawSync(bytes) : bytes;
    const size = declared.declaredSize ?? bytes.length;
    const crc = declared.declaredCrc ?? crc32(bytes);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const extra = Buffer.alloc(zip64 ? 28 : 0);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(crc, 16);
    central.writeUInt32LE(zip64 ? 0xffffffff : compressed.length, 20);
    central.writeUInt32LE(zip64 ? 0xffffffff : size, 24);
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(zip64 ? 0xffffffff : at, 42);
    if (zip64) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      for (const [index, value] of [size, compressed.length, at].entries())
        extra.writeBigUInt64LE(BigInt(value), 4 + index * 8);
    }
    parts.push(local, Buffer.from(name), compressed);
    directory.push(central, Buffer.from(name), extra);
    at += 30 + Buffer.byteLength(name) + compressed.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  return Uint8Array.from(Buffer.concat([...parts, ...directory, endRecord(files.length, length, at, zip64, comment)]));
}

function endRecord(count: number, length: number, at: number, zip64: boolean, comment: string): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(zip64 ? 0xffff : count, 10);
  end.writeUInt32LE(zip64 ? 0xffffffff : length, 12);
  end.writeUInt32LE(zip64 ? 0xffffffff : at, 16);
  end.writeUInt16LE(comment.length, 20);
  if (!zip64) return Buffer.concat([end, Buffer.from(comment)]);
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  for (const [index, value] of [count, length, at].entries()) end64.writeBigUInt64LE(BigInt(value), 32 + index * 8);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(at + length), 8);
  return Buffer.concat([end64, locator, end, Buffer.from(comment)]);
}
