import { CallError } from '@homeport/contract'
import {
  type ComponentType,
  createContext,
  type ReactNode,
  Suspense,
  use,
  useCallback,
  useState,
} from 'react'

type WithRecentSignIn = <T>(action: () => Promise<T>) => Promise<T>

const Context = createContext<WithRecentSignIn | null>(null)

interface Asking {
  done: () => void
  cancelled: () => void
}

/** Gives `useRecentSignIn` to everything inside. `Dialog` proves to the server who is there. */
export function ReauthenticateProvider(props: {
  Dialog: ComponentType<{ onConfirmed: () => void; onCancel: () => void }>
  children: ReactNode
}) {
  const { Dialog } = props
  const [asking, setAsking] = useState<Asking>()

  const withRecentSignIn = useCallback(async function attempt<T>(
    action: () => Promise<T>,
  ): Promise<T> {
    try {
      return await action()
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'recent_sign_in_required') throw error
      await new Promise<void>((resolve, reject) =>
        setAsking({
          done: resolve,
          cancelled: () => reject(new CallError('aborted', { detail: error.message })),
        }),
      )
      return action()
    }
  }, [])

  const end = (how: keyof Asking) => {
    asking?.[how]()
    setAsking(undefined)
  }
  return (
    <Context value={withRecentSignIn}>
      {props.children}
      {asking !== undefined && (
        <Suspense>
          <Dialog onConfirmed={() => end('done')} onCancel={() => end('cancelled')} />
        </Suspense>
      )}
    </Context>
  )
}

/**
 * Runs an action; where the server wants a recent sign-in, asks in a dialog who is there and runs it again.
 * Cancelling rejects with code `aborted` (see `isAborted`).
 */
export function useRecentSignIn(): WithRecentSignIn {
  const withRecentSignIn = use(Context)
  if (withRecentSignIn === null) throw new Error('useRecentSignIn needs ReauthenticateProvider')
  return withRecentSignIn
}
