import { createServer } from "node:http"
import { createQwikCity } from "@builder.io/qwik-city/middleware/node"
import { manifest } from "@qwik-client-manifest"
import qwikCityPlan from "@qwik-city-plan"
import render from "./entry.ssr"

const { router, notFound, staticFile } = createQwikCity({ render, qwikCityPlan, manifest })
const port = Number(process.env["PORT"] ?? 3000)

createServer((req, res) => {
  staticFile(req, res, () => router(req, res, () => notFound(req, res, () => {})))
}).listen(port, () => console.log(`http://localhost:${port}`))
