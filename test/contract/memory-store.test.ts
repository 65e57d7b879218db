import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { describeStore } from './store.contract.ts';

describeStore('memory', (clock) => new MemoryStore(clock));
