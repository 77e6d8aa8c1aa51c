/** Brand label: the head of every page title. */
export const brand = '归港'

/** Time-out of the profile request in ms (client.md section 9); other calls have none. */
export const profileTimeoutMs = 5000

/** Delay between the JSONP logout and the jump to `/custom/logout` in ms (client.md section 9). */
export const logoutDelayMs = 1000

/** Cookie that carries the CSRF value and header that repeats it. */
export const csrfCookie = 'csrftoken'
/** Header that repeats the CSRF cookie on all own calls. */
export const csrfHeader = 'X-CSRFToken'
