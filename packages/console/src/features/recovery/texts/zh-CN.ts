/** Texts for whoever forgot the password. */
export const texts = {
  title: '重置密码',
  detail: '先确认账号是您的，再设置新密码',
  ways: {
    label: '找回方式',
    phone: '手机号',
    mail: '邮箱',
  },
  mail: {
    label: '账号的邮箱',
    needed: '请填写邮箱',
    form: '邮箱格式不正确',
    submit: '发送重置链接',
    again: '没收到，再发一次',
    sent: '如果 {{email}} 是某个账号确认过的邮箱，重置链接已发往那里，30 分钟内有效。没收到时，请先看看垃圾邮件。',
  },
  link: {
    detail: '为账号 {{username}} 设置新密码。完成后，所有登录都会退出。',
    password: '新密码',
    submit: '重置密码',
    done: '密码已重置',
    doneDetail: '所有登录已退出，请用新密码登录。',
    invalid: '链接无效或已过期',
    invalidDetail:
      '每个链接只能用一次，30 分钟内有效，修改密码或邮箱后也会失效。请在登录页重新申请。',
  },
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    recovery: typeof texts
  }
}
