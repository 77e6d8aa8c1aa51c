import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import './test-names.ts'
import { startBrowser } from './browser.ts'
import { freePort, type Homeport, type Program, startHomeport } from './processes.ts'

/** The registrable domain that console and tunnels share. */
export const site = 'hp.test'

/** A deployment whose console and names are siblings, and a browser that finds them. */
export interface Siblings {
  homeport: Homeport
  browser: Browser
  /** Origin of a name. */
  nameUrl(label: string): string
  dispose(): Promise<void>
}

/** Flags of a deployment under the shared domain. */
export const siblingFlags = (scheme: 'http' | 'https', port: number): string[] => [
  '--public-url',
  `${scheme}://console.${site}:${port}`,
  '--tunnel-domain',
  `tunnels.${site}`,
]

/** Starts it; on https with a certificate of its own making, which programs here are told to trust. */
export async function startSiblings(scheme: 'http' | 'https'): Promise<Siblings> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-siblings-'))
  const port = await freePort()
  const certificate = scheme === 'https' ? await makeCertificate(folder) : undefined
  const secure =
    certificate === undefined
      ? ['--insecure-http']
      : ['--tls-cert', certificate.cert, '--tls-key', certificate.key]
  const preload = new URL('./test-names.ts', import.meta.url).href
  const deployment = await startHomeport(
    [...siblingFlags(scheme, port), '--same-site-tunnels', ...secure],
    {
      port,
      env: {
        NODE_OPTIONS: `--import=${preload}`,
        ...(certificate && { NODE_EXTRA_CA_CERTS: certificate.cert }),
      },
    },
  )
  const browser = await startBrowser([
    `--host-resolver-rules=MAP *.${site} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost`,
    '--ignore-certificate-errors',
  ])
  const url = `${scheme}://console.${site}:${port}`
  const startAgent = (args: readonly string[], options?: object): Program =>
    deployment.startAgent(
      [...args, '--allow-loopback', ...(scheme === 'http' ? ['--insecure'] : [])],
      options,
    )
  return {
    homeport: { ...deployment, url, startAgent },
    browser,
    nameUrl: label => `${scheme}://${label}.tunnels.${site}:${port}`,
    async dispose() {
      await browser.close()
      await deployment.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function makeCertificate(folder: string): Promise<{ cert: string; key: string }> {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const names = `subjectAltName=DNS:console.${site},DNS:*.tunnels.${site}`
  const make = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=homeport'
  const command = ['req', ...make.split(' '), '-addext', names, '-keyout', key, '-out', cert]
  await promisify(execFile)('openssl', command)
  const own = await readFile(cert, 'utf8')
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), own])
  return { cert, key }
}
