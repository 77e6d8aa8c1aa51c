// Loaded into a program by a test (`--import`): its date is wrong by as many days as the environment says. What
// measures durations runs on, as when somebody has set a machine's clock wrong.
const shiftMs = Number(process.env.HOMEPORT_TEST_CLOCK_SHIFT_DAYS) * 24 * 60 * 60 * 1000
const RightDate = Date

function ShiftedDate(...parts: []) {
  if (new.target === undefined) return new RightDate(ShiftedDate.now()).toString()
  return parts.length === 0 ? new RightDate(ShiftedDate.now()) : new RightDate(...parts)
}
ShiftedDate.now = () => RightDate.now() + shiftMs
ShiftedDate.parse = RightDate.parse
ShiftedDate.UTC = RightDate.UTC
ShiftedDate.prototype = RightDate.prototype
globalThis.Date = ShiftedDate as unknown as DateConstructor
