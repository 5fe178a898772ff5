import { handle } from "hono/aws-lambda"
import { app } from "./app.ts"
import { serveEvents } from "./gateway.ts"

serveEvents(handle(app))
