import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { serverActions } from "./cases/actions.js"
import { authorizedResults } from "./cases/authorized.js"
import { passkeys } from "./cases/passkeys.js"
import { renewal } from "./cases/renewal.js"
import { routeHandlers, routeHandlersWithoutSession } from "./cases/route-handlers.js"
import { signingIn } from "./cases/sign-in.js"
import { mainWithWebpack } from "./main.js"

const app = application(mainWithWebpack)

routeHandlers(app)
routeHandlersWithoutSession(app)
authorizedResults(app)
renewal(app)
inChromium("Next.js 16 with webpack", (visit) => {
  signingIn(app, visit, "some")
  serverActions(app, visit, "some")
  passkeys(app, visit, "some")
})
