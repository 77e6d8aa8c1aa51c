import { limitsOf } from '@homeport/relay'
import {
  logLevels,
  option,
  parseBoolean,
  parseChoice,
  parseInteger,
  parseList,
  parsePortRange,
  parseText,
  parseUrl,
} from '@homeport/runtime'
import { signOnOptions } from './sign-on-options.ts'

const defaults = limitsOf({})
const mib = 1024 * 1024

/** A bound of the relay's memory; docs/limits.md says what each costs. */
const limitOption = (env: string, flag: string, value: number, doc: string, least = 1) =>
  option({
    env,
    flag,
    placeholder: 'number',
    parse: parseInteger(least, 1_000_000),
    default: value,
    doc,
  })

const dataOption = option({
  env: 'HOMEPORT_DATA',
  flag: '--data',
  placeholder: 'folder',
  parse: parseText,
  default: './data',
  doc: 'Folder of the database and the secret key; made where it is missing.',
})

const databaseOption = option({
  env: 'HOMEPORT_DATABASE_URL',
  flag: '--database-url',
  placeholder: 'url',
  parse: parseDatabaseUrl,
  defaultText: 'a SQLite file in the data folder',
  doc: 'PostgreSQL database to use instead of SQLite.',
  example: 'postgres://homeport@127.0.0.1/homeport',
  isSecret: true,
})

const secretKeyOption = option({
  env: 'HOMEPORT_SECRET_KEY',
  flag: '--secret-key',
  placeholder: 'key',
  parse: parseKey,
  defaultText: 'a file of mode 0600 in the data folder',
  doc: 'Key of everything that is encrypted or signed: 32 bytes as 64 hexadecimal digits or 43 base64url characters.',
  isSecret: true,
})

const logOption = option({
  env: 'HOMEPORT_LOG',
  flag: '--log',
  placeholder: 'level',
  parse: parseChoice(...logLevels),
  default: 'info' as const,
  doc: `How much is logged: ${logLevels.join(', ')}.`,
})

const publicUrlOption = option({
  env: 'HOMEPORT_PUBLIC_URL',
  flag: '--public-url',
  placeholder: 'url',
  parse: (text: string) => parseUrl('http', 'https')(text).href,
  defaultText: 'http(s)://localhost:<port>',
  doc: 'Address of the console as browsers and agents see it.',
  example: 'https://console.example.com',
})

/** How mail is sent. */
const mailOptions = {
  smtpUrl: option({
    env: 'HOMEPORT_SMTP_URL',
    flag: '--smtp-url',
    placeholder: 'url',
    parse: parseText,
    defaultText: 'none: the outbox in development, no mail in production',
    doc: 'Server that takes mail: smtp://user:password@host:587 (STARTTLS, required but on loopback) or smtps://…:465.',
    isSecret: true,
  }),
  mailFrom: option({
    env: 'HOMEPORT_MAIL_FROM',
    flag: '--mail-from',
    placeholder: 'address',
    parse: parseText,
    defaultText: 'none: it must be given with HOMEPORT_SMTP_URL',
    doc: 'Who mail is from.',
    example: '归港 <noreply@example.com>',
  }),
}

/** How text messages are sent. */
const smsOptions = {
  sms: option({
    env: 'HOMEPORT_SMS',
    flag: '--sms',
    placeholder: 'way',
    parse: parseChoice('off', 'outbox', 'aliyun', 'tencent'),
    defaultText: 'outbox in development, off in production',
    doc: 'How codes reach phones: off (no way in by phone), outbox (shown in the console, development only), aliyun, tencent.',
  }),
  smsKeyId: option({
    env: 'HOMEPORT_SMS_KEY_ID',
    flag: '--sms-key-id',
    placeholder: 'id',
    parse: parseText,
    defaultText: 'none',
    doc: 'AccessKey ID of Aliyun, SecretId of Tencent Cloud.',
  }),
  smsKeySecret: option({
    env: 'HOMEPORT_SMS_KEY_SECRET',
    flag: '--sms-key-secret',
    placeholder: 'secret',
    parse: parseText,
    defaultText: 'none',
    doc: 'AccessKey Secret of Aliyun, SecretKey of Tencent Cloud.',
    isSecret: true,
  }),
  smsSignName: option({
    env: 'HOMEPORT_SMS_SIGN_NAME',
    flag: '--sms-sign-name',
    placeholder: 'name',
    parse: parseText,
    defaultText: 'none',
    doc: 'Approved signature (短信签名) of the messages, without its brackets.',
    example: '归港',
  }),
  smsTemplate: option({
    env: 'HOMEPORT_SMS_TEMPLATE',
    flag: '--sms-template',
    placeholder: 'id',
    parse: parseText,
    defaultText: 'none',
    doc: 'Approved template with one variable, the code (Aliyun: named code).',
    example: 'SMS_123456789',
  }),
  smsAppId: option({
    env: 'HOMEPORT_SMS_APP_ID',
    flag: '--sms-app-id',
    placeholder: 'id',
    parse: parseText,
    defaultText: 'none',
    doc: 'SmsSdkAppId of Tencent Cloud.',
    example: '1400006666',
  }),
  smsRegion: option({
    env: 'HOMEPORT_SMS_REGION',
    flag: '--sms-region',
    placeholder: 'region',
    parse: parseText,
    default: 'ap-guangzhou',
    doc: 'Region of Tencent Cloud.',
  }),
  smsEndpoint: option({
    env: 'HOMEPORT_SMS_ENDPOINT',
    flag: '--sms-endpoint',
    placeholder: 'url',
    parse: (text: string) => parseUrl('http', 'https')(text).href,
    defaultText: "the vendor's own",
    doc: "Address of the vendor's API, where it is not the usual one.",
    example: 'https://dysmsapi.ap-southeast-1.aliyuncs.com',
  }),
}

