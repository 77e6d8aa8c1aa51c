/** Texts of the page on which a phone confirms a sign-in elsewhere. */
export const texts = {
  title: '确认登录',
  detail: '一个浏览器请求以“{{name}}”的身份登录。',
  number: '请核对电脑上显示的数字',
  compare: '数字不一致，就不要确认。',
  browser: '浏览器',
  address: '地址',
  time: '发起时间',
  unknown: '未知',
  sameNetwork: '与您现在在同一网络',
  otherNetwork: '与您现在不在同一网络',
  warningTitle: '不是您发起的？请拒绝。',
  warning: '确认后，对方就能使用您的账号。不要扫描或打开别人发来的登录二维码和链接。',
  confirm: '确认登录',
  refuse: '拒绝',
  left: '请求 {{left}} 后过期',
  confirmFailed: '没能确认',
  refuseFailed: '没能拒绝',
  failed: '请求没能加载',
  confirmed: { title: '已确认', detail: '请回到电脑上，登录会自动继续。' },
  refused: {
    title: '已拒绝',
    detail: '没有人登录。如果不是您发起的，可能有人想骗您确认，请留意。',
  },
  gone: {
    title: '请求已失效',
    detail: '它已过期、已处理，或由另一个账号打开。请在电脑上刷新二维码，再扫描一次。',
  },
  missing: { title: '链接不完整', detail: '请重新扫描电脑上的二维码。' },
  sessions: '查看登录设备',
  home: '返回首页',
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    'sso-confirm': typeof texts
  }
}
