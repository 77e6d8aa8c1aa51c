import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createBench, pageHeaders, serveHttp, until } from './testing/bench.ts'

/** The code of the relay's own page. */
const codeOf = (page: { body: string }) => /<dd>([a-z_]+)<\/dd>/.exec(page.body)?.[1]

/** A bench whose page at home never answers, and a visitor who waits for it. */
async function waitForAnswer() {
  const bench = await createBench()
  let arrived = false
  const home = createServer(() => {
    arrived = true
  })
  bench.server.setRoute(bench.route({ target: `http://127.0.0.1:${await serveHttp(home)}` }))
  const link = await bench.link()
  const page = bench.visit('nas.localhost', '/', { headers: pageHeaders })
  await until(() => arrived)
  return { home, link, page }
}

describe('a request that waits for its answer', () => {
  it('is told that the device is offline when its link is lost', async () => {
    const { link, page } = await waitForAnswer()
    link.muxer.close()
    expect([(await page).status, codeOf(await page)]).toEqual([503, 'device_offline'])
  })

  it('is told that the target failed when the target hangs up', async () => {
    const { home, page } = await waitForAnswer()
    home.closeAllConnections()
    expect([(await page).status, codeOf(await page)]).toEqual([502, 'target_failed'])
  })
})
