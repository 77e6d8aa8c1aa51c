import { createProgram } from '../../packages/cli/src/program.ts'
import { generatedNotice } from './markdown.ts'

type Command = Pick<
  ReturnType<typeof createProgram>,
  'name' | 'commands' | 'configureHelp' | 'helpInformation'
>

// As wide as the lines of this repository, whatever the terminal is.
const HELP_WIDTH = 100

/** docs/cli.md: the help of the homeport command and of each of its commands. */
export async function renderCli(): Promise<string> {
  const sections = listCommands(createProgram(), []).map(
    ({ name, help }) => `## \`${name}\`\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`,
  )
  return `${generatedNotice}

# Command line

From a clone: \`npm exec -- homeport …\`, or \`npm start -- …\` for \`homeport up\`.

${sections.join('\n')}`
}

function listCommands(
  command: Command,
  parents: readonly string[],
): { name: string; help: string }[] {
  const path = [...parents, command.name()]
  command.configureHelp({ helpWidth: HELP_WIDTH })
  return [
    { name: path.join(' '), help: command.helpInformation() },
    ...command.commands.flatMap(child => listCommands(child, path)),
  ]
}
