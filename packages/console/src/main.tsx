import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { createQueryClient } from './app/query-client.ts'
import { createAppRouter } from './app/router.tsx'
import { Surroundings } from './app/Surroundings.tsx'
import { loadSharedData } from './app/start-up.ts'
import { startTexts } from './i18n/i18n.ts'
import './ui/base.css'

const queryClient = createQueryClient(() => void router?.revalidate())
let router: ReturnType<typeof createAppRouter> | undefined

// Shared data first; whether it came or not, then the router is registered and the app mounts (client.md section 1).
await Promise.all([loadSharedData(queryClient), startTexts()])
router = createAppRouter(queryClient)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root')
createRoot(root).render(
  <StrictMode>
    <Surroundings queryClient={queryClient}>
      <RouterProvider router={router} />
    </Surroundings>
  </StrictMode>,
)
