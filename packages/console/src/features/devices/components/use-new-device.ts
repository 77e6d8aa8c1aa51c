import type { RouterRow } from '@homeport/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { routersQuery } from '../api/list-routers.ts'
import { findNewDevices } from '../device-list.ts'

// Somebody watches for exactly this, so without live events the page asks more often than elsewhere.
const waitingPollMs = 3000

/** The newest device that joined since the component is shown; undefined while none has. */
export function useNewDevice(): RouterRow | undefined {
  const { data } = useQuery({ ...routersQuery, refetchInterval: waitingPollMs })
  const [known, setKnown] = useState<ReadonlySet<number>>()
  useEffect(() => {
    if (data === undefined) return
    setKnown(before => before ?? new Set(data.results.map(device => device.id)))
  }, [data])
  return known === undefined || data === undefined
    ? undefined
    : findNewDevices(known, data.results)[0]
}
