/** How a vendor is reached. */
export interface SmsVendorSettings {
  keyId: string
  keySecret: string
  /** 短信签名: who the message says it is from. */
  signName: string
  /** A template with one variable, the code. */
  template: string
  /** Origin of the vendor's API. */
  endpoint: string
}

/** How codes reach telephones. It can be sent to a worker thread. */
export type SmsSettings =
  | { way: 'off' }
  /** The outbox of development. */
  | { way: 'outbox' }
  | ({ way: 'aliyun' } & SmsVendorSettings)
  | ({ way: 'tencent'; appId: string; region: string } & SmsVendorSettings)
