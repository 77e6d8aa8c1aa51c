/** Tabs of a device's page as its address names them; the first is where a device opens. */
export const deviceTabs = ['records', 'apps', 'files', 'servers', 'plan', 'facts'] as const
/** A tab of a device's page. */
export type DeviceTab = (typeof deviceTabs)[number]

/** True for a tab of a device's page. */
export const isDeviceTab = (text: string): text is DeviceTab => deviceTabs.some(tab => tab === text)

/** The id in an address; undefined for what no device can have. */
export function readDeviceId(text: string): number | undefined {
  if (!/^[1-9]\d{0,15}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}
