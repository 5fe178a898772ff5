import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createQwikCity } from "@builder.io/qwik-city/middleware/node"
import qwikCityPlan from "@qwik-city-plan"
import render from "./entry.ssr"

const { router, notFound, staticFile } = createQwikCity({ render, qwikCityPlan })

const server = createServer((request, response) => {
  staticFile(request, response, () =>
    router(request, response, () => notFound(request, response, () => response.writeHead(404).end())),
  )
})
server.listen(Number(process.env["PORT"]), "127.0.0.1", () => {
  console.log(`Listening on http://localhost:${(server.address() as AddressInfo).port}`)
})
