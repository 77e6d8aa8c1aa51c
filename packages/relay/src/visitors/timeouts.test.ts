import { afterEach, expect, test } from 'vitest'
import { doorLimits } from './limits.ts'
import { ask, createCleanups, createManualClock, passageTo, visit } from './test-door.ts'

const cleanups = createCleanups()
afterEach(cleanups.run)
const { door, target } = cleanups

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const silent = () => target(socket => socket.resume())

/** Waits for an event of a target's only connection. */
const firstData = async () => {
  const seen = Promise.withResolvers<void>()
  const started = await target(socket => {
    socket.once('data', () => seen.resolve())
  })
  return { ...started, seen: seen.promise }
}

test('a head that drips is cut off in all, not by byte', async () => {
  const clock = createManualClock()
  const { port } = await silent()
  const asked: string[] = []
  const { port: at, door: opened } = await door(
    head => {
      asked.push(head.target)
      return head.target === '/first' ? { kind: 'page', code: 'unknown_name' } : passageTo(port)
    },
    { clock },
  )
  const visitor = visit(at)
  // The answer proves that the door has read what came before it, so the clock may be moved.
  visitor.send('GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET /slow HTTP/1.1\r\nX: ')
  await visitor.until('unknown_name')
  clock.advance(doorLimits.headMs / 2)
  expect(opened.stats().connections).toBe(1)
  visitor.send('yyyy')
  clock.advance(doorLimits.headMs / 2 + 500)
  const { text } = await visitor.closed()
  expect(text).toContain('HTTP/1.1 408 Request Timeout\r\n')
  expect(asked).toEqual(['/first'])
})

test('an idle connection is closed without a word', async () => {
  const clock = createManualClock()
  const { port } = await door(() => ({ kind: 'page', code: 'unknown_name' }), { clock })
  const visitor = visit(port)
  visitor.send(get)
  const answered = await visitor.until('unknown_name')
  clock.advance(doorLimits.idleMs + 500)
  expect(await visitor.closed()).toEqual({ text: answered, isCut: false })
})

test('a target that never answers becomes a 504', async () => {
  const clock = createManualClock()
  const { port, seen } = await firstData()
  const { port: at, records } = await door(port, { clock })
  const visitor = visit(at)
  visitor.send(get)
  await seen
  clock.advance(doorLimits.responseHeadMs + 500)
  expect(await visitor.until('target_silent')).toContain('HTTP/1.1 504 Gateway Timeout\r\n')
  expect(records).toMatchObject([{ end: 'timed_out' }])
})

test('a response that stops half-way is cut', async () => {
  const clock = createManualClock()
  const { port } = await target(socket => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart'))
  })
  const { port: at } = await door(port, { clock })
  const visitor = visit(at)
  visitor.send(get)
  await visitor.until('part')
  clock.advance(doorLimits.responseIdleMs + 500)
  expect((await visitor.closed()).isCut).toBe(true)
})

test('a body that never comes becomes a 408', async () => {
  const clock = createManualClock()
  const { port, seen } = await firstData()
  const { port: at } = await door(port, { clock })
  const visitor = visit(at)
  visitor.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\npart')
  await seen
  clock.advance(doorLimits.requestIdleMs + 500)
  expect((await visitor.closed()).text).toContain('HTTP/1.1 408 Request Timeout\r\n')
})

test('a stream that is never opened becomes a 504 and is given up', async () => {
  const clock = createManualClock()
  const asked = Promise.withResolvers<AbortSignal>()
  const upstream = {
    open: (_: string, signal: AbortSignal) => {
      asked.resolve(signal)
      return new Promise<never>(() => undefined)
    },
  }
  const { port, door: opened } = await door(() => passageTo(1, { upstream }), { clock })
  const visitor = visit(port)
  visitor.send(get)
  const signal = await asked.promise
  expect(opened.stats().waiting).toBe(1)
  clock.advance(doorLimits.openMs + 500)
  await visitor.until('device_silent')
  expect(signal.aborted).toBe(true)
  expect(opened.stats().waiting).toBe(0)
})

test('a visitor who leaves gives up the opening', async () => {
  const aborted = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const upstream = {
    open: (_: string, signal: AbortSignal) => {
      signal.addEventListener('abort', () => aborted.resolve())
      asked.resolve()
      return new Promise<never>(() => undefined)
    },
  }
  const { port } = await door(() => passageTo(1, { upstream }))
  const visitor = visit(port)
  visitor.send(get)
  await asked.promise
  visitor.socket.resetAndDestroy()
  await aborted.promise
})

test('a decision that never comes becomes a 503', async () => {
  const clock = createManualClock()
  const asked = Promise.withResolvers<void>()
  const { port } = await door(
    () => {
      asked.resolve()
      return new Promise<never>(() => undefined)
    },
    { clock },
  )
  const visitor = visit(port)
  visitor.send(get)
  await asked.promise
  clock.advance(doorLimits.decideMs + 500)
  expect(await visitor.until('unavailable')).toContain('HTTP/1.1 503 ')
})

test('too many waiting requests are told so', async () => {
  const upstream = { open: () => new Promise<never>(() => undefined) }
  const limits = { waitingRequests: 1 }
  const { port, door: opened } = await door(() => passageTo(1, { upstream }), { limits })
  visit(port).send(get)
  const second = visit(port)
  second.send(get)
  const third = visit(port)
  third.send(get)
  const told = await Promise.any([second.until('"busy"'), third.until('"busy"')])
  expect(told).toContain('Retry-After: ')
  expect(opened.stats().waiting).toBe(1)
})

test('too many connections of one address are turned away', async () => {
  const limits = { connectionsPerAddress: 2 }
  const { port, door: opened } = await door(() => ({ kind: 'page', code: 'unknown_name' }), {
    limits,
  })
  const first = visit(port)
  first.send(get)
  await first.until('unknown_name')
  const second = visit(port)
  second.send(get)
  await second.until('unknown_name')
  expect((await visit(port).closed()).text).toBe('')
  expect(opened.stats().turnedAway).toBe(1)
  first.socket.end()
  await first.closed()
  expect(await ask(port, get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))).toContain('404')
})

test('draining lets a response finish and closes what is idle', async () => {
  const answer = Promise.withResolvers<void>()
  const { port } = await target(socket => {
    socket.once('data', async () => {
      await answer.promise
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone')
    })
  })
  const opening = Promise.withResolvers<void>()
  const { port: at, door: opened } = await door(head => {
    if (head.target === '/idle') return { kind: 'page', code: 'unknown_name' }
    opening.resolve()
    return passageTo(port)
  })
  const idle = visit(at)
  idle.send(get.replace('/ ', '/idle '))
  await idle.until('unknown_name')
  const busy = visit(at)
  busy.send(get)
  await opening.promise
  const drained = opened.drain(10_000)
  expect((await idle.closed()).isCut).toBe(false)
  answer.resolve()
  expect((await busy.closed()).text).toContain('Connection: close\r\n\r\ndone')
  await drained
  expect(opened.stats().connections).toBe(0)
  expect((await visit(at).closed()).text).toBe('')
})

test('draining cuts what does not finish', async () => {
  const { port, seen } = await firstData()
  const { port: at, door: opened } = await door(port)
  const visitor = visit(at)
  visitor.send(get)
  await seen
  await opened.drain(1)
  expect((await visitor.closed()).isCut).toBe(true)
})
