import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where `vite` finds the API while the console is being worked on. */
const apiOrigin = process.env.HOMEPORT_DEV_API ?? 'http://localhost:8080'

// The server refuses unsafe calls whose Origin is not its own, so the proxy speaks as the console it stands for.
const proxied = { target: apiOrigin, changeOrigin: true, headers: { origin: apiOrigin } }

/**
 * Icons name themselves after their file ("plus", "exclamation-circle"): in English, and beside words that say it already.
 * Here they are made decoration for screen readers unless the place that shows one gives it a name, the component
 * library's own icons too. A library that draws its icons in another way fails the build.
 */
function silenceIcons(onSilenced = () => {}): Plugin {
  const named = '"aria-label": icon.name'
  const silent = '"aria-hidden": restProps["aria-label"] === undefined ? true : undefined'
  return {
    name: 'silence-icons',
    transform: {
      filter: { id: /\/icons\/es\/components\/AntdIcon(?:Light)?\.js$/ },
      handler(code) {
        if (!code.includes(named)) this.error('the icons draw themselves in another way')
        onSilenced()
        return { code: code.replace(named, silent), map: null }
      },
    },
  }
}

/** The same for a whole build, in which there must be icons. */
function silenceEveryIcon(): Plugin {
  let isDone = false
  const silence = silenceIcons(() => {
    isDone = true
  })
  return {
    ...silence,
    apply: 'build',
    buildEnd(error) {
      if (error === undefined && !isDone) this.error('the icons were not found')
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), silenceEveryIcon()],
  // While the console is being worked on, the libraries are bundled apart from it, in several parts.
  optimizeDeps: { rolldownOptions: { plugins: [silenceIcons()] } },
  server: { proxy: { '/api': proxied, '/captcha': proxied, '/custom': proxied } },
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
