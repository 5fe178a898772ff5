import { InvalidConfig } from "../errors.js"
import type { AuthContext, SessionContext } from "../model/auth.js"
import type { Handler } from "../model/http.js"
import { seamLoader } from "../model/symbols.js"
import type * as Admit from "./admit.js"
import type * as Calls from "./calls.js"
import type * as Pages from "./pages.js"
import type * as Pending from "./pending.js"
import type * as Reseal from "./reseal.js"
import type * as Routes from "./routes.js"
import type * as StepUp from "./step-up.js"

/** What `seam.ts` exports. */
export interface Seam
  extends Pick<typeof Admit, "admit" | "afterSignIn">,
    Pick<
      typeof Calls,
      "callMember" | "keepsPasskey" | "moduleExports" | "moduleFindings" | "prove" | "revokers" | "sectionsOf"
    >,
    Pick<typeof Pages, "moduleViews">,
    Pick<typeof Pending, "endHeld">,
    Pick<typeof Reseal, "resealRecords">,
    Pick<typeof Routes, "findModuleRoute" | "handleModuleRoute" | "needsToken">,
    Pick<typeof StepUp, "provenFactors" | "stepUpPage"> {
  readonly factorPage: Handler<AuthContext>
  readonly answerFactor: Handler<AuthContext>
}

/** Whether there are modules that `defineModule` made. */
export function hasSeam(auth: Modules): boolean {
  return loaderIn(auth) !== undefined
}

/** What core does with modules. */
export async function seamOf(auth: Modules): Promise<Seam> {
  const load = loaderIn(auth)
  if (load === undefined) throw new InvalidConfig("modules: None was made with `defineModule`. Make them with it")
  return (await load()) as Seam
}

type Modules = Pick<SessionContext, "modules">

function loaderIn({ modules }: Modules): (() => Promise<unknown>) | undefined {
  return modules.find((module) => module[seamLoader] !== undefined)?.[seamLoader]
}
