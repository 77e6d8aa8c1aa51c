import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `vite` finds the API while the console is being worked on. */
const apiOrigin = process.env.HOMEPORT_DEV_API ?? 'http://localhost:8080'

// The server refuses unsafe calls whose Origin is not its own, so the proxy speaks as the console it stands for.
const proxied = { target: apiOrigin, changeOrigin: true, headers: { origin: apiOrigin } }

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { proxy: { '/api': proxied, '/custom': proxied } },
  build: {
    target: 'es2022',
    // Nothing is inlined: the server's Content-Security-Policy knows only files.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // The contract is schemas: without this every one would be kept, because building one is a call.
      treeshake: { moduleSideEffects: id => !id.includes('/packages/contract/') },
    },
  },
})
