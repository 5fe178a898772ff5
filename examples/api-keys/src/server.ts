import { serve } from "@hono/node-server"
import { app } from "./app.ts"

const { PORT = "3000", HOST = "localhost" } = process.env
serve({ fetch: app.fetch, port: Number(PORT), hostname: HOST }, ({ port }) => {
  console.log(`Harbor is at http://${HOST}:${port}`)
})
