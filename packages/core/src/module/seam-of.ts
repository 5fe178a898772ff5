import type { AuthContext } from "../model/auth.js"
import type { Handler } from "../model/http.js"
import type * as Admit from "./admit.js"
import type * as Calls from "./calls.js"
import type * as Context from "./context.js"
import type * as Pages from "./pages.js"
import type * as Pending from "./pending.js"
import type * as Reseal from "./reseal.js"
import type * as Routes from "./routes.js"
import { loadSeam } from "./seam-loader.js"
import type * as StepUp from "./step-up.js"

export { hasSeam } from "./seam-loader.js"

/** What `seam.ts` exports. */
export interface Seam
  extends Pick<typeof Admit, "admit" | "afterSignIn">,
    Pick<
      typeof Calls,
      | "callMember"
      | "emailChanged"
      | "keepsPasskey"
      | "leaving"
      | "mayChangeEmail"
      | "moduleExports"
      | "moduleFindings"
      | "prove"
      | "revokers"
      | "sectionsOf"
    >,
    Pick<typeof Context, "identify">,
    Pick<typeof Pages, "moduleViews">,
    Pick<typeof Pending, "endHeld" | "heldExports">,
    Pick<typeof Reseal, "resealRecords">,
    Pick<typeof Routes, "findModuleRoute" | "handleModuleRoute" | "needsToken">,
    Pick<typeof StepUp, "provenFactors" | "stepUpPage"> {
  readonly factorPage: Handler<AuthContext>
  readonly answerFactor: Handler<AuthContext>
}

/** What core does with modules. */
export async function seamOf(auth: Parameters<typeof loadSeam>[0]): Promise<Seam> {
  return (await loadSeam(auth)) as Seam
}
