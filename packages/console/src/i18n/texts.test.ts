import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const source = path.join(import.meta.dirname, '..')
const files = (await readdir(source, { recursive: true })).map(file => file.replaceAll('\\', '/'))
const chineseFiles = files.filter(file => file.endsWith('texts/zh-CN.ts'))

type Texts = { [key: string]: string | Texts }

/** Every text with its path, as `menu.open`. */
function flatten(texts: Texts, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  )
}

/** Languages count differently, so a key's plural form is no part of its name. */
const nameOf = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '')

const load = async (file: string) => {
  const module: { texts: Texts } = await import(path.join(source, file))
  return flatten(module.texts)
}

const namesOf = (texts: [string, string][]) =>
  [...new Set(texts.map(([key]) => nameOf(key)))].sort()

const variablesOf = (text: string) => [...text.matchAll(/\{\{(\w+)/g)].map(match => match[1]).sort()

describe.each(chineseFiles)('%s', file => {
  const englishFile = file.replace('zh-CN.ts', 'en.ts')

  it('has the same keys in both languages', async () => {
    expect(namesOf(await load(englishFile))).toEqual(namesOf(await load(file)))
  })

  it('has a text for every key, with the same variables', async () => {
    const english = new Map((await load(englishFile)).map(([key, text]) => [nameOf(key), text]))
    for (const [key, text] of await load(file)) {
      expect(text.trim(), key).not.toBe('')
      expect(english.get(nameOf(key))?.trim(), key).not.toBe('')
      expect(variablesOf(english.get(nameOf(key)) ?? ''), key).toEqual(variablesOf(text))
    }
  })
})

describe('texts', () => {
  it('are found', () => {
    expect(chineseFiles.length).toBeGreaterThan(5)
  })

  it('stand in no component', async () => {
    const chinese = /[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]/
    const found: string[] = []
    for (const file of files.filter(name => name.endsWith('.tsx'))) {
      const lines = (await readFile(path.join(source, file), 'utf8')).split('\n')
      for (const [index, line] of lines.entries()) {
        const code = line.replace(/^\s*(\/\/|\*|\/\*\*).*$/, '')
        if (chinese.test(code)) found.push(`${file}:${index + 1}`)
      }
    }
    expect(found).toEqual([])
  })
})
