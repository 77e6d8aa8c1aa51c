import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { toOpenApi } from '@homeport/contract/openapi'

/** docs/openapi.json: the contract as OpenAPI 3.1, with the version of the repository. */
export async function renderOpenApi(): Promise<string> {
  const manifest = path.join(import.meta.dirname, '..', '..', 'package.json')
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  return `${JSON.stringify(toOpenApi(version), null, 2)}\n`
}
