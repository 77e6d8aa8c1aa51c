/** Texts of the page about the own account. */
export const texts = {
  title: '个人信息',
  saved: '已保存',
  saveFailed: '没能保存',
  save: '保存',
  profile: {
    title: '基本资料',
    username: '用户名',
    usernameDetail: '3 到 32 个字：字母、数字、汉字、_ - .',
    email: '邮箱',
    emailPlaceholder: '可不填',
    emailDetail: '可以用来登录。修改需要确认密码。',
    superuser: '超级管理员',
    staff: '管理员',
    promoter: '推广员',
    member: '普通用户',
  },
  problems: {
    username: {
      required: '请填写用户名',
      invalid: '3 到 32 个字：字母、数字、汉字、_ - .，不能全是数字',
      taken: '这个用户名已被使用',
    },
    email: { invalid: '邮箱格式不正确', taken: '这个邮箱已被使用' },
    old_password: { required: '请填写当前密码', wrong: '当前密码不正确' },
    new_password: {
      required: '请填写新密码',
      short: '至少 8 个字符',
      long: '最多 128 个字符',
      same: '新密码要与当前密码不同',
      invalid: '这个密码不能用，请换一个更难猜的',
    },
    repeat: { required: '请再次填写新密码', differs: '两次填写的不一样' },
  },
  password: {
    title: '登录密码',
    detail: '修改后，其他浏览器上的登录会全部退出。',
    old: '当前密码',
    new: '新密码',
    repeat: '再次填写新密码',
    submit: '修改密码',
    done: '密码已修改，其他登录已全部退出',
    failed: '没能修改密码',
    strength: {
      label: '密码强度',
      short: '太短：至少 8 个字符',
      weak: '较弱：容易被猜到',
      fair: '中等：再长一些更好',
      strong: '强',
    },
  },
  sessions: {
    title: '登录的浏览器',
    detail: '不认识的登录请退出，然后修改密码。',
    current: '当前',
    unknown: '未知的程序',
    from: '地址 {{address}}',
    seen: '最近使用',
    since: '登录于',
    revoke: '退出',
    revokeName: '退出 {{name}}',
    revokeTitle: '退出“{{name}}”的登录？',
    revokeDetail: '那个浏览器需要重新登录，它打开的“仅自己”页面也会断开。',
    empty: '没有其他登录',
    failed: '登录列表没能加载',
    revokeFailed: '没能退出那个登录',
  },
  token: { title: '令牌' },
  terms: {
    title: '条款',
    service: '服务条款',
    payment: '支付条款',
    accepted: '已同意',
    open: '未同意',
    accept: '同意',
    acceptFailed: '没能保存',
    serviceDetail: '合法使用，只发布您有权发布的内容。',
    paymentDetail: '购买套餐前需要同意；套餐尚未开放。',
  },
  later: {
    title: '更多安全选项',
    badge: '尚未开放',
    phone: '手机号',
    phoneDetail: '用短信验证码登录和找回密码',
  },
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    account: typeof texts
  }
}
