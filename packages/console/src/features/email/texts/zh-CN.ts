/** Texts of the own e-mail address. */
export const texts = {
  title: '邮箱',
  detail: '确认后可以用来登录，账号有变动时也会通知您。',
  label: '邮箱',
  placeholder: 'name@example.com',
  none: '还没有邮箱',
  off: '这个服务没有开通邮件，暂时不能设置邮箱。',
  submit: '发送确认邮件',
  remove: '移除邮箱',
  removed: '邮箱已移除',
  removeTitle: '移除邮箱？',
  removeDetail: '{{email}} 将不再能用来登录，也收不到通知。',
  removeFailed: '没能移除邮箱',
  required: '请填写邮箱',
  invalid: '邮箱格式不正确',
  same: '这就是现在的邮箱',
  failed: '没能发送确认邮件',
  pending: '等待确认：{{email}}',
  pendingDetail: '请打开邮件里的链接。{{instant}} 前有效；在那之前，原来的邮箱照常使用。',
  pendingOver: '确认链接已过期，请重新发送。',
  resend: '重新发送',
  resent: '已重新发送',
  resendFailed: '没能重新发送',
  cancel: '放弃更换',
  cancelFailed: '没能放弃',
  confirming: '正在确认邮箱…',
  confirmed: '邮箱已确认',
  confirmFailed: '没能确认邮箱',
  loadFailed: '邮箱的状态没能加载',
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    email: typeof texts
  }
}
