/** Texts of the outbox of development. */
export const texts = {
  title: '开发收件箱',
  detail: '开发模式不会真的发送短信和邮件，最新的 100 条都在这里。只有这台电脑能看到，重启后清空。',
  empty: '还没有消息',
  emptyDetail: '发送验证码后，会出现在这里。',
  kind: { sms: '短信', mail: '邮件' },
  copy: '复制',
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    outbox: typeof texts
  }
}
