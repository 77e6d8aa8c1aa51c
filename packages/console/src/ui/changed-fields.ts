/**
 * The fields of a form that differ from what it opened with. Sending no others keeps what somebody else changed
 * meanwhile. Values are plain, or lists of text.
 */
export function changedFields<Fields extends object>(now: Fields, opened: Fields): Partial<Fields> {
  const changed: Partial<Fields> = {}
  for (const name of Object.keys(now) as (keyof Fields)[]) {
    if (String(now[name]) !== String(opened[name])) changed[name] = now[name]
  }
  return changed
}