/** Options of `homeport up`, by the name the program uses. */
export const upOptions = {
  port: option({
    env: 'HOMEPORT_PORT',
    flag: '--port',
    placeholder: 'number',
    parse: parseInteger(1, 65_535),
    default: 8080,
    doc: 'Port of the front door: console, public names and agents.',
  }),
  host: option({
    env: 'HOMEPORT_HOST',
    flag: '--host',
    placeholder: 'address',
    parse: parseText,
    default: '127.0.0.1',
    doc: 'Address the front door and the ports of tcp records listen on; with 0.0.0.0 and no public URL every IP-literal host serves the console.',
  }),
  publicUrl: publicUrlOption,
  tunnelDomain: option({
    env: 'HOMEPORT_TUNNEL_DOMAIN',
    flag: '--tunnel-domain',
    placeholder: 'domain',
    parse: parseText,
    default: 'localhost',
    doc: 'Parent of all public names; its own registrable domain, apart from the console.',
    example: 'tunnel.example.net',
  }),
  data: dataOption,
  databaseUrl: databaseOption,
  mode: option({
    env: 'HOMEPORT_MODE',
    flag: '--mode',
    placeholder: 'mode',
    parse: parseChoice('development', 'production'),
    defaultText: 'development while public URL and listener are loopback, else production',
    doc: 'development is refused on anything but loopback.',
  }),
  adminPassword: option({
    env: 'HOMEPORT_ADMIN_PASSWORD',
    flag: '--admin-password',
    placeholder: 'password',
    parse: parseNewPassword,
    defaultText: 'none: a one-time set-up link is printed',
    doc: 'First start only: makes the user admin, staff and superuser, with this password.',
    isSecret: true,
  }),
  signup: option({
    env: 'HOMEPORT_SIGNUP',
    flag: '--signup',
    placeholder: 'who',
    parse: parseChoice('off', 'invite', 'open'),
    default: 'invite' as const,
    doc: 'Who may make an account: off (nobody), invite (who has a link of staff), open (everybody).',
  }),
  ...signOnOptions,
  billing: option({
    env: 'HOMEPORT_BILLING',
    flag: '--billing',
    placeholder: 'on|off',
    parse: parseBoolean,
    default: true,
    doc: 'off limits nothing and hides buying and codes.',
  }),
  ...smsOptions,
  ...mailOptions,
  secretKey: secretKeyOption,
  tcpPorts: option({
    env: 'HOMEPORT_TCP_PORTS',
    flag: '--tcp-ports',
    placeholder: 'first-last',
    parse: parsePortRange,
    default: { first: 20_000, last: 20_999 },
    defaultText: '20000-20999',
    doc: 'Pool of ports for tcp records.',
  }),
  tlsCert: option({
    env: 'HOMEPORT_TLS_CERT',
    flag: '--tls-cert',
    placeholder: 'file',
    parse: parseText,
    defaultText: 'none: plain http',
    doc: 'Certificate chain (PEM) of the front door; it must cover console and *.<tunnel domain>.',
  }),
  tlsKey: option({
    env: 'HOMEPORT_TLS_KEY',
    flag: '--tls-key',
    placeholder: 'file',
    parse: parseText,
    defaultText: 'none',
    doc: 'Private key (PEM) of the certificate.',
  }),
  trustedProxies: option({
    env: 'HOMEPORT_TRUSTED_PROXIES',
    flag: '--trusted-proxies',
    placeholder: 'cidr,…',
    parse: parseList(parseText),
    default: [] as string[],
    defaultText: 'none',
    doc: 'Proxies in front of the door: only from these is X-Forwarded-For believed.',
    example: '10.0.0.0/8',
  }),
  proxyProtocol: option({
    env: 'HOMEPORT_PROXY_PROTOCOL',
    flag: '--proxy-protocol',
    placeholder: 'where',
    parse: parseChoice('off', 'door', 'all'),
    default: 'off' as const,
    doc: 'Where trusted proxies must begin each connection with a PROXY header (version 1 or 2): off, door (the front door), all (also the ports of tcp records).',
  }),
  visitorLimit: limitOption(
    'HOMEPORT_VISITOR_LIMIT',
    '--visitor-limit',
    defaults.door.connections,
    'Connections of visitors to the front door at once.',
  ),
  tcpLimit: limitOption(
    'HOMEPORT_TCP_LIMIT',
    '--tcp-limit',
    defaults.ports.connections,
    'Connections of visitors to the ports of tcp records at once.',
  ),
  linkLimit: limitOption(
    'HOMEPORT_LINK_LIMIT',
    '--link-limit',
    defaults.links.links,
    'Links of agents at once; an agent has one, and up to eight under load.',
  ),
  unreadLimitMib: limitOption(
    'HOMEPORT_UNREAD_LIMIT_MIB',
    '--unread-limit-mib',
    defaults.links.unreadBytes / mib,
    'MiB from homes that visitors have not taken yet, over all links; beyond it the fullest flow is cut.',
  ),
  heldLimitMib: limitOption(
    'HOMEPORT_HELD_LIMIT_MIB',
    '--held-limit-mib',
    defaults.carry.heldBytes / mib,
    'MiB that connections of visitors hold: heads, reads and what waits to be written; beyond it those that stand still with most are cut.',
    16,
  ),
  insecureHttp: option({
    env: 'HOMEPORT_INSECURE_HTTP',
    flag: '--insecure-http',
    parse: parseBoolean,
    default: false,
    doc: 'Lets an http:// public URL on a public name through; passwords then travel in the clear.',
  }),
  sameSiteTunnels: option({
    env: 'HOMEPORT_SAME_SITE_TUNNELS',
    flag: '--same-site-tunnels',
    parse: parseBoolean,
    default: false,
    doc: 'Lets console and tunnels share a registrable domain; every tunnelled site is then trusted.',
  }),
  demo: option({
    env: 'HOMEPORT_DEMO',
    flag: '--demo',
    parse: parseBoolean,
    default: false,
    doc: 'Adds a sample home: a device with three LAN pages that belongs to the first administrator.',
  }),
  log: logOption,
}

