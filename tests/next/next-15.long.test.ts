import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { serverActions } from "./cases/actions.js"
import { attacksOnMiddleware, authorizedResults } from "./cases/authorized.js"
import { middlewareWithoutEngine } from "./cases/bundle.js"
import { authEverywhere } from "./cases/auth.js"
import { passkeysOnTheEdge } from "./cases/passkeys.js"
import { clientSync } from "./cases/react.js"
import { renewal, rotation } from "./cases/renewal.js"
import { routeHandlers, routeHandlersWithoutSession } from "./cases/route-handlers.js"
import { main } from "./main.js"

/** Requests, cookies and the edge runtime differ between majors. */
const app = application(main(15))

authEverywhere(app)
routeHandlers(app)
routeHandlersWithoutSession(app)
passkeysOnTheEdge(app)
authorizedResults(app)
attacksOnMiddleware(app)
renewal(app)
rotation(app, { middleware: "edge" })
middlewareWithoutEngine(app)
inChromium("Next.js 15", (visit) => {
  serverActions(app, visit, "some")
  clientSync(app, visit, "some")
})
