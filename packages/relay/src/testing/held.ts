import { createLogger } from '@homeport/runtime'
import { createHeldBudget, type HeldBudget } from '../carry/held-budget.ts'
import { defaultCarryLimits } from '../carry/limits.ts'

/** A budget of what visitors hold, as a relay has it. */
export const createTestHeld = (limitBytes = defaultCarryLimits.heldBytes): HeldBudget =>
  createHeldBudget({ limitBytes, logger: createLogger({ level: 'silent', name: 'relay' }) })