/** Options of `homeport agent`. */
export const agentOptions = {
  server: option({
    env: 'HOMEPORT_SERVER',
    flag: '--server',
    placeholder: 'url',
    parse: parseUrl('http', 'https'),
    defaultText: 'none: it must be given',
    doc: 'Address of the console the device belongs to.',
    example: 'https://console.example.com',
  }),
  token: option({
    env: 'HOMEPORT_TOKEN',
    flag: '--token',
    placeholder: 'token',
    parse: parseText,
    defaultText: 'none: a link to confirm is printed',
    doc: 'Enrolment token or its signed form, for the first start only; it is not kept.',
    isSecret: true,
  }),
  data: option({
    env: 'HOMEPORT_AGENT_DATA',
    flag: '--data',
    placeholder: 'folder',
    parse: parseText,
    default: './agent-data',
    doc: 'Folder of the device key and its pairing.',
  }),
  name: option({
    env: 'HOMEPORT_NAME',
    flag: '--name',
    placeholder: 'name',
    parse: parseText,
    defaultText: 'the name of the machine',
    doc: 'Name of the device in the console, at the first start.',
  }),
  allow: option({
    env: 'HOMEPORT_ALLOW',
    flag: '--allow',
    placeholder: 'cidr,…',
    parse: parseList(parseText),
    default: [] as string[],
    defaultText: 'private ranges',
    doc: 'Addresses the agent may reach; repeatable. Link-local, metadata and multicast addresses are always refused.',
    example: '192.168.1.0/24',
  }),
  allowLoopback: option({
    env: 'HOMEPORT_ALLOW_LOOPBACK',
    flag: '--allow-loopback',
    parse: parseBoolean,
    default: false,
    defaultText: 'off, but on where the server is loopback too',
    doc: 'Lets targets be on the machine of the agent itself.',
  }),
  insecure: option({
    env: 'HOMEPORT_INSECURE',
    flag: '--insecure',
    parse: parseBoolean,
    default: false,
    doc: 'Lets an http:// server that is not loopback through; everything then travels in the clear.',
  }),
  log: logOption,
}

/** Options of `homeport admin`. */
export const adminOptions = {
  data: dataOption,
  databaseUrl: databaseOption,
  secretKey: secretKeyOption,
  publicUrl: publicUrlOption,
}

function parseDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    throw new Error('must be an address that begins with postgres://')
  }
  return text
}

function parseNewPassword(text: string): string {
  if (text.length < 8 || text.length > 128) throw new Error('must have 8 to 128 characters')
  return text
}

function parseKey(text: string): Buffer {
  const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64url')
  if (key.length !== 32) {
    throw new Error('must be 32 bytes: 64 hexadecimal digits or 43 base64url characters')
  }
  return key
}
