export * from './brands.ts';
export * from './events.ts';
export * from './instrument.ts';
export * from './price.ts';
