/** What a client may do after an error: ask again now, ask again later, or not without a change. */
export type Retry = 'now' | 'later' | 'never'

/** One row of the registry. `report` is true where an operator has to look at it. */
export interface ErrorKind {
  readonly status: number
  readonly retry: Retry
  readonly report: boolean
  readonly zh: string
  readonly en: string
}

const kind = (status: number, retry: Retry, zh: string, en: string, report = false): ErrorKind => ({
  status,
  retry,
  report,
  zh,
  en,
})

/**
 * Every error code an HTTP answer of the API may carry. Codes are stable: clients branch on them alone.
 * The titles are whole sentences for people and are the default `detail`.
 */
export const errorKinds = {
  malformed_json: kind(400, 'never', '请求内容不是有效的 JSON。', 'The body is not readable JSON.'),
  bad_request: kind(400, 'never', '无法理解这个请求。', 'The request cannot be understood.'),
  invalid_input: kind(
    422,
    'never',
    '有内容填写不正确，请检查标出的各项。',
    'Some input is not valid; see the marked fields.',
  ),
  unsupported_media_type: kind(415, 'never', '请求内容必须是 JSON。', 'The body must be JSON.'),
  payload_too_large: kind(413, 'never', '请求内容太大。', 'The body is too large.'),
  method_not_allowed: kind(
    405,
    'never',
    '这个地址不支持此操作。',
    'This address does not take that method.',
  ),
  not_found: kind(404, 'never', '没有找到，或您无权查看。', 'Not found, or not yours.'),
  not_signed_in: kind(401, 'never', '请先登录。', 'Sign in first.'),
  invalid_credentials: kind(
    401,
    'never',
    '账号或密码不正确。',
    'The account or the password is wrong.',
  ),
  second_factor_required: kind(
    401,
    'never',
    '请输入两步验证码。',
    'Enter the code of the second step.',
  ),
  second_factor_wrong: kind(
    422,
    'never',
    '验证码不正确或已使用。',
    'The code is wrong or was used.',
  ),
  sign_in_expired: kind(
    409,
    'never',
    '登录已超时，请重新登录。',
    'The sign-in has expired; begin again.',
  ),
  second_factor_on: kind(409, 'never', '两步验证已经开启。', 'Two-step codes are on already.'),
  second_factor_off: kind(409, 'never', '两步验证没有开启。', 'Two-step codes are not on.'),
  enrolment_expired: kind(
    409,
    'never',
    '设置已过期，请重新开始。',
    'The set-up has expired; begin again.',
  ),
  passkey_refused: kind(422, 'never', '通行密钥没有通过验证。', 'The passkey was not accepted.'),
  passkeys_unavailable: kind(
    409,
    'never',
    '这个地址不能使用通行密钥，请用服务的正式地址打开。',
    'Passkeys do not work under this address; open the console by its own one.',
  ),
  passkey_limit: kind(409, 'never', '通行密钥数量已达上限。', 'The limit of passkeys is reached.'),
  sso_flow_unknown: kind(
    409,
    'never',
    '这次登录已过期、已使用，或不是在这个浏览器里开始的，请重新登录。',
    'This sign-on has expired, was used, or began in another browser; begin again.',
  ),
  sso_refused: kind(
    422,
    'never',
    '登录服务没有确认您的身份，请重新登录。',
    'The provider did not confirm who you are; begin again.',
  ),
  sso_unavailable: kind(
    503,
    'later',
    '登录服务暂时无法连接，请稍后再试或换一种方式登录。',
    'The provider cannot be reached now; try later or sign in another way.',
  ),
  sso_request_gone: kind(
    404,
    'never',
    '这个登录请求不存在、已处理或已过期。',
    'This request to sign in is unknown, answered or expired.',
  ),
  identity_taken: kind(
    409,
    'never',
    '这个第三方账号已经绑定了另一个账号。',
    'That identity is linked to another account.',
  ),
  last_way_in: kind(
    409,
    'never',
    '这是登录此账号的唯一方式，请先设置密码或绑定其他方式。',
    'This is the only way into the account; set a password or link another first.',
  ),
  recent_sign_in_required: kind(
    403,
    'never',
    '为了安全，请先确认是您本人。',
    'Confirm that it is you first.',
  ),
  forbidden: kind(403, 'never', '您没有权限进行此操作。', 'You are not allowed to do this.'),
  csrf_failed: kind(403, 'now', '页面已过期，请重试。', 'The page has expired; try again.'),
  rate_limited: kind(
    429,
    'later',
    '操作太频繁，请稍后再试。',
    'Too many attempts; try again later.',
  ),
  busy: kind(429, 'later', '服务器繁忙，请稍后再试。', 'The server is busy; try again later.'),
  captcha_required: kind(403, 'now', '请先完成安全验证。', 'Complete the verification first.'),
  captcha_wrong: kind(
    422,
    'now',
    '验证未通过，请再试一次。',
    'The verification failed; try again.',
  ),
  signup_closed: kind(403, 'never', '此服务暂未开放注册。', 'Sign-up is closed here.'),
  invite_invalid: kind(
    404,
    'never',
    '邀请链接无效、已使用或已过期。',
    'The invitation is unknown, used or expired.',
  ),
  setup_code_invalid: kind(
    404,
    'never',
    '设置链接无效或已使用。',
    'The set-up link is unknown or used.',
  ),
  username_taken: kind(409, 'never', '这个用户名已被使用。', 'This username is taken.'),
  email_taken: kind(409, 'never', '这个邮箱已被使用。', 'This e-mail address is taken.'),
  email_link_invalid: kind(
    404,
    'never',
    '链接无效、已使用或已过期，请重新发送。',
    'The link is unknown, used or expired; send another one.',
  ),
  reset_link_invalid: kind(
    404,
    'never',
    '链接无效、已使用或已过期，请重新申请。',
    'The link is unknown, used or expired; ask for another one.',
  ),
  mail_off: kind(409, 'never', '这个服务没有开通邮件。', 'Mail is not set up here.'),
  wrong_password: kind(422, 'never', '当前密码不正确。', 'The current password is wrong.'),
  sms_off: kind(409, 'never', '这个服务没有开通短信。', 'Text messages are not set up here.'),
  sms_unsent: kind(
    503,
    'later',
    '短信没能发出，请稍后再试。',
    'The text message could not be sent; try again later.',
    true,
  ),
  sms_code_wrong: kind(
    422,
    'never',
    '短信验证码不正确或已过期。',
    'The code of the text message is wrong or has expired.',
  ),
  phone_taken: kind(
    409,
    'never',
    '这个手机号已绑定其他账号。',
    'This phone number belongs to another account.',
  ),
  phone_bound: kind(409, 'never', '已经绑定了手机号。', 'A phone number is bound already.'),
  phone_unbound: kind(409, 'never', '还没有绑定手机号。', 'No phone number is bound.'),
  last_administrator: kind(
    409,
    'never',
    '您是唯一的超级管理员，请先设置另一位。',
    'You are the only administrator; make another one first.',
  ),
  account_leaving: kind(
    403,
    'never',
    '这个账号正在注销，可以先恢复再登录。',
    'This account is being deleted; it can be restored.',
  ),
  device_limit: kind(409, 'never', '设备数量已达上限。', 'The limit of devices is reached.'),
  record_limit: kind(409, 'never', '外网域名数量已达上限。', 'The limit of records is reached.'),
  name_taken: kind(409, 'never', '这个域名已被使用或被保留。', 'This name is taken or reserved.'),
  port_pool_exhausted: kind(
    503,
    'later',
    '端口已用完，请稍后再试或联系管理员。',
    'No port is free.',
    true,
  ),
  access_needs_http: kind(
    422,
    'never',
    '这种类型只支持“公开”访问。',
    'This kind takes public access only.',
  ),
  pairing_token_invalid: kind(
    401,
    'never',
    '令牌无效、已使用或已过期。',
    'The token is unknown, used or expired.',
  ),
  pairing_not_found: kind(
    404,
    'never',
    '配对请求不存在或已过期。',
    'The pairing is unknown or expired.',
  ),
  gate_denied: kind(403, 'never', '您没有访问这个域名的权限。', 'You may not open this name.'),
  url_unknown: kind(
    422,
    'never',
    '这个地址不属于本服务。',
    'This address is not one of this deployment.',
  ),
  relay_unavailable: kind(
    503,
    'later',
    '线路暂时不可用，请稍后再试。',
    'No relay can be reached.',
    true,
  ),
  internal: kind(500, 'later', '服务器出错了，请稍后再试。', 'The server failed.', true),
  unavailable: kind(
    503,
    'later',
    '服务暂时不可用，请稍后再试。',
    'The service is not available now.',
  ),
} as const satisfies Record<string, ErrorKind>

/** A stable error code of the API. */
export type ErrorCode = keyof typeof errorKinds

/** True for a string that is a code of the registry. */
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorKinds, value)
