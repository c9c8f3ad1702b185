// Preloaded into a process: its clock is ahead by TICKWIRE_TEST_CLOCK_SKEW_MS, in every way in which a program reads the time.
const skewMs = Number(process.env.TICKWIRE_TEST_CLOCK_SKEW_MS);
const SystemDate = Date;

class SkewedDate extends SystemDate {
  // biome-ignore lint/suspicious/noExplicitAny: takes the arguments of every form of the constructor
  constructor(...args: any[]) {
    if (args.length === 0) super(SkewedDate.now());
    else super(...(args as [number]));
  }

  static override now(): number {
    return SystemDate.now() + skewMs;
  }
}

globalThis.Date = SkewedDate as DateConstructor;
const { timeOrigin } = performance;
Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin + skewMs });
