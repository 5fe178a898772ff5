import { createServer, type IncomingMessage } from "node:http"
import { createQwikCity } from "@builder.io/qwik-city/middleware/node"
import { manifest } from "@qwik-client-manifest"
import qwikCityPlan from "@qwik-city-plan"
import render from "./entry.ssr"

const { router, notFound, staticFile } = createQwikCity({ render, qwikCityPlan, manifest, getOrigin })
const port = Number(process.env["PORT"] ?? 3000)

/** Qwik compares the origin of a form with it. */
function getOrigin({ headers }: IncomingMessage): string {
  const { "x-forwarded-proto": protocol = "http", "x-forwarded-host": host = headers.host } = headers
  return `${[protocol].flat()[0]}://${[host].flat()[0]}`
}

createServer((req, res) => {
  // Without this, Qwik never responds to a request with an invalid host.
  if (!URL.canParse(`http://${req.headers.host}`)) return res.writeHead(400).end()
  const next = () => void router(req, res, () => void notFound(req, res, () => {}))
  void staticFile(req, res, next)
}).listen(port, () => console.log(`http://localhost:${port}`))
