import { judgeStrength, type StrengthEstimator, strengthOptions } from '@homeport/contract'
import type { InputProblemKey } from '../http/app-error.ts'

let loading: Promise<StrengthEstimator> | undefined

/** What is wrong with a new password beyond its length, as a problem of the field `path`; `about` as in `judgeStrength`. */
export async function judgePassword(
  path: string,
  password: string,
  about: readonly string[],
): Promise<InputProblemKey[]> {
  loading ??= loadEstimator()
  const strength = judgeStrength(await loading, password, about)
  return strength === 'weak' ? [{ path, code: 'too_weak' }] : []
}

/** The lists take some 10 MB: a server on which nobody chooses a password does without. */
async function loadEstimator(): Promise<StrengthEstimator> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  const words = { ...common.dictionary, ...english.dictionary }
  return new ZxcvbnFactory(
    strengthOptions(
      {
        passwords: words['passwords-common'],
        commonWords: words['commonWords-en'],
        wikipedia: words['wikipedia-en'],
        firstnames: words['firstnames-en'],
      },
      common.adjacencyGraphs,
    ),
  )
}
