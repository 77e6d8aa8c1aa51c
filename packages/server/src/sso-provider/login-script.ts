/**
 * Script of the page with the QR code: waits for the phone and then loads the page anew, which decides what comes next. It
 * never sees a code. One constant text, so that the page's policy can name it by its hash; what differs stands in `data-`.
 */
export const loginScript = `
const page = document.querySelector('[data-category]')
const { category, leftMs } = page.dataset
const end = performance.now() + Number(leftMs)
const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
let since = Date.now()
async function ask() {
  const seconds = Math.ceil((end - performance.now()) / 1000)
  const timeout = Math.max(1, Math.min(30, seconds))
  const query = new URLSearchParams({ timeout, category, since_time: since })
  const response = await fetch('/sso/events?' + query)
  if (!response.ok) throw new Error(response.status)
  return (await response.json()).events ?? []
}
async function follow() {
  while (performance.now() < end) {
    const events = await ask().catch(async error => {
      console.error('sign-on', error)
      await pause(3000)
      return []
    })
    for (const { timestamp, data } of events) {
      since = timestamp
      if (data.state !== 'scanned') return
      document.querySelector('[role=status]').textContent = page.dataset.scanned
    }
  }
}
follow().then(() => location.reload())
`
