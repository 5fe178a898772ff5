import { application } from "./application.js"
import { attacksOnMiddleware, authorizedAnswers } from "./cases/authorized.js"
import { middlewareWithoutEngine } from "./cases/bundle.js"
import { everyForm } from "./cases/forms.js"
import { renewal, rotation } from "./cases/renewal.js"
import { main } from "./main.js"

/** Requests, cookies and the edge runtime differ between majors. What runs in a browser is in next-14.long.test.ts. */
const app = application(main(14))

everyForm(app)
authorizedAnswers(app)
attacksOnMiddleware(app)
renewal(app)
rotation(app, { middleware: "edge" })
middlewareWithoutEngine(app)
