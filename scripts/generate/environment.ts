import { describeDefault } from '../../packages/cli/src/command.ts'
import * as tables from '../../packages/cli/src/options.ts'
import type { OptionTable } from '../../packages/runtime/src/index.ts'
import { escapeText, generatedNotice, renderTable } from './markdown.ts'

/** docs/environment.md: every option of every command, from the tables the commands read. */
export async function renderEnvironment(): Promise<string> {
  const sections = Object.entries(tables).map(
    ([name, table]) =>
      `## \`homeport ${name.replace(/Options$/, '')}\`\n\n${renderOptions(table)}\n`,
  )
  return `${generatedNotice}

# Settings

Each setting is a flag and an environment variable. A flag wins over the variable, which wins over the default; an empty
variable counts as absent. A switch takes \`on\` or \`off\` as a variable, a list takes commas. All problems of a
configuration are reported at once and refuse the start.

${sections.join('\n')}`
}

function renderOptions(table: OptionTable): string {
  const rows = Object.values(table).map(spec => [
    `\`${spec.env}\``,
    `\`${spec.flag}${spec.placeholder === undefined ? '' : ` <${spec.placeholder}>`}\``,
    escapeText(describeDefault(spec)),
    [
      escapeText(spec.doc),
      escapeText(spec.zero ?? ''),
      spec.example === undefined ? '' : `Example: \`${spec.example}\`.`,
    ]
      .filter(Boolean)
      .join(' '),
  ])
  return renderTable(['variable', 'flag', 'default', 'meaning'], rows)
}
