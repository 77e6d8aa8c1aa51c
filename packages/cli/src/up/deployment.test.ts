import { describe, expect, it } from 'vitest'
import { type DeploymentInput, settleDeployment } from './deployment.ts'

const input = (extra: Partial<DeploymentInput> = {}): DeploymentInput => ({
  port: 8080,
  host: '127.0.0.1',
  publicUrl: undefined,
  tunnelDomain: 'localhost',
  mode: undefined,
  tlsCert: undefined,
  tlsKey: undefined,
  sameSiteTunnels: false,
  insecureHttp: false,
  trustedProxies: [],
  proxyProtocol: 'off',
  ...extra,
})

const settled = (extra?: Partial<DeploymentInput>) => {
  const result = settleDeployment(input(extra))
  if (!result.ok) throw new Error(result.problems.join('; '))
  return result.deployment
}

const problemsOf = (extra: Partial<DeploymentInput>) => {
  const result = settleDeployment(input(extra))
  return result.ok ? [] : result.problems
}

const tls = { tlsCert: 'c.pem', tlsKey: 'k.pem' }

describe('deployment', () => {
  it('is a development one on this machine by default', () => {
    expect(settled()).toEqual({
      mode: 'development',
      consoleUrl: 'http://localhost:8080',
      tunnelDomain: 'localhost',
      ipLiteralConsole: false,
      warnings: [],
    })
  })

  it('is a production one on a public name', () => {
    const deployment = settled({
      ...tls,
      host: '0.0.0.0',
      publicUrl: 'https://console.example.com/',
      tunnelDomain: 'Tunnel.Example.NET.',
    })
    expect(deployment).toMatchObject({
      mode: 'production',
      consoleUrl: 'https://console.example.com',
      tunnelDomain: 'tunnel.example.net',
      ipLiteralConsole: false,
    })
  })

  it('serves the console on every address where nobody named one, and says that it is in the clear', () => {
    const deployment = settled({ host: '0.0.0.0' })
    expect(deployment.mode).toBe('production')
    expect(deployment.ipLiteralConsole).toBe(true)
    expect(deployment.warnings).toHaveLength(1)
  })

  it.each([
    ['a listener that others reach', { mode: 'development', host: '0.0.0.0' }],
    [
      'a public name',
      {
        mode: 'development',
        ...tls,
        publicUrl: 'https://console.example.com',
        tunnelDomain: 'e.net',
      },
    ],
  ] as const)('refuses development with %s', (_, extra) => {
    expect(problemsOf(extra)).toEqual([expect.stringContaining('HOMEPORT_MODE=development')])
  })

  it.each([
    ['a parent', 'console.example.com', 'example.com'],
    ['a sibling', 'console.example.com', 'tunnel.example.com'],
    ['under a public suffix of two labels', 'console.example.co.uk', 't.example.co.uk'],
  ])('refuses tunnels that share the site of the console: %s', (_, host, tunnelDomain) => {
    const extra = { ...tls, host: '0.0.0.0', publicUrl: `https://${host}`, tunnelDomain }
    expect(problemsOf(extra)).toEqual([expect.stringContaining('registrable domain')])
    expect(problemsOf({ ...extra, sameSiteTunnels: true })).toEqual([])
  })

  it('lets two tenants of a public suffix be strangers', () => {
    const extra = { ...tls, publicUrl: 'https://a.github.io', tunnelDomain: 'b.github.io' }
    expect(problemsOf(extra)).toEqual([])
  })

  it('refuses http on a public name unless told so', () => {
    const extra = { publicUrl: 'http://console.example.com', tunnelDomain: 'example.net' }
    expect(problemsOf(extra)).toEqual([expect.stringContaining('in the clear')])
    expect(problemsOf({ ...extra, insecureHttp: true })).toEqual([])
  })

  it('names every problem at once', () => {
    const problems = problemsOf({
      tlsCert: 'c.pem',
      publicUrl: 'ftp://console.example.com/path',
      tunnelDomain: '10.0.0.1',
      mode: 'development',
    })
    expect(problems).toHaveLength(4)
  })

  it('takes PROXY headers from named proxies alone', () => {
    expect(problemsOf({ proxyProtocol: 'door' })).toEqual([
      expect.stringContaining('HOMEPORT_TRUSTED_PROXIES'),
    ])
    expect(problemsOf({ proxyProtocol: 'all', trustedProxies: ['10.0.0.0/8'] })).toEqual([])
  })
})
