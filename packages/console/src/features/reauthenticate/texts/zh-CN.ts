/** Texts of the dialog that asks who is there before a sensitive change. */
export const texts = {
  title: '确认是您本人',
  detail: {
    password: '这是一项敏感操作，请再次输入登录密码。',
    code: '这是一项敏感操作，请用短信验证码确认。',
    none: '这是一项敏感操作，需要最近 10 分钟内登录过。请在这里确认，或者退出后重新登录。',
  },
  password: '登录密码',
  code: '绑定的手机号收到的验证码',
  wrong: { password: '密码不正确', code: '验证码不正确或已过期' },
  passkey: '用通行密钥确认',
  passkeyEnded: '没有完成验证，可以再试一次。',
  identity: '用{{name}}确认',
  identityDetail: '会离开这个页面，在那里重新验证身份后再回来；没有保存的修改会丢失。',
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    reauthenticate: typeof texts
  }
}
