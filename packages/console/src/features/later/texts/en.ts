import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  notOpen: 'Not open yet',
  billingOff: 'Plans are switched off here',
  billingOffDetail:
    'Whoever runs this service switched buying and codes off: no plan limits devices or names.',
  detail: {
    statistics: 'An overview of devices, plans, traffic and visitors will be here.',
    playersare: 'Groups to talk in and promoters to ask will be here.',
    productos: 'Redeem codes will be managed here: by place, mark, export and buy in bulk.',
    record: 'Who was let through to which name will be listed here, and can be revoked.',
    invite: 'Your invitation code, the people you invited and rewards will be here.',
    buy: 'Plans to choose, buy and bind to a device will be here.',
    tutorial: 'Guides to adding devices, publishing names and finding faults will be here.',
  },
}
