import { describe, expect, it } from 'vitest'
import {
  type AgentCommandOptions,
  buildAgentCommand,
  isLoopbackAddress,
  needsInsecure,
  pickServerUrl,
} from './wizard-commands.ts'

const options: AgentCommandOptions = {
  platform: 'posix',
  serverUrl: 'https://console.example',
  token: 'abc.DEF-1_2',
  name: 'nas',
  allowLoopback: false,
}

describe('buildAgentCommand', () => {
  it('builds the command of a clone', () => {
    expect(buildAgentCommand(options)).toEqual({
      text: 'npm exec -- homeport agent --server https://console.example --token abc.DEF-1_2 --data ./agent-data --name nas',
      nameLeftOut: false,
    })
  })

  it('leaves out what is not given', () => {
    const { text } = buildAgentCommand({ ...options, token: undefined, name: ' ' })
    expect(text).toBe(
      'npm exec -- homeport agent --server https://console.example --data ./agent-data',
    )
  })

  it('quotes a hostile name and token', () => {
    const { text } = buildAgentCommand({ ...options, token: '$(id)', name: "x'; reboot; '" })
    expect(text).toContain("--token '$(id)'")
    expect(text).toContain("--name 'x'\\''; reboot; '\\'''")
  })

  it('does not let a name pass for an option', () => {
    expect(buildAgentCommand({ ...options, name: '--allow=0.0.0.0/0' }).text).toContain(
      '--name=--allow=0.0.0.0/0',
    )
    expect(buildAgentCommand({ ...options, name: '-a b' }).text).toContain("--name='-a b'")
  })

  it('starts npm on Windows so that -- survives, and leaves out a name its shells misread', () => {
    const windows = { ...options, platform: 'windows' } as const
    expect(buildAgentCommand(windows).text).toMatch(/^npm\.cmd exec -- homeport agent /)
    expect(buildAgentCommand({ ...windows, name: '我的 NAS' }).text).toContain('--name "我的 NAS"')
    const refused = buildAgentCommand({ ...windows, name: '%PATH%' })
    expect(refused.nameLeftOut).toBe(true)
    expect(refused.text).not.toContain('--name')
  })

  it('adds --insecure and --allow-loopback where they are needed', () => {
    const { text } = buildAgentCommand({
      ...options,
      serverUrl: 'http://192.168.1.5:8080',
      allowLoopback: true,
    })
    expect(text).toMatch(/ --insecure --allow-loopback$/)
  })
})

describe('addresses', () => {
  it('knows when plain http leaves this computer', () => {
    expect(needsInsecure('http://localhost:8080')).toBe(false)
    expect(needsInsecure('http://[::1]:8080')).toBe(false)
    expect(needsInsecure('http://127.0.0.1.evil.example')).toBe(true)
    expect(needsInsecure('https://console.example')).toBe(false)
  })

  it('prefers the address the page was opened by when the configured one is loopback', () => {
    expect(pickServerUrl('http://localhost:8080', 'http://192.168.1.5:8080')).toBe(
      'http://192.168.1.5:8080',
    )
    expect(pickServerUrl('http://localhost:8080', 'http://127.0.0.1:8080')).toBe(
      'http://localhost:8080',
    )
    expect(pickServerUrl('https://console.example', 'http://localhost:5173')).toBe(
      'https://console.example',
    )
  })

  it('tells loopback from the network', () => {
    expect(isLoopbackAddress('http://127.9.9.9')).toBe(true)
    expect(isLoopbackAddress('http://10.0.0.1')).toBe(false)
  })
})
