import { expect, it } from 'vitest'
import { takeTicket } from './ticket-query.ts'

it.each<[string, string, string | null]>([
  ['/', '/', null],
  ['/a?', '/a?', null],
  ['/a?x=1&&y=%2F+', '/a?x=1&&y=%2F+', null],
  ['/a?__hp_ticket=t', '/a', 't'],
  ['/a?x=1&__hp_ticket=t', '/a?x=1', 't'],
  ['/a?__hp_ticket=t&x=1&&y=%2F+', '/a?x=1&&y=%2F+', 't'],
  ['/a?__hp_ticket=t&__hp_ticket=u', '/a', 't'],
  ['/a?__hp_ticket', '/a', ''],
  ['/a?__hp_ticketing=t', '/a?__hp_ticketing=t', null],
  ['/__hp_ticket=t', '/__hp_ticket=t', null],
])('takes the ticket out of %s', (path, cleanPath, ticket) => {
  expect(takeTicket(path)).toEqual({ cleanPath, ticket })
})
