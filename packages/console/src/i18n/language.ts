/** Languages every text of the console exists in; the first is the default. */
export const languages = ['zh-CN', 'en'] as const

/** A language of the console. */
export type Language = (typeof languages)[number]

const storageKey = 'homeport.language'

/** True for a language of the console. */
export const isLanguage = (value: unknown): value is Language =>
  languages.some(language => language === value)

/** The language chosen on this browser; zh-CN where none was or storage is closed to us. */
export function readLanguage(): Language {
  try {
    const stored = globalThis.localStorage?.getItem(storageKey)
    return isLanguage(stored) ? stored : languages[0]
  } catch {
    return languages[0] // storage is blocked by the browser's settings: the default language is right
  }
}

/** Keeps the language for the next visit. */
export function storeLanguage(language: Language): void {
  try {
    globalThis.localStorage?.setItem(storageKey, language)
  } catch {
    // Storage is blocked or full: the choice holds until the page is closed, nothing is lost.
  }
}
