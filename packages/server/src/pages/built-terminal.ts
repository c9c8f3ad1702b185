// Replaced by `npm run pack`, so that packages and executables contain the built terminal and not its sources.

/** The path of the file that `packTerminal` made, or null in a checkout. */
export const builtTerminal: string | null = null;
