import { vi } from 'vitest'
import { readLetters } from '../accounts/testing.ts'
import { makeTicket, openVisitor } from '../phone/testing.ts'
import type { TestAnswer, TestServer } from '../testing.ts'

/** Asks for a link with a ticket of its own, from a browser of its own. */
export async function askForLink(
  test: TestServer,
  email: string,
  address = '192.0.2.1',
): Promise<TestAnswer> {
  const browser = await openVisitor(test, address)
  const captcha_ticket = await makeTicket(test, 'reset', address)
  return browser.post('/api/verify/password/mail/', { email, captcha_ticket })
}

/** Asks for a link and reads its token where it arrived. */
export async function receiveLink(test: TestServer, email: string): Promise<string> {
  const links = async () =>
    (await readLetters(test)).filter(({ code }) => code?.includes('/reset?'))
  const before = (await links()).length
  const answer = await askForLink(test, email)
  if (answer.status !== 200) throw new Error(`no link was sent: ${answer.text}`)
  return vi.waitFor(
    async () => {
      const letter = (await links())[before]
      const token = /^http:\/\/localhost:8080\/#\/reset\?token=([\w-]{32})$/.exec(
        letter?.code ?? '',
      )
      if (token?.[1] === undefined) throw new Error(`nothing came to ${email}`)
      return token[1]
    },
    { timeout: 15_000, interval: 5 },
  )
}
