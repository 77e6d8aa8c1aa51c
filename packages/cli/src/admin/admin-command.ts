import { resolve } from 'node:path'
import { type ConfigOf, createLogger, systemClock } from '@homeport/runtime'
import { type Administration, openAdministration } from '@homeport/server'
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
      createCommand(
        'reset-second-factor',
        'Take the two-step codes and passkeys of an account away, and end its sessions',
        adminOptions,
        (options, [account = '']) =>
          work(options, async admin => {
            const isReset = await admin.resetSecondFactor(account)
            if (!isReset) throw new Error(`there is no account ${account}`)
            return `${account} signs in with the password alone now`
          }),
      ).argument('<account>', 'user name or e-mail address'),
    )
    .addCommand(createReleaseCommand('phone', 'telephone number'))
    .addCommand(createReleaseCommand('email', 'e-mail address'))
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

function createReleaseCommand(what: 'phone' | 'email', name: string): Command {
  const command = createCommand(
    `release-${what}`,
    `Take the ${name} of an account away, so that another can have it, and end its sessions`,
    adminOptions,
    (options, [account = '']) =>
      work(options, async admin => {
        const outcome = await admin.release(account, what, command.opts().force === true)
        if (outcome === 'none')
          throw new Error(`there is no account ${account}, or it has no ${name}`)
        if (outcome === 'released')
          return `the ${name} of ${account} can be used by another account`
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
