import type { Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestHeld } from '../testing/held.ts'
import { ask, createCleanups, type RawVisitor, visit } from './test-door.ts'

const cleanups = createCleanups()
afterEach(cleanups.run)
const { door, target, httpTarget } = cleanups

const kib = 1024
const get = (lines = '') => `GET / HTTP/1.1\r\nHost: a\r\n${lines}\r\n`
const close = 'Connection: close\r\n'
const fields = (count: number) =>
  Array.from({ length: count }, (_, index) => `X-${index}: ${'x'.repeat(8_000)}\r\n`).join('')

/** A visitor who reads nothing from now on. */
function stall(port: number, bytes: string): void {
  const { socket } = visit(port)
  socket.pause()
  socket.write(bytes)
  cleanups.add(() => socket.destroy())
}

const isOver = (socket: Socket) => socket.destroyed
/** A target that never stops. */
const endless = () =>
  target(socket => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n`)
      const block = Buffer.alloc(256 * kib)
      const pour = () => {
        while (!socket.destroyed && socket.write(block));
      }
      socket.on('drain', pour)
      pour()
    })
  })

describe('what a visitor’s connection holds', () => {
  test('is given back whatever way it ends', async () => {
    const held = createTestHeld()
    const home = await httpTarget((asked, answer) =>
      asked.resume().on('end', () => answer.end('ok')),
    )
    const { port, door: served } = await door(home, { held })
    await ask(port, get(close))
    await ask(port, get(fields(7) + close))
    await ask(
      port,
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n${close}\r\n${'x'.repeat(300_000)}`,
    )
    await ask(port, `${get()}${get()}${get(close)}`)
    await ask(port, 'not http\r\n\r\n')
    const cutInHead = visit(port)
    cutInHead.send(`GET / HTTP/1.1\r\n${fields(3)}`)
    await expect.poll(() => held.heldBytes()).toBeGreaterThan(24_000)
    cutInHead.socket.resetAndDestroy()
    const idle = visit(port)
    idle.send(get())
    await idle.until('ok')
    await expect.poll(() => served.stats().connections).toBe(1)
    expect(held.heldBytes()).toBe(0)
  })

  test('of a switched connection is counted on, and given back', async () => {
    const held = createTestHeld()
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
    let heldUp: Socket | null = null
    const home = await target(socket => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n`)
        socket.pause()
        heldUp = socket
      })
    })
    const { port } = await door(home.port, { held })
    const visitor = visit(port)
    visitor.send(get(upgrade))
    await visitor.until('101')
    visitor.send(Buffer.alloc(64 * 1024 * kib))
    await expect.poll(() => held.heldBytes(), { timeout: 10_000 }).toBeGreaterThan(128 * kib)
    visitor.socket.destroy()
    // Nobody reads a paused connection, so its end is noticed when the target goes on.
    const stuck = heldUp as Socket | null
    stuck?.resume().on('end', () => stuck.end())
    await expect.poll(() => held.heldBytes()).toBe(0)
  })
})

describe('visitors that hold more than all may', () => {
  test('with heads that never end: the first of them are cut, others are served', async () => {
    const held = createTestHeld(1024 * kib)
    const home = await httpTarget((_, answer) => answer.end('ok'))
    const { port } = await door(home, { held })
    const slow: RawVisitor[] = []
    for (let count = 0; count < 24; count += 1) {
      const visitor = visit(port)
      visitor.send(`GET / HTTP/1.1\r\n${fields(7)}`)
      slow.push(visitor)
      // One after the other, so that it is known who came first.
      const before = held.heldBytes()
      await expect.poll(() => held.heldBytes() !== before).toBe(true)
      expect(await ask(port, get(close))).toContain('200 OK')
    }
    await expect.poll(() => slow.filter(({ socket }) => isOver(socket)).length).toBeGreaterThan(4)
    expect(isOver(slow[0]?.socket as Socket)).toBe(true)
    expect(slow.filter(({ socket }) => isOver(socket)).length).toBeLessThan(20)
    expect(isOver(slow.at(-1)?.socket as Socket)).toBe(false)
    expect(held.heldBytes()).toBeLessThanOrEqual(1024 * kib)
  })

  test('by reading nothing: some are cut, never all, and who reads gets everything', async () => {
    const held = createTestHeld(2048 * kib)
    const { port: home } = await endless()
    const { port, records } = await door(home, { held })
    for (let count = 0; count < 24; count += 1) stall(port, get())
    const cutCount = () => records.filter(({ end }) => end === 'visitor_gone').length
    // Six of them fit in.
    await expect.poll(cutCount, { timeout: 20_000 }).toBeGreaterThanOrEqual(18)
    const reader = visit(port)
    let taken = 0
    reader.socket.removeAllListeners('data')
    reader.socket.on('data', chunk => {
      taken += chunk.length
    })
    reader.send(get())
    await expect.poll(() => taken, { timeout: 20_000 }).toBeGreaterThan(64 * 1024 * kib)
    expect(isOver(reader.socket)).toBe(false)
    expect(cutCount()).toBeLessThan(24)
    expect(held.heldBytes()).toBeLessThanOrEqual(2048 * kib)
  })
})
