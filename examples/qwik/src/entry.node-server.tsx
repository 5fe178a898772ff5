import { createServer } from "node:http"
import { createQwikCity } from "@builder.io/qwik-city/middleware/node"
import { manifest } from "@qwik-client-manifest"
import qwikCityPlan from "@qwik-city-plan"
import render from "./entry.ssr"

const { router, notFound, staticFile } = createQwikCity({ render, qwikCityPlan, manifest })
const port = Number(process.env["PORT"] ?? 3000)

createServer((req, res) => {
  const next = () => void router(req, res, () => void notFound(req, res, () => {}))
  void staticFile(req, res, next)
}).listen(port, () => console.log(`http://localhost:${port}`))
