import type { InputProblem } from '@homeport/contract'
import type { z } from 'zod'
import type { InputProblemKey } from './app-error.ts'
import type { Language } from './language.ts'

/** Sentences of input problems; a code without one gets the sentence of `invalid_value`. */
const sentences: Record<string, Record<Language, string>> = {
  required: { zh: '必填。', en: 'This is required.' },
  invalid_type: { zh: '类型不正确。', en: 'This has the wrong type.' },
  too_small: { zh: '太短或太小。', en: 'This is too short or too small.' },
  too_big: { zh: '太长或太大。', en: 'This is too long or too large.' },
  invalid_format: { zh: '格式不正确。', en: 'This has the wrong form.' },
  invalid_value: { zh: '内容不正确。', en: 'This value is not allowed.' },
  unrecognized: { zh: '不认识的字段。', en: 'This field is not known.' },
  reserved: { zh: '这个名称被系统保留。', en: 'This name is reserved.' },
  too_weak: {
    zh: '这个密码容易被猜到，请换一个更长或更少见的。',
    en: 'This password is easy to guess; choose a longer or rarer one.',
  },
  mismatch: { zh: '与要求填写的内容不一致。', en: 'This is not what was to be typed.' },
  scheme: { zh: '不支持这种地址类型。', en: 'This scheme is not supported.' },
  host: { zh: '主机名或 IP 地址不正确。', en: 'The host is not a name or an address.' },
  port: { zh: '端口应为 1 到 65535。', en: 'The port must be from 1 to 65535.' },
  path: { zh: '这里不能带路径。', en: 'A path is not allowed here.' },
  not_found: { zh: '没有找到，或不属于您。', en: 'Not found, or not yours.' },
  phone_signs: {
    zh: '手机号只能由数字组成，开头可以有 +。',
    en: 'A phone number is digits, with a + before them at most.',
  },
  phone_country: {
    zh: '请在前面加上国家或地区代码，例如 +852。',
    en: 'Put the country code before it, such as +852.',
  },
  phone_length: { zh: '手机号的位数不对。', en: 'A phone number has 7 to 15 digits.' },
  phone_mainland: {
    zh: '不是有效的中国大陆手机号。',
    en: 'This is not a mobile number of mainland China.',
  },
  taken: { zh: '已被使用。', en: 'This is already taken.' },
}

/** Puts the sentence to a problem that has none. */
export function describeProblem(problem: InputProblemKey, language: Language): InputProblem {
  const sentence = sentences[problem.code] ?? sentences.invalid_value
  return {
    path: problem.path,
    code: problem.code,
    message: problem.message ?? sentence?.[language] ?? problem.code,
  }
}

/** All problems of one part of the input (`raw`, as it came); codes are ours and stable, whatever the parser calls them. */
export function readIssues(issues: readonly z.core.$ZodIssue[], raw: unknown): InputProblemKey[] {
  return issues.flatMap(issue => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => ({ path: [...path, key].join('.'), code: 'unrecognized' }))
    }
    const code = readAt(raw, issue.path) === undefined ? 'required' : readCode(issue)
    return [{ path: path.join('.'), code }]
  })
}

/** Levels of what a call takes; nothing of the contract is half as deep, but for what it hands on as it came. */
const depthLimit = 16

/**
 * What no call takes, whatever its schema: texts with U+0000, which nobody types and which PostgreSQL has no text for, so that every write
 * would be a fault of ours; and what is nested so deep that whoever walks it runs out of stack.
 */
export function findHostileParts(value: unknown, path: readonly string[] = []): InputProblemKey[] {
  const isHostile = typeof value === 'string' ? value.includes('\0') : path.length > depthLimit
  if (isHostile) return [{ path: path.join('.'), code: 'invalid_format' }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => findHostileParts(item, [...path, key]))
}

function readAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    raw,
  )
}

function readCode(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
    case 'too_small':
    case 'too_big':
    case 'invalid_format':
      return issue.code
    case 'custom':
      return typeof issue.params?.code === 'string' ? issue.params.code : 'invalid_value'
    case 'invalid_union': {
      // The last way of our unions is the general one (`'' | e-mail`), so its first problem says most.
      const first = issue.errors.at(-1)?.[0]
      return first === undefined ? 'invalid_value' : readCode(first)
    }
    default:
      return 'invalid_value'
  }
}
