import { errorKinds } from '@homeport/contract'
import { TUNNEL_ERRORS } from '@homeport/tunnel'
import { generatedNotice, renderTable } from './markdown.ts'

/** docs/errors.md: the API's error registry and the tunnel's, row by row. */
export async function renderErrors(): Promise<string> {
  const api = Object.entries(errorKinds).map(([code, { status, retry, report, zh, en }]) => [
    `\`${code}\``,
    String(status),
    retry,
    report ? 'yes' : 'no',
    zh,
    en,
  ])
  const tunnel = TUNNEL_ERRORS.map(({ number, code, retry, title }) => [
    String(number),
    `\`${code}\``,
    retry,
    title,
  ])
  return `${generatedNotice}

# Errors

Branch on the code alone: codes are stable, sentences are not. Retry says when the same request may be sent again:
\`now\`, \`later\` (after a growing pause), or \`never\` (not before somebody changed something).

## API

Answers are \`application/problem+json\` (RFC 9457). Reported errors are faults that an operator must look at.

${renderTable(['code', 'status', 'retry', 'reported', '中文', 'English'], api)}

## Tunnel

Numbers travel between relay and agent and are never used again for another meaning.

${renderTable(['number', 'code', 'retry', 'meaning'], tunnel)}
`
}
