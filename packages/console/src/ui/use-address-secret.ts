import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

/**
 * A secret that a link carries in the query; empty where there is none. It leaves the address bar and the history at once: whoever
 * sees the screen must not see it.
 */
export function useAddressSecret(name: string): string {
  const [query, setQuery] = useSearchParams()
  const inAddress = query.get(name) ?? ''
  const [secret, setSecret] = useState(inAddress)
  useEffect(() => {
    if (inAddress === '') return
    setSecret(inAddress)
    setQuery({}, { replace: true })
  }, [inAddress, setQuery])
  return inAddress === '' ? secret : inAddress
}
