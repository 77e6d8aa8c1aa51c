import { resolve } from 'node:path'
import { type ConfigOf, createLogger, systemClock } from '@homeport/runtime'
import { type Administration, openAdministration, type Releasable } from '@homeport/server'
import { Command } from 'commander'
import { createCommand } from '../command.ts'
import { adminOptions } from '../options.ts'
import { loadSecretKey } from '../up/secret-key.ts'
import { version } from '../version.ts'

type AdminOptions = ConfigOf<typeof adminOptions>

/** `homeport admin …`: works on the data folder itself, beside a running server or without one. */
export function createAdminCommand(): Command {
  return new Command('admin')
    .description('Work on a deployment from its own machine')
    .addCommand(
      createCommand(
        'setup-link',
        'Print a one-time link that makes an administrator',
        adminOptions,
        options => work(options, admin => admin.createSetupLink()),
      ),
    )
    .addCommand(
      createCommand(
        'invite',
        'Print a single-use sign-up link that lives 7 days',
        adminOptions,
        options => work(options, admin => admin.createInvite()),
      ),
    )
    .addCommand(
      createCommand(
        'reset-password',
        'Give an account a new password, print it, and end its sessions',
        adminOptions,
        (options, [account = '']) =>
          work(options, async admin => {
            const password = await admin.resetPassword(account)
            if (password === null) throw new Error(`there is no account ${account}`)
            return password
          }),
      ).argument('<account>', 'user name or e-mail address'),
    )
    .addCommand(
      createReleaseCommand('reset-second-factor', {
        takes: 'second_factor',
        description:
          'Take the two-step codes and passkeys of an account away, and end its sessions',
        none: 'two-step codes and no passkeys',
        done: account => `${account} signs in without a second factor now`,
      }),
    )
    .addCommand(
      createReleaseCommand('release-phone', {
        takes: 'phone',
        description: releaseOf('telephone number'),
        none: 'telephone number',
        done: account => `the telephone number of ${account} can be used by another account`,
      }),
    )
    .addCommand(
      createReleaseCommand('release-email', {
        takes: 'email',
        description: releaseOf('e-mail address'),
        none: 'e-mail address',
        done: account => `the e-mail address of ${account} can be used by another account`,
      }),
    )
    .addCommand(
      createCommand(
        'delete-account',
        'Switch an account off and delete it in 14 days; until then it can be restored',
        adminOptions,
        (options, [account = '']) =>
          work(options, async admin => {
            const deletesAt = await admin.deleteAccount(account)
            if (deletesAt === null) throw new Error(`there is no account ${account}`)
            return `${account} is switched off and will be deleted at ${deletesAt}`
          }),
      ).argument('<account>', 'user name or e-mail address'),
    )
    .addCommand(
      createCommand(
        'restore-account',
        'Undo the deletion of an account, while it is not over',
        adminOptions,
        (options, [account = '']) =>
          work(options, async admin => {
            const isRestored = await admin.restoreAccount(account)
            if (!isRestored) throw new Error(`there is no account ${account} that is being deleted`)
            return `${account} is as it was before`
          }),
      ).argument('<account>', 'user name or e-mail address'),
    )
}

const releaseOf = (what: string) =>
  `Take the ${what} of an account away, so that another can have it, and end its sessions`

function createReleaseCommand(
  name: string,
  {
    takes,
    description,
    none,
    done,
  }: {
    takes: Releasable
    description: string
    /** What the account may not have. */
    none: string
    done: (account: string) => string
  },
): Command {
  const command = createCommand(name, description, adminOptions, (options, [account = '']) =>
    work(options, async admin => {
      const outcome = await admin.release(account, takes, command.opts().force === true)
      if (outcome === 'none')
        throw new Error(`there is no account ${account}, or it has no ${none}`)
      if (outcome === 'released') return done(account)
      throw new Error(
        `${account} could not be signed in to any more: give it a password first (reset-password), or add --force`,
      )
    }),
  )
  return command
    .argument('<account>', 'user name, e-mail address or telephone number')
    .option('--force', 'Also where nothing else opens the account')
}

async function work(
  options: AdminOptions,
  act: (admin: Administration) => Promise<string>,
): Promise<void> {
  const dataFolder = resolve(options.data)
  const admin = await openAdministration({
    listen: { host: '127.0.0.1', port: 0 },
    consoleUrl: new URL(options.publicUrl ?? 'http://localhost:8080').origin,
    tunnelDomain: 'localhost',
    extraConsoleHosts: 'none',
    mode: 'production',
    billing: true,
    signup: 'invite',
    sms: { way: 'off' },
    tcpPorts: { from: 1, to: 1 },
    dataFolder,
    secretKey: await loadSecretKey(dataFolder, options.secretKey),
    version,
    clock: systemClock,
    logger: createLogger({ level: 'error', name: 'admin' }),
    ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }),
  })
  try {
    process.stdout.write(`${await act(admin)}\n`)
  } finally {
    await admin.close()
  }
}
