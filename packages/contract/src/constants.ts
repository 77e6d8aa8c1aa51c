/** Brand label: the head of every page title. */
export const brand = '归港'

/** Its sign, a roof above waves, for pages whose policy lets no picture in; they style `.mark` and `.lines`. */
export const brandSign =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect class="mark" width="32" height="32" rx="8"/><g class="lines">' +
  '<path d="M7 16.5 16 8l9 8.5"/><path d="M7 23c1.5 1.4 3 1.4 4.5 0s3-1.4 4.5 0 3 1.4 4.5 0 3-1.4 4.5 0"/></g></svg>'

/** Time-out of the profile request in ms (client.md section 9); other calls have none. */
export const profileTimeoutMs = 5000

/** Delay between the JSONP logout and the jump to `/custom/logout` in ms (client.md section 9). */
export const logoutDelayMs = 1000

/** Cookie that carries the CSRF value and header that repeats it. */
export const csrfCookie = 'csrftoken'
/** Header that repeats the CSRF cookie on all own calls. */
export const csrfHeader = 'X-CSRFToken'
