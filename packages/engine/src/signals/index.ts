export * from './accept.ts';
export * from './order.ts';
export * from './verifier.ts';
