// Everything that core does with modules. `defineModule` brings it, so a bundle without modules has none of it.
import type * as Reseal from "./reseal.js"

export { admit, afterSignIn } from "./admit.js"
export {
  callMember,
  emailChanged,
  keepsPasskey,
  leaving,
  mayChangeEmail,
  moduleExports,
  moduleFindings,
  prove,
  revokers,
  sectionsOf,
} from "./calls.js"
export { identify } from "./context.js"
export { answerFactor, factorPage } from "./factor.js"
export { moduleViews } from "./pages.js"
export { endHeld, heldExports } from "./pending.js"
export { provenFactors, stepUpPage } from "./step-up.js"
export { findModuleRoute, handleModuleRoute, needsToken } from "./routes.js"
export const resealRecords: typeof Reseal.resealRecords = async (...args) =>
  (await import("./reseal.js")).resealRecords(...args)
