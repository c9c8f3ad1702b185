// The cases that implementations of RFC 6455 are known to get wrong, over a raw socket, against one and the same service:
// all of it is done to it in turn, and after each case a bystander must have had every tick in time.
import { describe } from 'bun:test';
import { closing } from './closing.contract.ts';
import { controlFrames } from './control-frames.contract.ts';
import { endlessHandshakes } from './endless-handshake.contract.ts';
import { fragmentation } from './fragmentation.contract.ts';
import { framing } from './framing.contract.ts';
import { handshakes } from './handshake.contract.ts';
import { lengths } from './lengths.contract.ts';
import { slowHandshakes } from './slow-handshake.contract.ts';
import { setStage } from './stage.fixture.ts';
import { utf8 } from './utf8.contract.ts';

const stage = setStage();
const whatBecameOfThem = endlessHandshakes(stage);

describe('the handshake', () => handshakes(stage));
describe('the handshake, slow or large', () => slowHandshakes(stage));
describe('frames', () => framing(stage));
describe('lengths', () => lengths(stage));
describe('fragments', () => fragmentation(stage));
describe('control frames', () => controlFrames(stage));
describe('text', () => utf8(stage));
describe('closing', () => closing(stage));
describe('a handshake without an end', whatBecameOfThem);
