export type { Administration } from './administration.ts'
export type { LimitSettings, ServerConfig, ServerSettings } from './config.ts'
export { createServer, type HomeportServer, openAdministration } from './server.ts'
export { type ServerWorker, startServerWorker } from './worker-host.ts'
