import { agentMemory } from '@homeport/agent'
import { deafLinkBytes, limitsOf, type MemoryTerm, relayMemory, sumMemory } from '@homeport/relay'
import { renderTable } from './markdown.ts'

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB

/** The chapter of docs/limits.md that answers how much memory each part can use, computed from the limits themselves. */
export function renderMemory(): string {
  const relay = relayMemory(limitsOf({}), true)
  const small = relayMemory(
    limitsOf({
      limits: {
        door: { connections: 500 },
        ports: { connections: 200 },
        carry: { heldBytes: 128 * MIB },
        links: { links: 200, handshakes: 200, unreadBytes: 32 * MIB },
        arrival: { handshakes: 200 },
      },
    }),
    true,
  )
  const { flowsPerDevice } = limitsOf({}).links
  const agent = agentMemory(flowsPerDevice)
  return `## How much memory can this use

Each sum is computed from the limits below when this page is generated; a test fills a relay with visitors who neither read nor are read
and holds its memory against the same arithmetic. What the kernel keeps for sockets is not in it (on Linux at most \`tcp_rmem\` and
\`tcp_wmem\`, some MiB for each connection that stands still, \`tcp_mem\` for all).

### Relay

Idle: everything is connected and nobody asks for anything. Worst: strangers fill every place and both budgets of bytes, and neither read
nor are read, over TLS; they need ${format(sumMemory(relay, 'worstBytes'))} of resident memory to be served at once.

${renderTerms(relay)}

What a visitor makes the relay hold is counted at its worst, and all visitors share one budget of it (\`heldBytes\`): the head of its
request, reads that nobody takes (128 KiB and, over TLS, 64 more, of a paused visitor; 72 KiB of a paused flow), and what waits to be written
either way (twice, for views of larger chunks, once more encrypted over TLS, and one read). One alone comes to little more than 1 MiB. Beyond the
budget those are cut that hold most for longest, bytes times the square of the time they stand still (10 s at most), until an eighth is
free: long heads that are not finished go first, a visitor that takes what it is given goes last. What waits unread in the windows of flows has the other budget. A link whose agent does not read may
hold ${format(deafLinkBytes)} more; only paired devices have links.

To lower it: \`HOMEPORT_VISITOR_LIMIT\`, \`HOMEPORT_TCP_LIMIT\`, \`HOMEPORT_LINK_LIMIT\`, \`HOMEPORT_HELD_LIMIT_MIB\` and
\`HOMEPORT_UNREAD_LIMIT_MIB\` ([environment.md](environment.md)). With 500 visitors, 200 at tcp ports, 200 links, 128 MiB held and 32 MiB
unread the sum is
${format(sumMemory(small, 'worstBytes'))}. A limit of the system (\`MemoryMax=\` of systemd, a container's limit) below the sum is safe for homes in
ordinary use, and ends the relay when strangers use all of theirs.

### Server

Under \`homeport up\` it runs beside the relay. What grows with use: passwords (\`runningLimit\` at a time, 19 MiB each), calls whose bodies
arrive (\`bodyLimitBytes\` each, no more of them than the relay lets visitors connect), pages that listen for events
(\`waitingLimitBytes\` each, \`streamsPerUserLimit\` for each user, no more than the relay lets connect either), and what it remembers of
addresses and accounts (\`addressLimit\` and \`keyLimit\`, about 150 bytes each).

### Agent

${renderTerms(agent)}

A flow costs the agent that much only while neither side reads; the relay opens at most ${flowsPerDevice.toLocaleString('en-US')} to one device.
`
}

function renderTerms(terms: readonly MemoryTerm[]): string {
  const rows = terms.map(({ what, count, idleBytes, worstBytes }) => [
    what,
    ...(what.startsWith('bytes ')
      ? [format(count), '-', `× ${worstBytes}`]
      : [count.toLocaleString('en-US'), formatEach(idleBytes), formatEach(worstBytes)]),
    format(count * idleBytes),
    format(count * worstBytes),
  ])
  const sums = [format(sumMemory(terms, 'idleBytes')), format(sumMemory(terms, 'worstBytes'))]
  rows.push(['**sum**', '', '', '', ...sums.map(sum => `**${sum}**`)])
  const head = ['what', 'at most', 'each, idle', 'each, worst', 'all, idle', 'all, worst']
  return renderTable(head, rows)
}

const formatEach = (bytes: number): string => (bytes === 0 ? '-' : format(bytes))

function format(bytes: number): string {
  if (bytes === 0) return '-'
  if (bytes >= GIB) return `${(bytes / GIB).toFixed(1)} GiB`
  if (bytes >= MIB) return `${Math.ceil(bytes / MIB)} MiB`
  if (bytes >= KIB) return `${Math.ceil(bytes / KIB)} KiB`
  return `${bytes} bytes`
}
