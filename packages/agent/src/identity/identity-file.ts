import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Who this agent is: its key, and the device it became at a server once it was paired. */
export interface Identity {
  readonly privateKey: KeyObject
  /** Raw Ed25519 public key, 32 bytes base64url. */
  readonly publicKey: string
  /** Origin of the server it is paired with, and its uid there; absent before pairing. */
  readonly pairing?: { server: string; uid: string }
}

const fileSchema = z.object({
  private_key: z.string(),
  pairing: z.object({ server: z.string(), uid: z.string() }).optional(),
})

const fileName = 'agent.json'

/** Reads the identity of a data folder, making folder and key where there are none. */
export async function loadIdentity(dataFolder: string): Promise<Identity> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const text = await readFile(join(dataFolder, fileName), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
  if (text === null) return makeIdentity(dataFolder)
  const parsed = fileSchema.safeParse(parseJson(text))
  if (!parsed.success)
    throw new Error(`${join(dataFolder, fileName)} is damaged; remove it to pair again`)
  const der = Buffer.from(parsed.data.private_key, 'base64url')
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return identityOf(privateKey, parsed.data.pairing)
}

/** Remembers the device this agent became; the token it was paired with is not kept. */
export async function savePairing(
  dataFolder: string,
  identity: Identity,
  pairing: { server: string; uid: string },
): Promise<Identity> {
  const paired = identityOf(identity.privateKey, pairing)
  await writeIdentity(dataFolder, paired)
  return paired
}

async function makeIdentity(dataFolder: string): Promise<Identity> {
  const identity = identityOf(generateKeyPairSync('ed25519').privateKey, undefined)
  await writeIdentity(dataFolder, identity)
  return identity
}

function identityOf(privateKey: KeyObject, pairing: Identity['pairing'] | undefined): Identity {
  const publicKey = String(createPublicKey(privateKey).export({ format: 'jwk' }).x)
  return pairing === undefined ? { privateKey, publicKey } : { privateKey, publicKey, pairing }
}

// Written beside and renamed over, so that a power cut leaves the old file or the new one, never half of one.
async function writeIdentity(dataFolder: string, identity: Identity): Promise<void> {
  const der = identity.privateKey.export({ format: 'der', type: 'pkcs8' })
  const content = { private_key: der.toString('base64url'), pairing: identity.pairing }
  const path = join(dataFolder, fileName)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // the schema refuses it and the caller names the file
  }
}
