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
  if (facts.demo) lines.push('', '  示例之家  管理员设置完成后自动上线，带三个可以打开的网页')
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

function consoleAddresses({ deployment, scheme, port }: BannerFacts): string[] {
  if (!deployment.ipLiteralConsole) return [deployment.consoleUrl]
  const addresses = Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .filter(entry => !entry.internal && !entry.address.startsWith('fe80'))
    .map(entry => (entry.family === 'IPv6' ? `[${entry.address}]` : entry.address))
  return [deployment.consoleUrl, ...addresses.map(address => `${scheme}://${address}:${port}`)]
}
