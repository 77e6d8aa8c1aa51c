/** Texts about telephone numbers and their codes. */
export const texts = {
  phone: '手机号',
  boundPhone: '账号绑定的手机号',
  code: '短信验证码',
  send: '获取验证码',
  again: '{{seconds}} 秒后重发',
  sent: '验证码已发送，5 分钟内有效。没收到？请检查号码。',
  signInOrUp: '登录 / 注册',
  problem: {
    phone_needed: '请填写手机号',
    phone_signs: '手机号只能由数字组成，开头可以有 +',
    phone_country: '请在前面加上国家或地区代码，例如 +852',
    phone_length: '手机号的位数不对',
    phone_mainland: '不是有效的中国大陆手机号',
    phone_taken: '这个手机号已绑定其他账号',
    code_form: '请填写短信里的 6 位数字',
    code_wrong: '验证码不正确或已过期',
  },
  reset: {
    password: '新密码',
    submit: '重置密码',
  },
  panel: {
    title: '手机号',
    detail: '可以用短信验证码登录，忘记密码时用来找回。',
    none: '还没有绑定手机号',
    verified: '已验证',
    since: '绑定于',
    off: '这个服务没有开通短信，暂时不能用手机号登录或更换号码。',
  },
  bind: {
    open: '绑定手机号',
    title: '绑定手机号',
    detail: '验证码会发到这个号码。',
    submit: '绑定',
  },
  rebind: {
    open: '更换',
    title: '更换手机号',
    detail: '为了安全，新旧两个号码都需要验证。',
    oldCode: '原号码 {{phone}} 收到的验证码',
    phone: '新手机号',
    code: '新号码收到的验证码',
    submit: '更换',
  },
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    phone: typeof texts
  }
}
