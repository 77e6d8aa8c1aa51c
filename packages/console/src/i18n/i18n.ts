import i18next, { type BackendModule, type ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type Language, readLanguage, storeLanguage } from './language.ts'
import { texts as common } from './texts/zh-CN.ts'

interface TextsFile {
  texts: ResourceKey
}

// Each feature keeps its texts beside it: `features/<namespace>/texts/<language>.ts`. They are chunks of their own, so
// a page brings its words in one language only.
const files = import.meta.glob<TextsFile>(['../features/*/texts/*.ts', './texts/en.ts'])

const pathOf = (language: string, namespace: string) =>
  namespace === 'common'
    ? `./texts/${language}.ts`
    : `../features/${namespace}/texts/${language}.ts`

const backend: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    const load = files[pathOf(language, namespace)]
    if (load === undefined) {
      done(new Error(`no texts for ${namespace} in ${language}`), false)
      return
    }
    load().then(
      file => done(null, file.texts),
      (error: Error) => done(error, false),
    )
  },
}

/** Sets the texts up; resolves when the texts of the frame are there in the chosen language. */
export async function startTexts(): Promise<void> {
  i18next.on('languageChanged', language => {
    document.documentElement.lang = language
  })
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: readLanguage(),
      // Both languages are proved to have the same keys, so no second one is loaded as a net.
      fallbackLng: false,
      load: 'currentOnly',
      ns: ['common'],
      defaultNS: 'common',
      resources: { 'zh-CN': { common } },
      partialBundledLanguages: true,
      interpolation: { escapeValue: false },
    })
}

/** Loads a feature's texts ahead of its page, so that both arrive together. */
export const loadTexts = (namespace: string): Promise<void> => i18next.loadNamespaces(namespace)

/** Changes the language of the page and keeps the choice. */
export async function changeLanguage(language: Language): Promise<void> {
  storeLanguage(language)
  await i18next.changeLanguage(language)
}
