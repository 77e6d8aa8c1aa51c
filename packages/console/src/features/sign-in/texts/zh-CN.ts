/** Texts of signing in and up. */
export const texts = {
  title: '登录归港',
  signUpTitle: '注册归港账号',
  detail: '随时随地，安全访问家里的设备',
  ways: {
    label: '登录方式',
    password: '密码登录',
    phone: '手机号登录',
    sso: '扫码登录',
    services: '扫码与其他',
  },
  account: '用户名或邮箱',
  accountOrPhone: '手机号、用户名或邮箱',
  resetDone: '密码已重置，所有登录已退出。请用新密码登录。',
  forgotten: '忘记密码？',
  toSignInAgain: '返回登录',
  username: '用户名',
  password: '密码',
  newPassword: '密码',
  confirmation: '确认密码',
  invite: '邀请码',
  signIn: '登录',
  signUp: '注册并登录',
  toSignUp: '没有账号？注册一个',
  toSignUpInvited: '收到邀请？用邀请码注册',
  toSignIn: '已有账号？去登录',
  needed: '请填写这一项',
  wait: '请在 {{seconds}} 秒后重试',
  onward: '登录后将打开 {{host}}',
  needsSetup: '这个服务还没有管理员：请打开启动时终端里显示的设置链接。',
  leaving: '正在前往 {{host}}',
  leavingDetail: '身份已确认，正在打开…',
  leavingLink: '没有自动打开？点击这里',
  passkey: {
    button: '用通行密钥登录',
    ended: '没有完成验证，可以再试一次，或用密码登录。',
  },
  secondStep: {
    detail: '还差一步：请输入验证器 App 上的 6 位动态码。手机不在身边时，可以输入一个恢复码。',
    code: '动态码或恢复码',
    submit: '验证并登录',
    back: '换一个账号登录',
  },
  problem: {
    smsCodeWrong: '验证码不正确或已过期',
    codeWrong: '验证码不正确或已使用，请输入新的',
    credentials: '账号或密码不正确',
    taken: '这个用户名已被使用',
    inviteInvalid: '邀请码无效、已使用或已过期',
    passwordShort: '至少 8 个字符',
    different: '两次输入的密码不一致',
    usernameForm: '3 到 32 个字符：字母、数字、汉字、_ . -，不能全是数字',
  },
  strength: {
    short: '太短，至少 8 个字符',
    weak: '较弱：再长一些，或混合不同字符',
    fair: '一般：再长一些会更安全',
    strong: '很好',
  },
  terms: {
    agree: '我已阅读并同意',
    title: '服务条款',
    needed: '请先阅读并勾选服务条款',
    close: '我知道了',
    operator: '本服务由部署它的人运营和负责，软件按现状提供。',
    content: '您对通过自己的设备和外网域名发布的内容负责，不得用于违法用途。',
    security: '请保管好密码和令牌；公开访问的域名，任何人都能打开。',
    data: '为了提供服务，会保存账号、设备、域名和用量；转发的内容不会被保存。',
  },
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    'sign-in': typeof texts
  }
}
