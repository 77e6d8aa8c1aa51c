declare const brand: unique symbol

/** Id of an account that is known to exist: it comes out of a session or a row, never out of a request. */
export type UserId = number & { readonly [brand]: 'UserId' }

/** Takes the id of a row; throws where it cannot be one. */
export function parseUserId(value: number): UserId {
  if (!Number.isSafeInteger(value) || value <= 0) throw new RangeError('not the id of a user')
  return value as UserId
}
