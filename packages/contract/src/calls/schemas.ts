import { z } from 'zod'

/** A row's id: a positive integer; path parameters arrive as text. */
export const idSchema = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)

/** An instant: UTC ISO-8601 with milliseconds. */
export const instantSchema = z.iso.datetime()

/** The query every list takes: `limit` (default 20, at most `most`), `offset`, `search`, `ordering`. */
export const listQuery = <const O extends readonly [string, ...string[]]>(
  orderings: O,
  most = 100,
) =>
  z.object({
    limit: z.coerce.number().int().min(1).max(most).default(Math.min(20, most)),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    search: z.string().trim().max(100).default(''),
    ordering: z.enum(orderings).default(orderings[0]),
  })

/** One page of a list: `count` of all rows, the addresses of its neighbours, its rows. */
export const pageOf = <S extends z.ZodType>(row: S) =>
  z.object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(row),
  })

/**
 * A user name: 3 to 32 letters, digits, `_`, `-`, `.` or Han characters; never an address or a number alone. Han characters are ideographs:
 * the radicals among them, \u2ee2 for \u9a6c say, look like others and no normalisation makes them one.
 */
export const usernameSchema = z
  .string()
  .trim()
  .min(3)
  .max(32)
  .regex(/^[\p{Unified_Ideograph}々〇A-Za-z0-9][\p{Unified_Ideograph}々〇A-Za-z0-9_.-]*$/u)
  .refine(name => !/^\d+$/.test(name))

/** A new password: 8 to 128 characters. Its strength beyond the length is the server's rule. */
export const newPasswordSchema = z.string().min(8).max(128)

/** A secret as typed into a sign-in form: anything, bounded, so that hashing it is bounded. */
export const typedSecretSchema = z.string().min(1).max(256)
