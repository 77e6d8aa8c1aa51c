export { createRelay, type Relay } from './app.ts'
export type { RelayConfig, RelayLimits, ServerAddress } from './config.ts'
