import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRelay } from '@homeport/relay'
import {
  ConfigError,
  type ConfigOf,
  createLogger,
  type Part,
  startParts,
  stopOnSignals,
  systemClock,
} from '@homeport/runtime'
import { readSmtpSettings, type ServerSettings } from '@homeport/server'
import { startDemo } from '../demo/demo.ts'
import type { upOptions } from '../options.ts'
import { version } from '../version.ts'
import { renderBanner, renderNewSetupLink } from './banner.ts'
import { settleDeployment } from './deployment.ts'
import { loadSecretKey } from './secret-key.ts'
import { createServerSocket } from './server-socket.ts'
import { createServerThread } from './server-thread.ts'
import { settleSignOn } from './sign-on-settings.ts'
import { settleSms } from './sms.ts'

const consoleFiles = fileURLToPath(new URL('../../../console/dist', import.meta.url))

/** `homeport up`: relay and server under one command on one port, until it is told to stop. */
export async function runUp(options: ConfigOf<typeof upOptions>): Promise<void> {
  const { deployment, signOn, sms, smtp } = settle(options)
  const logger = createLogger({ level: options.log, name: 'relay' })
  const dataFolder = resolve(options.data)
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const socket = await createServerSocket()
  const settings: ServerSettings = {
    listen: { path: socket.path },
    consoleUrl: deployment.consoleUrl,
    tunnelDomain: deployment.tunnelDomain,
    extraConsoleHosts: deployment.ipLiteralConsole ? 'ip-literals' : 'none',
    mode: deployment.mode,
    billing: options.billing,
    signup: options.signup,
    ...signOn,
    sms,
    ...(smtp === null ? {} : { smtp }),
    tcpPorts: { from: options.tcpPorts.first, to: options.tcpPorts.last },
    dataFolder,
    secretKey: await loadSecretKey(dataFolder, options.secretKey),
    consoleFiles,
    version,
    ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }),
    ...(options.adminPassword === undefined ? {} : { adminPassword: options.adminPassword }),
  }
  const { consoleUrl } = deployment
  const demo = options.demo
    ? await startDemo({
        consoleUrl,
        dataFolder,
        version,
        logger: createLogger({ level: options.log, name: 'demo' }),
      })
    : null
  const server = createServerThread({
    settings,
    logLevel: options.log,
    logger,
    demo: demo?.home ?? null,
    onDemo: uid => demo?.link(uid),
    onSetupLink: url => process.stdout.write(renderNewSetupLink(url)),
  })
  const relay = createRelay({
    host: options.host,
    port: options.port,
    tls: tlsFiles(options),
    consoleUrl: deployment.consoleUrl,
    tunnelDomain: deployment.tunnelDomain,
    allowIpLiteralConsole: deployment.ipLiteralConsole,
    serverAddress: { path: socket.path },
    trustedProxies: options.trustedProxies,
    proxyProtocol: options.proxyProtocol,
    limits: {
      door: { connections: options.visitorLimit },
      carry: { heldBytes: options.heldLimitMib * 1024 * 1024 },
      ports: { connections: options.tcpLimit },
      links: { links: options.linkLimit, unreadBytes: options.unreadLimitMib * 1024 * 1024 },
    },
    relayId: 'built-in',
    version,
    logger,
    connectControl: server.connectControl,
    isServerSilent: server.isSilent,
  })
  const parts: Part[] = [
    { name: 'socket', close: socket.remove },
    { name: 'server', start: server.start, refuse: server.refuse, close: server.stop },
    { name: 'relay', start: relay.start, close: relay.stop },
    ...(demo === null ? [] : [{ name: 'demo', close: demo.stop }]),
  ]
  const running = await startParts(parts, { logger, clock: systemClock })
  stopOnSignals(running, logger)
  process.stdout.write(
    renderBanner({
      version,
      deployment,
      port: options.port,
      scheme: options.tlsCert === undefined ? 'http' : 'https',
      database: options.databaseUrl === undefined ? 'SQLite' : 'PostgreSQL',
      setupLink: server.setupLink(),
      demo: options.demo,
    }),
  )
}

function settle(options: ConfigOf<typeof upOptions>) {
  const settled = settleDeployment(options)
  const missing = [options.tlsCert, options.tlsKey]
    .filter(file => file !== undefined)
    .filter(file => !existsSync(file))
    .map(file => `${file} does not exist`)
  const signOn = settleSignOn(options)
  const { sms, problems: smsProblems } = settleSms(
    options,
    settled.ok ? settled.deployment.mode : null,
  )
  const mail = readSmtpSettings(options.smtpUrl, options.mailFrom)
  const problems = [
    ...(settled.ok ? [] : settled.problems),
    ...(signOn.ok ? [] : signOn.problems),
    ...smsProblems,
    ...mail.problems,
    ...missing,
  ]
  if (!settled.ok || !signOn.ok || problems.length > 0) throw new ConfigError(problems)
  return { deployment: settled.deployment, signOn: signOn.settings, sms, smtp: mail.smtp }
}

function tlsFiles({ tlsCert, tlsKey }: ConfigOf<typeof upOptions>) {
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  return { certFile: resolve(tlsCert), keyFile: resolve(tlsKey) }
}
