import { errorKinds } from '@homeport/contract'
import type { Language } from '../http/language.ts'
import { escapeHtml } from '../http/plain-page.ts'

type Json = Record<string, unknown>

const texts = {
  zh: {
    intro: '由 OpenAPI 文档生成：',
    parameters: '参数',
    body: '请求内容',
    errors: '错误',
    allErrors: '错误代码',
    name: '名称',
    type: '类型',
    required: '必填',
    status: '状态',
    code: '代码',
    meaning: '含义',
    yes: '是',
    signedIn: '需要登录',
  },
  en: {
    intro: 'Made from the OpenAPI document: ',
    parameters: 'Parameters',
    body: 'Body',
    errors: 'Errors',
    allErrors: 'Error codes',
    name: 'name',
    type: 'type',
    required: 'required',
    status: 'status',
    code: 'code',
    meaning: 'meaning',
    yes: 'yes',
    signedIn: 'needs a session',
  },
} satisfies Record<Language, Record<string, string>>

/** The content of `/api/docs`: every call of the document with its parameters, bodies and errors. */
export function renderDocs(document: Json, language: Language): string {
  const t = texts[language]
  const sections = Map.groupBy(listOperations(document), operation => operation.tag)
  const parts = [...sections].map(
    ([tag, operations]) =>
      `<h2>${escapeHtml(tag)}</h2>\n${operations.map(item => renderOperation(item, t)).join('\n')}`,
  )
  const errorRows = Object.entries(errorKinds).map(
    ([code, kind]) =>
      `<tr id="error-${code}"><td><code>${code}</code></td><td>${kind.status}</td><td>${escapeHtml(kind[language])}</td></tr>`,
  )
  return `<p class="soft">${t.intro}<a href="/api/openapi.json">/api/openapi.json</a></p>
${parts.join('\n')}
<h2>${t.allErrors}</h2>
<table><tr><th>${t.code}</th><th>${t.status}</th><th>${t.meaning}</th></tr>
${errorRows.join('\n')}
</table>`
}

interface Operation {
  tag: string
  method: string
  path: string
  definition: Json
}

function listOperations(document: Json): Operation[] {
  return Object.entries(document.paths as Record<string, Json>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, value]) => {
      const definition = value as Json
      return { tag: String((definition.tags as unknown[])[0]), method, path, definition }
    }),
  )
}

type Texts = Record<keyof (typeof texts)['zh'], string>

function renderOperation({ method, path, definition }: Operation, t: Texts): string {
  const security = (definition.security ?? []) as unknown[]
  return `<article id="${escapeHtml(String(definition.operationId))}">
<h3><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h3>
<p>${escapeHtml(String(definition.summary))}${security.length > 0 ? ` <span class="soft">(${t.signedIn})</span>` : ''}</p>
${renderParameters((definition.parameters ?? []) as Json[], t)}
${renderSchema(t.body, schemaIn(definition.requestBody))}
${renderResponses(definition.responses as Record<string, Json>, t)}
</article>`
}

function renderParameters(parameters: Json[], t: Texts): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, schema, required, in: where }) =>
      `<tr><td><code>${escapeHtml(String(name))}</code></td><td>${escapeHtml(String(where))}</td>` +
      `<td>${escapeHtml(describeSchema(schema as Json))}</td><td>${required ? t.yes : ''}</td></tr>`,
  )
  return `<table><tr><th>${t.parameters}</th><th></th><th>${t.type}</th><th>${t.required}</th></tr>${rows.join('')}</table>`
}

function renderResponses(responses: Record<string, Json>, t: Texts): string {
  const entries = Object.entries(responses)
  const successes = entries.filter(([status]) => status < '300')
  const failures = entries.filter(([status]) => status >= '300')
  const rows = failures.map(([status, response]) => {
    const lines = String(response.description).split('\n').map(escapeHtml)
    return `<tr><td>${status}</td><td>${lines.join('<br>').replaceAll('`', '')}</td></tr>`
  })
  return [
    ...successes.map(
      ([status, response]) => renderSchema(status, schemaIn(response)) || `<p>${status}</p>`,
    ),
    rows.length === 0
      ? ''
      : `<table><tr><th>${t.status}</th><th>${t.errors}</th></tr>${rows.join('')}</table>`,
  ].join('\n')
}

function schemaIn(part: unknown): Json | undefined {
  const content = (part as { content?: Record<string, { schema?: Json }> } | undefined)?.content
  return content === undefined ? undefined : Object.values(content)[0]?.schema
}

/** A table of the fields of an object (or of a list's objects); one line for anything else. */
function renderSchema(title: string, schema: Json | undefined): string {
  if (schema === undefined) return ''
  const fields = fieldsOf(schema.type === 'array' ? (schema.items as Json) : schema)
  if (fields === undefined) return `<p>${title}: ${escapeHtml(describeSchema(schema))}</p>`
  const rows = fields.map(
    ({ name, type, isRequired }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(type)}</td><td>${isRequired ? '✓' : ''}</td></tr>`,
  )
  const list = schema.type === 'array' ? ' [ ]' : ''
  return `<table><tr><th>${title}${list}</th><th></th><th></th></tr>${rows.join('')}</table>`
}

function fieldsOf(schema: Json | undefined) {
  const properties = schema?.properties as Record<string, Json> | undefined
  if (properties === undefined) return undefined
  const required = new Set((schema?.required as string[] | undefined) ?? [])
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: describeSchema(property),
    isRequired: required.has(name),
  }))
}

function describeSchema(schema: Json): string {
  if (Array.isArray(schema.enum)) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  const ways = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (ways !== undefined) return ways.map(describeSchema).join(' | ')
  if (schema.type === 'array') return `list of ${describeSchema((schema.items ?? {}) as Json)}`
  if (schema.type === 'object')
    return `{ ${Object.keys((schema.properties ?? {}) as Json).join(', ')} }`
  const bounds = (['minLength', 'maxLength', 'minimum', 'maximum'] as const)
    // Where a number has no bound of its own, that of safe integers says nothing.
    .filter(name => schema[name] !== undefined && Math.abs(Number(schema[name])) < 2 ** 53 - 1)
    .map(name => `${name} ${schema[name]}`)
  const type =
    String(schema.type ?? 'any') + (schema.format === undefined ? '' : ` (${schema.format})`)
  return [type, ...bounds].join(', ')
}
