import { quoteForPosix, quoteForWindows } from './shell-quote.ts'

/** Ways to run the agent that can be offered today. */
export type AgentPlatform = 'posix' | 'windows'

/** What the command is made of. Without a token the agent prints an address where the device is confirmed. */
export interface AgentCommandOptions {
  platform: AgentPlatform
  /** Origin of the console as the device reaches it. */
  serverUrl: string
  token: string | undefined
  /** Name the device appears under; empty: the agent takes its host name. */
  name: string
  /** Lets names lead to services of the device itself, not only of its network. */
  allowLoopback: boolean
}

/** A command to copy; `nameLeftOut` where this platform's shells could misread the name. */
export interface AgentCommand {
  text: string
  nameLeftOut: boolean
}

/** Builds the command that starts an agent from a clone of the project. */
export function buildAgentCommand(options: AgentCommandOptions): AgentCommand {
  const isWindows = options.platform === 'windows'
  const quote = isWindows ? quoteForWindows : quoteForPosix
  const name = options.name.trim()
  const quotedName = name === '' ? null : quote(name)
  const words = [
    // PowerShell swallows the bare `--` of npm's own script; the .cmd starter gets it as it stands.
    isWindows ? 'npm.cmd exec -- homeport agent' : 'npm exec -- homeport agent',
    ...option('--server', quote(options.serverUrl)),
    ...option('--token', options.token === undefined ? null : quote(options.token)),
    ...option('--data', './agent-data'),
    ...option('--name', quotedName),
    ...(needsInsecure(options.serverUrl) ? ['--insecure'] : []),
    ...(options.allowLoopback ? ['--allow-loopback'] : []),
  ]
  return { text: words.join(' '), nameLeftOut: name !== '' && quotedName === null }
}

// A value that begins with a hyphen would be read as an option of its own.
const option = (flag: string, value: string | null): string[] => {
  if (value === null) return []
  return [/^['"]?-/.test(value) ? `${flag}=${value}` : `${flag} ${value}`]
}

/** True where the agent refuses the address without `--insecure`: plain http to another machine. */
export function needsInsecure(serverUrl: string): boolean {
  const url = new URL(serverUrl)
  return url.protocol === 'http:' && !isLoopback(url.hostname)
}

/** True where only this very computer reaches the address. */
export function isLoopbackAddress(serverUrl: string): boolean {
  return isLoopback(new URL(serverUrl).hostname)
}

/**
 * The origin an agent should be given. Where the console is configured for this computer only but the page was opened by
 * another address of it, that other address is the one that works from the network.
 */
export function pickServerUrl(consoleUrl: string, pageOrigin: string): string {
  return isLoopbackAddress(consoleUrl) && !isLoopbackAddress(pageOrigin) ? pageOrigin : consoleUrl
}

const isLoopback = (hostname: string) =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
