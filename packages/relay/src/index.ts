export { createRelay, type Relay } from './app.ts'
export { limitsOf, type RelayConfig, type RelayLimits, type ServerAddress } from './config.ts'
export { deafLinkBytes, type MemoryTerm, relayMemory, sumMemory } from './memory.ts'
