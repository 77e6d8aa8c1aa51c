import { z } from 'zod'

/** One input problem: where (dotted path, empty for the whole body), a stable code, a sentence for people. */
export const inputProblemSchema = z.object({
  path: z.string(),
  code: z.string(),
  message: z.string(),
})

/** One input problem of an `invalid_input` answer. */
export type InputProblem = z.infer<typeof inputProblemSchema>

/** The body of every error answer: RFC 9457 `application/problem+json` with our members. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  errors: z.array(inputProblemSchema).optional(),
  request_id: z.string(),
})

/** A parsed problem document. */
export type Problem = z.infer<typeof problemSchema>
