export function platformPackage(platform?: string, arch?: string, musl?: boolean): string | undefined;
export function findBun(): string | undefined;
export function launch(args: readonly string[], options?: { channel?: boolean }): void;
