/** How often something was done in a period: messages to a number, letters to an address, copies of an account's data. Epoch ms. */
export interface CountedUseTable {
  /** What is counted: a word, and an id or an HMAC. Never a number or an address: most are of people who have no account here. */
  key: string
  /** Not before this the next. */
  rests_until: number
  /** When the period is over that `count` counts. */
  ends_at: number
  count: number
}

/** The table of limits that a restart must not forget. */
export interface CountedUseTables {
  counted_uses: CountedUseTable
}
