import type { ChildProcess } from 'node:child_process'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach } from 'vitest'

// A set-up file of the end-to-end runs: when a test fails, it prints what its browsers and programs saw.
// A story that fails once in a hundred runs is understood from its log or not at all.

/** A program by what it was started with and what it printed. */
interface Printing {
  child: Pick<ChildProcess, 'spawnargs'>
  output(): string
}

const linesKept = 40
const textKept = 3000

let events: string[] = []
let closed: string[] = []
let isFailed = () => false
const contexts = new Set<BrowserContext>()
const programs = new Set<Printing>()

/** Notes what a browser profile changed and was refused, what its pages logged and where they went. */
export function noteContext(context: BrowserContext): void {
  contexts.add(context)
  context.on('close', () => contexts.delete(context))
  // A file's own hooks close its profiles before the report: what a failed test left on its pages is read first.
  const close = context.close.bind(context)
  context.close = async options => {
    if (isFailed()) closed.push(...(await describePages(context.pages())))
    await close(options)
  }
  context.on('weberror', error => note(`threw ${error.error()}`))
  context.on('console', message => {
    if (message.type() === 'error') note(`logged ${message.text()}`)
  })
  context.on('request', request => {
    if (request.method() !== 'GET') note(`asks ${request.method()} ${request.url()}`)
  })
  context.on('response', response => {
    const method = response.request().method()
    if (method !== 'GET' || response.status() >= 400)
      note(`${response.status()} ${method} ${response.url()}`)
  })
  context.on('requestfailed', request =>
    note(`no answer: ${request.method()} ${request.url()} ${request.failure()?.errorText}`),
  )
  context.on('page', page =>
    page.on('framenavigated', frame => {
      if (frame === page.mainFrame()) note(`went to ${frame.url()}`)
    }),
  )
}

/** Remembers a program for its last lines. */
export function noteProgram(program: Printing): void {
  programs.add(program)
}

function note(words: string): void {
  events.push(`${new Date().toISOString().slice(11, 23)} ${words}`)
}

function describePages(pages: Page[]): Promise<string[]> {
  return Promise.all(
    pages.map(async page => {
      // A page that hangs must not hold up the report.
      const dialogs = page.getByRole('dialog')
      const isCovered = (await dialogs.count().catch(() => 0)) > 0
      const text = await (isCovered ? dialogs.last() : page.locator('main, body').first())
        .ariaSnapshot({ timeout: 2000 })
        .catch(error => String(error))
      return `${page.url()} shows${isCovered ? ' in a dialog' : ''}:\n${text.slice(0, textKept)}`
    }),
  )
}

beforeEach(({ onTestFailed, task: running }) => {
  events = []
  closed = []
  isFailed = () => running.result?.state === 'fail'
  onTestFailed(async ({ task }) => {
    const ends = [...programs].map(
      ({ child, output }) =>
        `${child.spawnargs.slice(1, 4).join(' ')} printed last:\n${output().trimEnd().split('\n').slice(-20).join('\n')}`,
    )
    const open = await describePages([...contexts].flatMap(context => context.pages()))
    const report = [...events.slice(-linesKept), ...closed, ...open, ...ends]
    console.log(`what was seen when “${task.name}” failed:\n${report.join('\n')}`)
  })
})
