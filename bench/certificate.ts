import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from './programs.ts'
import type { Certificate } from './way.ts'

/** Makes a pair for localhost that every way uses between its hops. */
export function makeCertificate(folder: string): Certificate {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const bothFile = join(folder, 'both.pem')
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-addext', 'subjectAltName=DNS:localhost,DNS:*.localhost,IP:127.0.0.1']
  const files = ['-keyout', keyFile, '-out', certFile]
  execFileSync(
    findProgram('openssl'),
    ['req', '-x509', ...key, '-subj', '/CN=localhost', ...names, ...files],
    { stdio: 'ignore' },
  )
  writeFileSync(bothFile, `${readFileSync(certFile, 'utf8')}${readFileSync(keyFile, 'utf8')}`, {
    mode: 0o600,
  })
  return { certFile, keyFile, bothFile }
}
