import type { Retry } from '@homeport/contract'

/** What a page says in one language: a heading, why it happened, what to do. */
export interface PageText {
  readonly title: string
  readonly reason: string
  readonly next: string
}

/** One row of the registry of the relay's own answers. */
export interface PageKind {
  readonly status: number
  /** `now` and `later` show a retry link; `later` also sends `Retry-After`. */
  readonly retry: Retry
  readonly zh: PageText
  readonly en: PageText
}

type Words = readonly [title: string, reason: string, next: string]

const kind = (status: number, retry: Retry, zh: Words, en: Words): PageKind => ({
  status,
  retry,
  zh: { title: zh[0], reason: zh[1], next: zh[2] },
  en: { title: en[0], reason: en[1], next: en[2] },
})

const fixSender: readonly [zh: string, en: string] = [
  '请换用正常的浏览器或应用再试。',
  'Use an ordinary browser or application.',
]

/** Every answer that the relay gives in its own name. Codes are stable: programs branch on them. */
export const pageKinds = {
  bad_request: kind(
    400,
    'never',
    ['无法理解这个请求', '收到的内容不符合 HTTP 规范，已被拒绝。', fixSender[0]],
    ['Bad request', 'What arrived is not valid HTTP and was refused.', fixSender[1]],
  ),
  upgrade_refused: kind(
    400,
    'never',
    ['不支持的协议升级', '这里只支持升级到 WebSocket。', '请在应用中关闭 h2c 等协议升级。'],
    ['Upgrade refused', 'Only WebSocket upgrades are carried.', 'Turn off h2c or other upgrades.'],
  ),
  cookies_blocked: kind(
    400,
    'now',
    [
      '浏览器阻止了 Cookie',
      '完成验证需要 Cookie，但浏览器没有带回它。',
      '请允许此网站使用 Cookie，然后重新打开。',
    ],
    [
      'Cookies are blocked',
      'Signing in needs a cookie that did not come back.',
      'Allow cookies for this site, then open it again.',
    ],
  ),
  not_signed_in: kind(
    401,
    'never',
    ['需要验证', '这个地址只对获准的访客开放。', '请先在浏览器中打开并登录。'],
    [
      'Sign in first',
      'This address is open to admitted visitors only.',
      'Open it in a browser and sign in.',
    ],
  ),
  plan_expired: kind(
    402,
    'never',
    ['套餐已到期', '这台设备的套餐已到期，访问暂停。', '如果您是主人，请登录控制台续费。'],
    [
      'The plan has expired',
      'The plan of this device ran out.',
      'If it is yours, renew it in the console.',
    ],
  ),
  foreign_origin: kind(
    403,
    'never',
    ['跨站请求已被拒绝', '另一个网站的页面试图以您的身份操作。', '请在这个地址自己的页面中操作。'],
    [
      'Cross-site request refused',
      'A page of another site tried to act in your name.',
      'Act from a page of this address itself.',
    ],
  ),
  target_forbidden: kind(
    403,
    'never',
    [
      '设备不允许访问此目标',
      '家中的设备没有放行这个内网地址。',
      '请在设备端把该地址加入允许列表。',
    ],
    [
      'The device refuses this target',
      'The device at home does not allow this address.',
      "Add it to the agent's allow-list.",
    ],
  ),
  unknown_name: kind(
    404,
    'never',
    ['没有这个地址', '这个域名没有指向任何设备。', '请检查拼写，或向主人确认地址。'],
    ['No such address', 'This name leads to no device.', 'Check its spelling, or ask its owner.'],
  ),
  record_disabled: kind(
    404,
    'never',
    ['这个地址已停用', '主人暂时关闭了这个外网域名。', '请联系主人重新启用。'],
    [
      'This address is switched off',
      'Its owner has switched it off.',
      'Ask the owner to switch it on.',
    ],
  ),
  method_refused: kind(
    405,
    'never',
    ['不支持的请求方法', '这里不转发 CONNECT 和 TRACE。', fixSender[0]],
    ['Method refused', 'CONNECT and TRACE are not carried.', fixSender[1]],
  ),
  request_timeout: kind(
    408,
    'now',
    ['请求超时', '请求没有在限定时间内发送完。', '请检查网络后重试。'],
    [
      'The request took too long',
      'It was not complete in time.',
      'Check the network, then try again.',
    ],
  ),
  target_too_long: kind(
    414,
    'never',
    ['网址太长', '网址超过了 8 KiB 的上限。', '请缩短网址后再试。'],
    ['The address is too long', 'It is over the limit of 8 KiB.', 'Shorten it and try again.'],
  ),
  expectation_failed: kind(
    417,
    'never',
    ['不支持的 Expect', '这里只支持 100-continue。', fixSender[0]],
    ['Expectation failed', 'Only 100-continue is known here.', fixSender[1]],
  ),
  misdirected: kind(
    421,
    'now',
    ['连接与域名不符', '这个连接的证书属于另一个域名。', '请重新打开此页面。'],
    ['Misdirected request', 'This connection was made for another name.', 'Open the page again.'],
  ),
  head_too_large: kind(
    431,
    'never',
    ['请求头太大', '请求头超过了上限，通常是 Cookie 过多。', '请清除此网站的 Cookie 后再试。'],
    [
      'The request head is too large',
      'Usually there are too many cookies.',
      'Clear the cookies of this site, then try again.',
    ],
  ),
  busy: kind(
    503,
    'later',
    ['访问太多', '同时访问的请求太多，暂时无法处理。', '请稍候片刻再试。'],
    ['Too busy', 'Too many requests at the same time.', 'Wait a moment, then try again.'],
  ),
  internal: kind(
    500,
    'later',
    [
      '线路出错了',
      '线路内部发生错误，已被记录。',
      '请稍后再试；若一直如此，请告诉管理员请求编号。',
    ],
    [
      'The relay failed',
      'An internal error happened and was logged.',
      'Try again later; tell the operator the request id.',
    ],
  ),
  bad_response: kind(
    502,
    'later',
    ['目标的回应无效', '内网服务的回应不符合 HTTP 规范。', '请检查目标的协议与端口是否填对。'],
    [
      'The target answered badly',
      'Its answer is not valid HTTP.',
      'Check the scheme and the port of the target.',
    ],
  ),
  target_failed: kind(
    502,
    'later',
    [
      '无法连接内网服务',
      '设备在线，但它连不上目标，或连接中断。',
      '请确认内网服务已启动，地址与端口正确。',
    ],
    [
      'The target failed',
      'The device is online but its target refused or broke the connection.',
      'See that the service runs and that address and port are right.',
    ],
  ),
  version_unsupported: kind(
    505,
    'never',
    ['不支持的 HTTP 版本', '这个端口只支持 HTTP/1.0 和 HTTP/1.1。', fixSender[0]],
    ['HTTP version not supported', 'This port speaks HTTP/1.0 and HTTP/1.1.', fixSender[1]],
  ),
  loop: kind(
    508,
    'never',
    [
      '请求在绕圈',
      '这个外网域名绕了一圈又指回了它自己。',
      '如果您是主人，请把目标改为真正的内网服务。',
    ],
    [
      'The request goes in circles',
      'This address leads back to itself.',
      'If it is yours, set the target to the service itself.',
    ],
  ),
  device_offline: kind(
    503,
    'later',
    ['设备不在线', '家中的设备现在没有连接到线路。', '请检查设备的电源和网络，上线后会立即恢复。'],
    [
      'The device is offline',
      'The device at home is not connected.',
      'Check its power and network; it works again as soon as it is back.',
    ],
  ),
  device_paused: kind(
    503,
    'never',
    ['设备已暂停', '主人暂停了这台设备的访问。', '请联系主人恢复。'],
    ['The device is paused', 'Its owner has paused it.', 'Ask the owner to resume it.'],
  ),
  unavailable: kind(
    503,
    'later',
    [
      '服务暂时不可用',
      '后台服务现在没有回应，多半正在重新启动；进行中的访问不受影响。',
      '请稍候片刻再试。',
    ],
    [
      'Not available now',
      'The server behind it does not answer; mostly it is starting again. What runs already goes on.',
      'Try again in a moment.',
    ],
  ),
  device_silent: kind(
    504,
    'later',
    [
      '设备没有回应',
      '家中的设备没有在限定时间内应答，它的网络可能刚刚中断。',
      '设备会自动重新连接，请半分钟后再试。',
    ],
    [
      'The device is silent',
      'The device at home did not answer in time; its network may just have failed.',
      'It reconnects by itself; try again in half a minute.',
    ],
  ),
  target_silent: kind(
    504,
    'later',
    ['内网服务没有回应', '目标在限定时间内没有回应。', '请确认内网服务没有卡住，然后重试。'],
    [
      'The target is silent',
      'It did not answer in time.',
      'See that the service is not stuck, then try again.',
    ],
  ),
} as const satisfies Record<string, PageKind>

/** A stable code of the registry. */
export type PageCode = keyof typeof pageKinds
