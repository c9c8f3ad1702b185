// Cases of RFC 6455 that implementations are known to get wrong, over a raw socket, one after the other against one service. After
// each case a bystander must have received every tick in time.
import { describe } from 'bun:test';
import { closing } from './closing.suite.ts';
import { startConformanceService } from './conformance-service.fixture.ts';
import { controlFrames } from './control-frames.suite.ts';
import { endlessHandshakes } from './endless-handshake.suite.ts';
import { fragmentation } from './fragmentation.suite.ts';
import { framing } from './framing.suite.ts';
import { handshakes } from './handshake.suite.ts';
import { lengths } from './lengths.suite.ts';
import { slowHandshakes } from './slow-handshake.suite.ts';
import { utf8 } from './utf8.suite.ts';

const target = startConformanceService();
const checkEndlessHandshakes = endlessHandshakes(target);

describe('the handshake', () => handshakes(target));
describe('the handshake, slow or large', () => slowHandshakes(target));
describe('frames', () => framing(target));
describe('lengths', () => lengths(target));
describe('fragments', () => fragmentation(target));
describe('control frames', () => controlFrames(target));
describe('text', () => utf8(target));
describe('closing', () => closing(target));
describe('a handshake without an end', checkEndlessHandshakes);
