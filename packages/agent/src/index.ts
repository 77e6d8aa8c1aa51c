export { type Agent, startAgent } from './agent.ts'
export { loadIdentity, savePairing } from './identity/identity-file.ts'
export { agentMemory } from './memory.ts'
