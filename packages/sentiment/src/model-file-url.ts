/** Where the model stands beside this code. Reading it is the caller's: this package does no I/O. */
export const modelFile: URL = new URL('../model/sentiment.bin', import.meta.url);
