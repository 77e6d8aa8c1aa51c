import { type Captcha, captchaKinds, captchaScenes } from '@homeport/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestBrowser, type TestServer } from '../testing.ts'
import { drawTrace, openCaptcha, readRightValue, solveCaptcha } from './testing.ts'

let test: TestServer
let browser: TestBrowser
beforeEach(async () => {
  test = await startTestServer()
  browser = await open('192.0.2.1')
})
afterEach(() => test.stop())

const minuteMs = 60 * 1000

async function open(address: string, on: TestServer = test): Promise<TestBrowser> {
  const opened = on.open({ address })
  await opened.get('/api/login_status/')
  return opened
}

const shownFields: Record<Captcha['kind'], string[]> = {
  click: ['image', 'key', 'kind', 'thumb'],
  slide: ['image', 'key', 'kind', 'thumb', 'thumbHeight', 'thumbWidth', 'thumbX', 'thumbY'],
  slide_region: ['image', 'key', 'kind', 'thumb', 'thumbHeight', 'thumbWidth', 'thumbX', 'thumbY'],
  rotate: ['angle', 'image', 'key', 'kind', 'thumb', 'thumbSize'],
  work: ['bits', 'key', 'kind', 'parts', 'salt'],
}

describe('a challenge', () => {
  it.each([...captchaKinds, 'work'] as const)(
    'of kind %s shows its data alone and gives a ticket for the right answer',
    async kind => {
      const captcha = await openCaptcha(browser, 'login', kind)
      expect(Object.keys(captcha).sort()).toEqual(shownFields[kind])
      if (captcha.kind !== 'work') {
        expect(captcha.image).toMatch(/^data:image\/jpeg;base64,[\w+/]+=*$/)
        expect(captcha.thumb).toMatch(/^data:image\/(png|jpeg);base64,[\w+/]+=*$/)
      }
      const value = await readRightValue(test, captcha.key)
      const body = { key: captcha.key, value, trace: drawTrace(value) }
      const answer = await browser.post('/captcha/', body)
      expect([answer.status, Object.keys(answer.json())]).toEqual([200, ['ticket']])
    },
  )

  it('is gone after one try, right or wrong', async () => {
    const { key } = await openCaptcha(browser, 'login', 'rotate')
    const value = (await readRightValue(test, key)) as { angle: number }
    const wrong = { angle: (value.angle + 90) % 360 }
    const first = await browser.post('/captcha/', { key, value: wrong, trace: drawTrace(wrong) })
    expect([first.status, first.problem().code]).toEqual([422, 'captcha_wrong'])
    const again = await browser.post('/captcha/', { key, value, trace: drawTrace(value) })
    expect([again.status, again.problem().code]).toEqual([422, 'captcha_wrong'])
  })

  it('gives one ticket where many answer at once', async () => {
    const { key } = await openCaptcha(browser, 'login', 'slide')
    const value = await readRightValue(test, key)
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => browser.post('/captcha/', { key, value, trace: drawTrace(value) })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  })

  it('is too late after two minutes, and from another address', async () => {
    const late = await openCaptcha(browser, 'login', 'slide')
    const foreign = await openCaptcha(browser, 'login', 'slide')
    const answer = async (key: string, by: TestBrowser) => {
      const value = await readRightValue(test, key)
      return (await by.post('/captcha/', { key, value, trace: drawTrace(value) })).status
    }
    expect(await answer(foreign.key, await open('192.0.2.2'))).toBe(422)
    test.clock.advance(2 * minuteMs)
    expect(await answer(late.key, browser)).toBe(422)
  })

  it('is answered within its tolerance, which is half as wide without a trace', async () => {
    const off = async (by: number, hasTrace: boolean) => {
      const { key } = await openCaptcha(browser, 'login', 'slide')
      const right = (await readRightValue(test, key)) as { x: number; y: number }
      const value = { x: right.x + by, y: right.y }
      const trace = hasTrace ? drawTrace(value) : undefined
      return (await browser.post('/captcha/', { key, value, trace })).status
    }
    expect(await off(5, true)).toBe(200)
    expect(await off(6, true)).toBe(422)
    expect(await off(2, false)).toBe(200)
    expect(await off(3, false)).toBe(422)
  })

  it('refuses the right answer with the trace of a loop', async () => {
    const { key } = await openCaptcha(browser, 'login', 'slide')
    const value = (await readRightValue(test, key)) as { x: number; y: number }
    const trace = Array.from({ length: 11 }, (_, n) => ({
      x: (value.x * n) / 10,
      y: value.y,
      t: n * 50,
    }))
    expect((await browser.post('/captcha/', { key, value, trace })).status).toBe(422)
  })

  it('names every field that is wrong, without using the challenge up', async () => {
    const { key } = await openCaptcha(browser, 'login', 'slide')
    const value = await readRightValue(test, key)
    const broken = await browser.post('/captcha/', { value: 'x', trace: [{ x: 0 }] })
    expect(broken.status).toBe(422)
    expect(broken.problem().code).toBe('invalid_input')
    const answer = await browser.post('/captcha/', { key, value, trace: drawTrace(value) })
    expect(answer.status).toBe(200)
  })

  it('of a chosen kind is for development; the way without eyes is always there', async () => {
    const own = await startTestServer({ mode: 'production' })
    try {
      const kinds = new Set<string>()
      for (let n = 0; n < 30; n += 1) {
        const visitor = await open(`192.0.2.${n}`, own)
        kinds.add((await openCaptcha(visitor, 'login', 'rotate')).kind)
      }
      expect(kinds.size).toBeGreaterThan(1)
      const visitor = await open('198.51.100.1', own)
      expect((await openCaptcha(visitor, 'login', 'work')).kind).toBe('work')
    } finally {
      await own.stop()
    }
  })

  it('is limited for each address, the one without eyes to three', async () => {
    for (let n = 0; n < 3; n += 1) await openCaptcha(browser, 'login', 'work')
    const work = await browser.get('/captcha/?scene=login&kind=work')
    expect([work.status, work.headers['retry-after']]).toEqual([429, '1200'])
    for (let n = 0; n < 16; n += 1) await openCaptcha(browser, 'login', 'slide')
    const slide = await browser.get('/captcha/?scene=login')
    expect([slide.status, slide.headers['retry-after']]).toEqual([429, '3'])
    expect((await openCaptcha(await open('192.0.2.2'))).key).not.toBe('')
  })

  it.each([
    [
      'has a wrong part',
      (right: number[]) => right.map((nonce, part) => nonce + Number(part === 7)),
    ],
    ['ends early', (right: number[]) => right.slice(0, -1)],
    ['does one part again and again', (right: number[]) => right.map(() => right[0] ?? 0)],
    ['goes on', (right: number[]) => [...right, 0]],
  ])('of work refuses an answer that %s', async (_, spoil) => {
    const { key } = await openCaptcha(browser, 'login', 'work')
    const { nonces } = (await readRightValue(test, key)) as { nonces: number[] }
    const answer = await browser.post('/captcha/', { key, value: { nonces: spoil(nonces) } })
    expect([answer.status, answer.problem().code]).toEqual([422, 'captcha_wrong'])
  })
})

it('stands before everything that costs or opens something', async () => {
  for (const scene of captchaScenes) {
    const answer = await browser.get(`/api/verify/captcha/init/?scene=${scene}`)
    expect(answer.json()).toEqual({ required: scene !== 'login' })
  }
  expect((await browser.get('/api/verify/captcha/init/?scene=other')).status).toBe(422)
})

it('keeps neither key nor ticket, nor the picture', async () => {
  const ticket = await solveCaptcha(test, browser)
  const { key } = await openCaptcha(browser)
  expect(test.log.join('')).not.toContain(ticket)
  expect(test.log.join('')).not.toContain(key)
})
