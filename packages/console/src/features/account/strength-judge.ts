import { judgeStrength, type PasswordStrength, strengthOptions } from '@homeport/contract'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import graphsUrl from '@zxcvbn-ts/language-common/src/adjacencyGraphs.json?url'
import passwordsUrl from '@zxcvbn-ts/language-common/src/passwords.json?url'
import commonWordsUrl from '@zxcvbn-ts/language-en/src/commonWords.json?url'
import firstnamesUrl from '@zxcvbn-ts/language-en/src/firstnames.json?url'
import wikipediaUrl from '@zxcvbn-ts/language-en/src/wikipedia.json?url'
import { ownFetch } from '../../app/api-client.ts'

/** Judges a password; `about` is what others know of its owner. */
export type JudgePassword = (password: string, about: readonly string[]) => PasswordStrength

/** Loads the lists of words (files of our own, about 600 KB compressed) and makes the judge of new passwords. */
export async function loadStrengthJudge(): Promise<JudgePassword> {
  const [passwords, commonWords, wikipedia, firstnames, graphs] = await Promise.all([
    readJson<string[]>(passwordsUrl),
    readJson<string[]>(commonWordsUrl),
    readJson<string[]>(wikipediaUrl),
    readJson<string[]>(firstnamesUrl),
    readJson<Record<string, Record<string, string[]>>>(graphsUrl),
  ])
  const words = { passwords, commonWords, wikipedia, firstnames }
  const estimator = new ZxcvbnFactory(strengthOptions(words, graphs))
  return (password, about) => judgeStrength(estimator, password, about)
}

async function readJson<T>(url: string): Promise<T> {
  const response = await ownFetch(url)
  if (!response.ok) throw new Error(`a list of words was not there: ${response.status}`)
  return response.json() as Promise<T>
}
