import { confirmSsoRequest, openSsoRequest, refuseSsoRequest } from '@homeport/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'

/** True for what can be the name of a request: 128 random bits, base64url. */
export const isSsoRequest = (request: string): boolean =>
  openSsoRequest.body.safeParse({ request }).success

/** Who asks. Asking takes the request for this account, so it is done once and kept. */
export const useSsoRequest = (request: string) =>
  useQuery({
    queryKey: ['sso-request', request],
    queryFn: ({ signal }) => client.call(openSsoRequest, { body: { request } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

const answers = { confirmed: confirmSsoRequest, refused: refuseSsoRequest }

/** Answers the request. */
export const useSsoAnswer = (request: string) =>
  useMutation({
    mutationFn: async (answer: keyof typeof answers) => {
      await client.call(answers[answer], { body: { request } })
      return answer
    },
  })
