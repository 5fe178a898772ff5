import { serve } from "@hono/node-server"
import { serveStatic } from "@hono/node-server/serve-static"
import { app } from "./app.ts"

app.use("/style.css", serveStatic({ root: "public" }))

const { PORT = "3000", HOST = "localhost" } = process.env
serve({ fetch: app.fetch, port: Number(PORT), hostname: HOST }, ({ port }) => {
  console.log(`Harbor is at http://${HOST}:${port}`)
})
