// The checks of a proof, in one file that is loaded on request. It must not import anything that the rest of
// the terminal uses, so that no code is loaded twice or early.
export { recordHash } from './canonical.ts';
export { checkChain, checkHead } from './check-log.ts';
export { checkProof } from './check-proof.ts';
export { checkPublisher } from './check-publisher.ts';
