import { CallError, type CallFailureCode, type Client } from '@homeport/contract'
import { describe, expect, it } from 'vitest'
import { hostOf, ownHostOf, settleDecision } from './enter.ts'
import type { GuardDecision } from './guard.ts'

const url = 'http://nas.localhost:8080/a'
const enter = (target = url): GuardDecision => ({
  kind: 'enter',
  url: target,
  nonceHash: 'N',
  otherwise: { kind: 'go', to: '/' },
})

/** A server that gives every ticket the same answer, and notes what it was asked. */
function answering(answer: { location: string } | CallFailureCode) {
  const asked: unknown[] = []
  const client: Client = {
    async call(_call, args) {
      asked.push(args)
      if (typeof answer === 'string') throw new CallError(answer, { detail: '' })
      return answer as never
    },
  }
  return { client, asked }
}

describe('settleDecision', () => {
  it('asks for a ticket and leaves to the location', async () => {
    const location = 'http://nas.localhost:8080/a?__hp_ticket=t'
    const { client, asked } = answering({ location })
    expect(await settleDecision(enter(), client)).toEqual({ kind: 'leave', location })
    expect(asked).toEqual([{ body: { url, n: 'N' } }])
  })

  it('leaves the nonce out where there is none', async () => {
    const { client, asked } = answering({ location: url })
    await settleDecision({ ...enter(), nonceHash: undefined } as GuardDecision, client)
    expect(asked).toEqual([{ body: { url } }])
  })

  it.each<[string, CallFailureCode, { kind: 'go'; to: string }]>([
    ['refused', 'gate_denied', { kind: 'go', to: '/errorport?invalidDomain=nas.localhost' }],
    ['no name of ours', 'url_unknown', { kind: 'go', to: '/' }],
    ['too long to be one', 'invalid_input', { kind: 'go', to: '/' }],
  ])('goes on where it is %s', async (_, code, expected) => {
    expect(await settleDecision(enter(), answering(code).client)).toEqual(expected)
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'nowhere'])(
    'never leaves to %s',
    async location => {
      const { client } = answering({ location })
      expect(await settleDecision(enter(), client)).toEqual({ kind: 'go', to: '/' })
    },
  )

  it.each<CallFailureCode>(['network', 'timeout', 'internal', 'not_signed_in'])(
    'throws %s for the page to retry',
    async code => {
      await expect(settleDecision(enter(), answering(code).client)).rejects.toMatchObject({ code })
    },
  )

  it('asks nobody for other decisions', async () => {
    const { client, asked } = answering('internal')
    expect(await settleDecision({ kind: 'show' }, client)).toEqual({ kind: 'show' })
    expect(asked).toEqual([])
  })
})

describe('hostOf', () => {
  it('gives the host without port and credentials', () => {
    expect(hostOf('https://good@evil.example:8443/x')).toBe('evil.example')
    expect(hostOf('not an address')).toBeUndefined()
  })
})

describe('ownHostOf', () => {
  it.each([
    ['http://nas.tunnel.example:8443/x', 'nas.tunnel.example'],
    ['https://NAS.tunnel.example', 'nas.tunnel.example'],
    ['https://nas.tunnel.example@evil.example/', undefined],
    ['https://tunnel.example.evil.example/', undefined],
    ['https://eviltunnel.example/', undefined],
    ['javascript://nas.tunnel.example/%0aalert(1)', undefined],
    ['//nas.tunnel.example/', undefined],
    ['', undefined],
  ])('of %s is %s', (url, host) => {
    expect(ownHostOf(url, 'tunnel.example')).toBe(host)
  })

  it('is unknown before the settings are', () => {
    expect(ownHostOf('https://nas.tunnel.example/', undefined)).toBeUndefined()
  })
})
