import { networkInterfaces } from 'node:os'
import type { Deployment } from './deployment.ts'

/** What a start has to tell a person. */
export interface BannerFacts {
  version: string
  deployment: Deployment
  port: number
  scheme: 'http' | 'https'
  database: 'SQLite' | 'PostgreSQL'
  /** The administrator's one-time link; null once an administrator exists. */
  setupLink: string | null
  demo: boolean
}

/** The text printed when everything is ready: where the console is and the next step. */
export function renderBanner(facts: BannerFacts): string {
  const { deployment, setupLink } = facts
  const { consoleUrl } = deployment
  const lines = [
    '',
    `归港 Homeport ${facts.version} 已就绪 (ready) · ${deployment.mode} · ${facts.database}`,
    '',
    ...consoleAddresses(facts).map(
      (url, index) => `  ${index === 0 ? '控制台　' : '　　　　'}  ${url}`,
    ),
    `  设备域名  ${consoleUrl.replace('//', '//<名字>.').replace(/(<名字>)\.[^:/]+/, `$1.${deployment.tunnelDomain}`)}`,
  ]
  if (setupLink !== null) {
    lines.push('', '  第一步　  打开这个一次性链接，设置管理员：', `            ${setupLink}`)
  }
  if (facts.demo) {
    const when = setupLink === null ? '在“我的设备”里' : '设置好管理员以后，在“我的设备”里'
    lines.push('', `  示例之家  ${when}打开它：三个网页已经可以从外面访问`)
  }
  lines.push(
    '',
    '  添加设备  在家里的机器上运行，然后打开它显示的链接确认：',
    `            npm exec -- homeport agent --server ${consoleUrl} --data ./agent-data --name nas`,
    ...deployment.warnings.map(warning => `\n  注意　　  ${warning}`),
    '',
    '',
  )
  return lines.join('\n')
}

/** What is printed when the server had to be started again before there was an administrator. */
export const renderNewSetupLink = (url: string): string =>
  `\n  第一步　  之前的一次性链接已失效，请用这个设置管理员：\n            ${url}\n\n`

function consoleAddresses({ deployment, scheme, port }: BannerFacts): string[] {
  if (!deployment.ipLiteralConsole) return [deployment.consoleUrl]
  const addresses = Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .filter(entry => !entry.internal && !entry.address.startsWith('fe80'))
    .map(entry => (entry.family === 'IPv6' ? `[${entry.address}]` : entry.address))
  return [deployment.consoleUrl, ...addresses.map(address => `${scheme}://${address}:${port}`)]
}
