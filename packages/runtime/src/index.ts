export { type Backoff, type BackoffOptions, createBackoff } from './backoff.ts'
export { type Clock, systemClock, type Timer } from './clock.ts'
export {
  ConfigError,
  type ConfigOf,
  type Option,
  type OptionTable,
  option,
  readOptions,
} from './config.ts'
export { createRandomId } from './ids.ts'
export { type Part, type Running, startParts, stopOnSignals } from './lifecycle.ts'
export { createLogger, type Logger, type LogLevel, logLevels } from './logger.ts'
export {
  parseBoolean,
  parseChoice,
  parseInteger,
  parseList,
  parsePortRange,
  parseText,
  parseUrl,
} from './parsers.ts'
export { createRareLine, type RareLineOptions } from './rare-line.ts'
export { createRateLimiter, type RateAnswer, type RateLimiter, type RateOptions } from './rate.ts'
