export { type Agent, type AgentOptions, isLoopbackServer, startAgent } from './agent.ts'
export { PairingError } from './identity/pair.ts'
