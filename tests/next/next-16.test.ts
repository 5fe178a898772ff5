import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { serverActions } from "./cases/actions.js"
import { attacksOnMiddleware, authorizedResults } from "./cases/authorized.js"
import { configurationErrors } from "./cases/configuration-errors.js"
import { authEverywhere, databaseSessions } from "./cases/auth.js"
import { passkeys, passkeysOnTheEdge } from "./cases/passkeys.js"
import { clientSync } from "./cases/react.js"
import { renewal, rotation } from "./cases/renewal.js"
import { signingIn } from "./cases/sign-in.js"
import { routeHandlers, routeHandlersWithoutSession } from "./cases/route-handlers.js"
import { main } from "./main.js"

const app = application(main(16))

authEverywhere(app)
routeHandlers(app)
routeHandlersWithoutSession(app)
passkeysOnTheEdge(app)
databaseSessions(app)
authorizedResults(app)
attacksOnMiddleware(app)
renewal(app)
rotation(app, { middleware: "node" })
configurationErrors(app)
inChromium("Next.js 16", (visit) => {
  signingIn(app, visit, "all")
  serverActions(app, visit, "all")
  clientSync(app, visit, "all")
  passkeys(app, visit, "all")
})
