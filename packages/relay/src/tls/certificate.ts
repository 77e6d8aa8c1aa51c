import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import type { Logger } from '@homeport/runtime'

/** Where a certificate and its key are. */
export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

// By polling: renewals swap symbolic links, which event-based watching loses sight of.
const pollMs = 10_000

/** Reads the pair and proves that it fits together. Throws what the files or OpenSSL say. */
export function readCertificate(files: CertificateFiles): SecureContextOptions {
  const pair = { cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) }
  createSecureContext(pair)
  return pair
}

/** Calls `onChange` with each new pair; a pair that does not fit (half written) is logged and waited for. */
export function watchCertificate(
  files: CertificateFiles,
  parts: { readonly logger: Logger; onChange(pair: SecureContextOptions): void },
): { reload(): void; stop(): void } {
  function reload(): void {
    try {
      parts.onChange(readCertificate(files))
      parts.logger.info({ file: files.certFile }, 'certificate reloaded')
    } catch (cause) {
      parts.logger.error(
        { file: files.certFile, err: cause },
        'certificate cannot be used; the one before stays',
      )
    }
  }
  const names = [files.certFile, files.keyFile]
  for (const name of names) watchFile(name, { interval: pollMs, persistent: false }, reload)
  return {
    reload,
    stop() {
      for (const name of names) unwatchFile(name, reload)
    },
  }
}
