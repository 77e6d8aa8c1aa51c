import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createBench, serveHttp, until, whenDone } from '../testing/bench.ts'

const partBytes = 1024 * 1024

/** A relay with a record whose pages each send a part at once and the rest when they are told. */
async function createSlowHome() {
  const bench = await createBench({ limits: { links: { nearRoundTripMs: 0 } } })
  const answers: ServerResponse[] = []
  const home = createServer((_, answer) => {
    answers.push(answer)
    answer.writeHead(200, { 'Content-Length': 2 * partBytes })
    answer.write(Buffer.alloc(partBytes, 1))
  })
  bench.server.setRoute(bench.route({ target: `http://127.0.0.1:${await serveHttp(home)}` }))

  /** Begins a download and waits until the first part is here. */
  async function download() {
    const visitor = connect(bench.port, '127.0.0.1')
    whenDone(() => visitor.destroy())
    const state = { bytes: 0, isClosed: false }
    visitor.on('data', chunk => {
      state.bytes += chunk.length
    })
    visitor.on('error', () => undefined)
    visitor.on('close', () => {
      state.isClosed = true
    })
    visitor.write('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n')
    while (state.bytes < partBytes) await once(visitor, 'data')
    return state
  }

  return {
    ...bench,
    download,
    finish: () => {
      for (const answer of answers) answer.end(Buffer.alloc(partBytes, 2))
    },
  }
}

describe('bulk transfers on one link', () => {
  it('move to links of their own as these come, one link staying free, and lose nothing', async () => {
    const home = await createSlowHome()
    const moves = new Map()
    const first = await home.link({ moves })
    const downloads = [await home.download(), await home.download(), await home.download()]
    expect(first.muxer.streamCount).toBe(4)
    const others = [
      await home.link({ moves }),
      await home.link({ moves }),
      await home.link({ moves }),
    ]
    const counts = () => [first, ...others].map(link => link.muxer.streamCount - 1).sort()
    await until(() => counts().join() === '0,1,1,1')
    home.finish()
    await until(() => downloads.every(({ bytes }) => bytes > 2 * partBytes))
    expect(downloads.map(({ isClosed }) => isClosed)).toEqual([false, false, false])
  })

  it('make room for the small flows beside them, whatever becomes of the link they left', async () => {
    const home = await createSlowHome()
    const moves = new Map()
    const first = await home.link({ moves })
    const large = await home.download()
    await home.download()
    const second = await home.link({ moves })
    const third = await home.link({ moves })
    await until(() => first.muxer.streamCount === 2)
    const before = [second, third].map(link => link.muxer.streamCount).sort()
    expect(before).toEqual([1, 2])
    first.muxer.close()
    home.finish()
    await until(() => large.isClosed || large.bytes > 2 * partBytes)
    expect(large.isClosed).toBe(false)
  })

  it('stay together where the agent does not let them move', async () => {
    const home = await createSlowHome()
    const first = await home.link()
    const downloads = [await home.download(), await home.download()]
    const second = await home.link()
    await home.link()
    await until(() => second.muxer.streamCount === 1)
    home.finish()
    await until(() => downloads.every(({ bytes }) => bytes > 2 * partBytes))
    expect(first.muxer.streamCount).toBe(3)
  })
})
