import { describe, expect, it } from 'vitest'
import { signOut } from './sign-out.ts'

async function run(providerLogoutUrl: string | undefined) {
  const steps: string[] = []
  await signOut({
    providerLogoutUrl,
    startJsonp: url => steps.push(`jsonp ${url}`),
    wait: async ms => {
      steps.push(`wait ${ms}`)
    },
    go: url => steps.push(`go ${url}`),
  })
  return steps
}

describe('signOut', () => {
  it('calls the provider first, and the server 1000 ms later', async () => {
    expect(await run('https://sso.example/logout')).toEqual([
      'jsonp https://sso.example/logout',
      'wait 1000',
      'go /custom/logout',
    ])
  })

  it('goes on where the call to the provider cannot even be made', async () => {
    const steps: string[] = []
    const logged: unknown[][] = []
    const realError = console.error
    console.error = (...args) => logged.push(args)
    await signOut({
      providerLogoutUrl: 'http://[',
      startJsonp: url => void new URL(url),
      wait: async ms => {
        steps.push(`wait ${ms}`)
      },
      go: url => steps.push(`go ${url}`),
    }).finally(() => {
      console.error = realError
    })
    expect(steps).toEqual(['wait 1000', 'go /custom/logout'])
    expect(logged).toHaveLength(1)
  })

  it('has no such step where no provider is configured', async () => {
    expect(await run(undefined)).toEqual(['wait 1000', 'go /custom/logout'])
  })
})
