import { application } from "./application.js"
import { attacksOnMiddleware, authorizedResults } from "./cases/authorized.js"
import { middlewareWithoutEngine } from "./cases/bundle.js"
import { authEverywhere } from "./cases/auth.js"
import { passkeysOnTheEdge } from "./cases/passkeys.js"
import { renewal, rotation } from "./cases/renewal.js"
import { routeHandlers } from "./cases/route-handlers.js"
import { main } from "./main.js"

/** Requests, cookies and the edge runtime differ between majors. What runs in a browser is in next-15.long.test.ts. */
const app = application(main(15))

authEverywhere(app)
routeHandlers(app)
passkeysOnTheEdge(app)
authorizedResults(app)
attacksOnMiddleware(app)
renewal(app)
rotation(app, { middleware: "edge" })
middlewareWithoutEngine(app)
