#!/usr/bin/env node
// The command finds the pinned Node first; see scripts/launch.mjs.
import { fileURLToPath } from 'node:url'

process.argv.splice(2, 0, fileURLToPath(new URL('../src/main.ts', import.meta.url)))
await import('../../../scripts/launch.mjs')
